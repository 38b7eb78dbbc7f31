import { emsEndpoints } from '@sonnenwarte/contract/ems/ems';
import { errno } from '@sonnenwarte/contract/errors';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hashToken } from '../broker/credentials.ts';
import { TestEdge } from '../testing/edge.ts';
import { TEST_PASSWORD } from '../testing/ingestion.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const { exportDispatches, gridLimit, setGridLimit, releaseGridLimit } = emsEndpoints;
const LOGGER = '302308040000044';
const INVERTER = 'H10T2308A0444';

let portal: TestPortal;
let edge: TestEdge;
let token: string;
let stationID: string;
let deviceID: string;

const set = (exportLimitW: number, of = token) =>
  portal.call(setGridLimit, { stationID, controller: 'device', exportLimitW }, { token: of });
const commands = () =>
  portal.server.stores.db
    .selectFrom('commands')
    .select(['id', 'state', 'content'])
    .where('device_id', '=', deviceID)
    .orderBy('created_at')
    .execute();
const open = async () => (await commands()).filter(({ state }) => ['queued', 'sent', 'acknowledged'].includes(state));

// The only inverter of its plant, which takes at most 40 kW and answers nothing.
beforeAll(async () => {
  portal = await startTestPortal();
  const { db } = portal.server.stores;
  token = await portal.sessionOf('admin');
  const { site_id } = await db
    .updateTable('loggers')
    .set({ token_hash: hashToken(TEST_PASSWORD) })
    .where('sn', '=', LOGGER)
    .returning('site_id')
    .executeTakeFirstOrThrow();
  stationID = site_id ?? '';
  edge = await TestEdge.connect(portal.server.mqttPort ?? 0, LOGGER);
  await edge.birth([{ name: 'Properties/Profile', datatype: DataType.String, value: 'PV-1' }]);
  await edge.deviceBirth(INVERTER, 'inverter', [
    { name: 'Rating/ActivePower', datatype: DataType.Float, value: 10_000 },
    { name: 'AC/ActivePower', datatype: DataType.Float, value: 4_000 },
    { name: 'Setting/ExportLimit', datatype: DataType.UInt32, value: 30_000 },
  ]);
  await vi.waitFor(async () => {
    const { result } = await portal.call(gridLimit, { stationID }, { token });
    expect(result?.device).toMatchObject({ deviceSN: INVERTER, exportLimitW: 30_000 });
  }, 40_000);
  const found = await db
    .updateTable('devices')
    .set({ model: 'SW-H10T' })
    .where('sn', '=', INVERTER)
    .returning('id')
    .executeTakeFirstOrThrow();
  deviceID = found.id;
});
afterAll(async () => {
  await edge?.end();
  await portal?.stop();
});

test('more than the device takes is refused with its bound, and nothing is sent', async () => {
  expect(await set(5_000_000)).toMatchObject({
    errno: errno.refusedInput,
    result: { fields: [{ path: 'exportLimitW', reason: 'too_big', params: { max: 40_000 } }] },
  });
  expect(await commands()).toEqual([]);
  expect((await portal.call(gridLimit, { stationID }, { token })).result?.controller).toBeNull();
});

test('what was ordered before and has not been sent makes way for what is ordered now; at most two are open', async () => {
  for (const exportLimitW of [9_000, 8_000, 7_000, 6_000]) expect(await set(exportLimitW)).toMatchObject({ errno: 0 });
  const left = await open();
  expect(left.length).toBeLessThanOrEqual(2);
  expect(left.at(-1)?.content.values).toEqual({ 'Setting/ExportLimit': 6_000 });
});

test('two do not set it at once, and the audit entry of an order says where it came from', async () => {
  const { db } = portal.server.stores;
  const other = await portal.sessionOf('distributor');
  expect(await set(5_000, other)).toMatchObject({ errno: errno.settingBeingWritten, result: { by: 'Admin' } });
  const entry = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'commands.order')
    .where('record_id', '=', deviceID)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  expect(entry).toMatchObject({ address: '127.0.0.1', request_id: expect.stringMatching(/./) });
});

test('a file of the steps of one plant tells times by the clock of that plant, one of many by that of whoever asks', async () => {
  const { db } = portal.server.stores;
  await db.updateTable('sites').set({ time_zone: 'Asia/Kolkata' }).where('id', '=', stationID).execute();
  const headerOf = async (condition: { stationID?: string }) =>
    (await portal.fetch(exportDispatches, { format: 'csv', columns: ['atMs'], condition }, { token })).text();
  expect(await headerOf({ stationID })).toContain('(Asia/Kolkata)');
  expect(await headerOf({})).toContain('(Europe/Berlin)');
});

test('the end of the limit takes back what waits', async () => {
  expect(await portal.call(releaseGridLimit, { stationID }, { token })).toMatchObject({ errno: 0 });
  expect((await open()).filter(({ state }) => state === 'queued')).toEqual([]);
});
