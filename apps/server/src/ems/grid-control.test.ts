import { emsEndpoints } from '@sonnenwarte/contract/ems/ems';
import { errno } from '@sonnenwarte/contract/errors';
import { settingsEndpoints } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { CommandName, parseCommand } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { decodePayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hashToken } from '../broker/credentials.ts';
import { TestEdge } from '../testing/edge.ts';
import { TEST_PASSWORD } from '../testing/ingestion.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const { write } = settingsEndpoints;
const { gridLimit, setGridLimit, releaseGridLimit, dispatches } = emsEndpoints;
const LOGGER = '302212100000106';
const [A, B, METER] = ['S20T2212B1061', 'S20T2212B1062', 'M3T2212001066'] as const;

let portal: TestPortal;
let edge: TestEdge;
let token: string;
let stationID: string;
/** What the inverters have been set to, and whether they answer. */
const limits = new Map<string, number>([
  [A, 100],
  [B, 100],
]);
let silent: string | undefined;
/** What the silent one would have said. */
const unsaid: (() => void)[] = [];

const float = (name: string, value: number) => ({ name, datatype: DataType.Float, value });
const limitMetric = (value: number) => ({ name: 'Setting/ActivePowerLimit', datatype: DataType.Int32, value });

async function tell(powerW: Record<string, number>, gridW: number): Promise<void> {
  for (const [sn, w] of Object.entries(powerW)) await edge.data(sn, { 'AC/ActivePower': w });
  await edge.data(METER, { 'Meter/ActivePower': gridW });
}

beforeAll(async () => {
  portal = await startTestPortal();
  const { db } = portal.server.stores;
  token = await portal.sessionOf('admin');
  const logger = await db
    .updateTable('loggers')
    .set({ token_hash: hashToken(TEST_PASSWORD) })
    .where('sn', '=', LOGGER)
    .returning('site_id')
    .executeTakeFirstOrThrow();
  stationID = logger.site_id ?? '';
  edge = await TestEdge.connect(portal.server.mqttPort ?? 0, LOGGER);
  edge.client.on('message', (topic, bytes) => {
    const sn = topic.split('/').at(-1) ?? '';
    const { id, settings } = parseCommand(decodePayload(bytes));
    const wanted = settings.find(({ name }) => name === 'Setting/ActivePowerLimit')?.value;
    if (id === undefined || typeof wanted !== 'number') return;
    const answer = () => {
      limits.set(sn, wanted);
      const sent = edge.send('DDATA', sn, [
        { name: CommandName.resultId, datatype: DataType.String, value: id },
        { name: CommandName.resultCode, datatype: DataType.Int32, value: 0 },
        limitMetric(wanted),
      ]);
      // What is asked while the test ends is answered to nobody.
      sent.catch(() => undefined);
    };
    if (sn === silent) unsaid.push(answer);
    else answer();
  });
  await edge.birth([
    { name: 'Properties/Profile', datatype: DataType.String, value: 'PV-1' },
    { name: 'Report/Interval', datatype: DataType.Int32, value: 1 },
  ]);
  for (const sn of [A, B])
    await edge.deviceBirth(sn, 'inverter', [
      float('Rating/ActivePower', 20_000),
      float('AC/ActivePower', 18_000),
      limitMetric(100),
    ]);
  await edge.deviceBirth(METER, 'meter', [float('Meter/ActivePower', -30_000)]);
  await tell({ [A]: 18_000, [B]: 18_000 }, -30_000);
});
afterAll(async () => {
  await edge?.end();
  await portal?.stop();
});

const shown = async () => (await portal.call(gridLimit, { stationID }, { token })).result;
const steps = async () => (await portal.call(dispatches, { condition: { stationID } }, { token })).result?.data ?? [];

test('the portal limits inverters to what may be sold, follows their values, and says why; each step is confirmed by its inverter', async () => {
  await vi.waitFor(async () => expect((await shown())?.gridW).toBe(-30_000), 40_000);
  expect(
    await portal.call(setGridLimit, { stationID, controller: 'portal', exportLimitW: 10_000 }, { token }),
  ).toMatchObject({
    errno: 0,
  });
  // The house draws 6 kW, 10 may be sold.
  await vi.waitFor(() => expect([...limits.values()].reduce((sum, each) => sum + each, 0)).toBe(79), 40_000);
  await vi.waitFor(async () => {
    const view = await shown();
    expect(view?.units.map(({ limitPercent, pendingPercent }) => [limitPercent, pendingPercent])).toEqual([
      [limits.get(A), null],
      [limits.get(B), null],
    ]);
    expect(view).toMatchObject({
      controller: 'portal',
      exportLimitW: 10_000,
      setBy: 'admin',
      last: { reason: 'lowered' },
    });
  }, 40_000);
  expect(await steps()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ deviceSN: A, reason: 'lowered', gridW: -30_000, fromPercent: 100, state: 'confirmed' }),
    ]),
  );
  // The house begins to draw 14 kW more. What it drew just before is kept free until that is ten seconds ago.
  await vi.waitFor(
    async () => {
      await tell({ [A]: 8_000, [B]: 7_800 }, 4_200);
      expect(Math.min(...limits.values())).toBeGreaterThan(70);
    },
    { timeout: 80_000, interval: 1_000 },
  );
  // What is measured stays as it was told while the inverters follow, so that another step may come after it.
  await vi.waitFor(
    async () =>
      expect(await steps()).toEqual(
        expect.arrayContaining([expect.objectContaining({ reason: 'raised', state: 'confirmed' })]),
      ),
    40_000,
  );
}, 240_000);

test('while one inverter does not answer, the other takes what it leaves', async () => {
  silent = A;
  await vi.waitFor(
    async () => {
      await tell({ [A]: 15_000, [B]: 15_000 }, -29_000);
      expect(limits.get(B)).toBeLessThan(30);
    },
    { timeout: 80_000, interval: 1_000 },
  );
  silent = undefined;
  for (const answer of unsaid.splice(0)) answer();
}, 120_000);

test('the end of a limit lets all inverters give what they can', async () => {
  expect(await portal.call(releaseGridLimit, { stationID }, { token })).toMatchObject({ errno: 0 });
  await vi.waitFor(() => expect([...limits.values()]).toEqual([100, 100]), 40_000);
  expect(await shown()).toMatchObject({ controller: null, exportLimitW: null });
});

test('what somebody has set an inverter to bounds the control, and stands again once nobody holds the limit any more, however that ended', async () => {
  const { db } = portal.server.stores;
  const { id = '' } = (await db.selectFrom('devices').select('id').where('sn', '=', A).executeTakeFirst()) ?? {};
  const values = [{ name: 'Setting/ActivePowerLimit', value: 60 }];
  expect(await portal.call(write, { id, values }, { token })).toMatchObject({ errno: 0 });
  await vi.waitFor(() => expect(limits.get(A)).toBe(60), 40_000);
  const limit = { stationID, controller: 'portal' as const, exportLimitW: 10_000 };
  expect(await portal.call(setGridLimit, limit, { token })).toMatchObject({ errno: 0 });
  await tell({ [A]: 12_000, [B]: 18_000 }, -29_000);
  await vi.waitFor(() => expect(Math.max(...limits.values())).toBeLessThan(45), 40_000);
  await vi.waitFor(
    async () => expect((await shown())?.units.map(({ pendingPercent }) => pendingPercent)).toEqual([null, null]),
    40_000,
  );
  // As where its plant is deleted.
  await db.deleteFrom('grid_controls').where('site_id', '=', stationID).execute();
  await vi.waitFor(
    async () => {
      // It is looked each minute whose limits are left over, and now; whoever is being told something is left for the next time.
      await portal.call(releaseGridLimit, { stationID }, { token });
      expect([limits.get(A), limits.get(B)]).toEqual([60, 100]);
    },
    { timeout: 40_000, interval: 500 },
  );
});

test('an inverter that was away while a limit ended and was set anew is not told first that it may give all', async () => {
  const { db } = portal.server.stores;
  const limit = { stationID, controller: 'portal' as const, exportLimitW: 10_000 };
  await tell({ [A]: 12_000, [B]: 18_000 }, -29_000);
  expect(await portal.call(setGridLimit, limit, { token })).toMatchObject({ errno: 0 });
  await vi.waitFor(() => expect(Math.max(...limits.values())).toBeLessThan(45), 40_000);
  await edge.send('DDEATH', A, []);
  await vi.waitFor(
    async () => expect((await shown())?.units.find(({ deviceSN }) => deviceSN === A)?.state).toBe('offline'),
    40_000,
  );
  const waiting = () =>
    db
      .selectFrom('commands')
      .innerJoin('devices', 'devices.id', 'commands.device_id')
      .select('commands.content')
      .where('devices.sn', '=', A)
      .where('commands.state', '=', 'queued')
      .execute();
  expect(await portal.call(releaseGridLimit, { stationID }, { token })).toMatchObject({ errno: 0 });
  expect(await waiting()).toMatchObject([{ content: { values: { 'Setting/ActivePowerLimit': 60 } } }]);
  expect(await portal.call(setGridLimit, limit, { token })).toMatchObject({ errno: 0 });
  expect(await waiting()).toEqual([]);
  expect(await portal.call(releaseGridLimit, { stationID }, { token })).toMatchObject({ errno: 0 });
});

test('a plant without an inverter, or with two and no EMS unit, cannot hold a limit by a device', async () => {
  expect(
    await portal.call(setGridLimit, { stationID, controller: 'device', exportLimitW: 10_000 }, { token }),
  ).toMatchObject({ errno: errno.gridLimitImpossible });
});

test('an owner sees the limit and sets none', async () => {
  const { db } = portal.server.stores;
  const own = await db
    .selectFrom('sites')
    .innerJoin('accounts', 'accounts.id', 'sites.owner_account_id')
    .where('accounts.username', '=', 'owner')
    .select('sites.id')
    .executeTakeFirstOrThrow();
  const owner = await portal.sessionOf('owner');
  expect(await portal.call(gridLimit, { stationID: own.id }, { token: owner })).toMatchObject({
    errno: 0,
    result: { can: { edit: false } },
  });
});
