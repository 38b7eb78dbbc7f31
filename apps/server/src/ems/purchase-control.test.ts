import { emsEndpoints } from '@sonnenwarte/contract/ems/ems';
import { errno } from '@sonnenwarte/contract/errors';
import { settingsEndpoints } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { BatteryField, type FieldInverter } from '../testing/battery-field.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const { gridLimit, setGridLimit, releaseGridLimit, dispatches } = emsEndpoints;
const LOGGER = '302311060000066';
const LIMIT_W = 10_000;
const OWN = { 'Setting/WorkMode': 1, 'Setting/PeakLimit': 30_000, 'Setting/DischargePower': 7_500 } as const;

let portal: TestPortal;
let field: BatteryField;
let token: string;
let stationID: string;

const inverter = (number: number, socPercent: number): FieldInverter => ({
  sn: `H10T2311A066${number}`,
  batterySn: `B1523110066${number}`,
  ratedW: 10_000,
  socPercent,
  batteryW: 0,
  isThere: true,
  settings: new Map(
    Object.entries({ ...OWN, 'Setting/MinSoc': 10, 'Setting/ActivePowerLimit': 100, 'Setting/ParallelMode': 0 }),
  ),
});

const shown = async () => {
  const { result } = await portal.call(gridLimit, { stationID }, { token });
  if (result === null) throw new Error('the grid point is not shown');
  return result;
};
const steps = async () =>
  (await portal.call(dispatches, { condition: { stationID }, pageSize: 50 }, { token })).result?.data ?? [];
const settingsOf = (name: string) => field.inverters.map(({ settings }) => settings.get(name));
const limit = {
  controller: 'portal',
  exportLimitW: null,
  purchaseController: 'portal',
  purchaseLimitW: LIMIT_W,
} as const;

/** A second of the plant, told and seen, with everything answered that was ordered. */
async function second(): Promise<void> {
  field.run();
  await field.tell();
  await vi.waitFor(
    async () => {
      const { gridW, units } = await shown();
      expect(gridW).toBeCloseTo(field.gridW, 0);
      expect(units.map(({ battery }) => battery?.pendingW ?? null)).toEqual([null, null, null]);
    },
    { timeout: 40_000, interval: 100 },
  );
}

/** After how many seconds of the plant no more is bought than may be, and that stays so. */
async function secondsUntilHeld(): Promise<number> {
  let last = 0;
  for (let count = 1; count <= 11; count += 1) {
    await second();
    if (field.gridW > LIMIT_W * 1.03) last = count;
  }
  return last;
}

beforeAll(async () => {
  portal = await startTestPortal();
  token = await portal.sessionOf('admin');
  field = await BatteryField.start(portal, LOGGER, 'M3T2311000661', [
    inverter(1, 80),
    inverter(2, 60),
    inverter(3, 45),
  ]);
  stationID = field.siteId;
  await vi.waitFor(async () => {
    const { gridW, purchase, units } = await shown();
    expect(gridW).toBe(8_000);
    expect(purchase.obstacles.portal).toBeNull();
    expect(units.map(({ battery }) => battery?.socPercent)).toEqual([80, 60, 45]);
  }, 40_000);
});
afterAll(async () => {
  await field?.edge.end();
  await portal?.stop();
});

test('what cannot be is refused with its reason: nothing limited, a device for several inverters, no battery, more than inverters take', async () => {
  const set = (input: Partial<Parameters<typeof portal.call<typeof setGridLimit>>[1]>) =>
    portal.call(setGridLimit, { stationID, ...limit, ...input }, { token });
  expect(await set({ purchaseLimitW: null })).toMatchObject({ errno: errno.refusedInput });
  expect(await set({ purchaseController: 'device' })).toMatchObject({
    errno: errno.purchaseLimitImpossible,
    result: { obstacle: 'noHolder' },
  });
  expect(await set({ purchaseLimitW: 40_001 })).toMatchObject({
    errno: errno.refusedInput,
    result: { fields: [{ path: 'purchaseLimitW', params: { max: 40_000 } }] },
  });
  const { id } = await portal.server.stores.db
    .selectFrom('sites')
    .select('id')
    .where('name', '=', 'Kapas Weaving Shed')
    .executeTakeFirstOrThrow();
  expect(await set({ stationID: id })).toMatchObject({ result: { obstacle: 'noBattery' } });
  expect((await shown()).purchase).toMatchObject({ controller: null, limitW: null, mostW: { portal: 40_000 } });
});

test('every inverter with a battery is made to shave peaks, one of them in the lead, and each step says why', async () => {
  expect(await portal.call(setGridLimit, { stationID, ...limit }, { token })).toMatchObject({ errno: 0 });
  await vi.waitFor(() => expect(settingsOf('Setting/WorkMode')).toEqual([5, 5, 5]), 40_000);
  expect([...settingsOf('Setting/PeakLimit')].sort()).toEqual([9_800, 9_800, 9_900]);
  await vi.waitFor(
    async () =>
      expect(await steps()).toEqual(
        field.inverters.map(() =>
          expect.objectContaining({ reason: 'peakBegun', state: 'confirmed', toPercent: null, toW: 7_500 }),
        ),
      ),
    40_000,
  );
  expect(await shown()).toMatchObject({
    controller: null,
    setBy: 'admin',
    purchase: { controller: 'portal', limitW: LIMIT_W, shortfall: null, last: { reason: 'peakBegun' } },
  });
});

test('no more is bought than 3 percent above the limit ten seconds after the load has changed', async () => {
  for (const loadW of [24_000, 14_000, 27_000]) {
    field.loadW = loadW;
    expect(await secondsUntilHeld()).toBeLessThanOrEqual(10);
    expect(field.gridW).toBeGreaterThan(Math.min(loadW, LIMIT_W * 0.95) - 1);
  }
  const told = await steps();
  expect(new Set(told.map(({ state }) => state))).toEqual(new Set(['confirmed']));
  expect(told.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['peakLowered']));
}, 400_000);

test('the share of an inverter that is away goes to the others', async () => {
  const [away] = field.inverters;
  if (away === undefined) throw new Error('there is no inverter');
  away.isThere = false;
  for (const sn of [away.sn, away.batterySn]) await field.edge.send('DDEATH', sn, []);
  field.loadW = 21_000;
  expect(await secondsUntilHeld()).toBeLessThanOrEqual(10);
  expect((await shown()).units.map(({ battery: of }) => of?.part)).toEqual(['away', 'holds', 'holds']);
}, 200_000);

test('where the batteries are empty it says that the limit cannot be held, and how much is missing', async () => {
  for (const each of field.inverters) each.socPercent = 10;
  field.loadW = 16_000;
  await second();
  await vi.waitFor(
    async () => expect((await shown()).purchase.shortfall).toEqual({ missingW: 6_000, why: 'empty' }),
    40_000,
  );
  for (const each of field.inverters) each.socPercent = 70;
  await second();
  await vi.waitFor(async () => expect((await shown()).purchase.shortfall?.why ?? null).not.toBe('empty'), 40_000);
}, 120_000);

test('what somebody sets an inverter to counts: it takes no part any more, and keeps that at the end, while the others get back what they had', async () => {
  const { db } = portal.server.stores;
  const own = field.inverters[1];
  if (own === undefined) throw new Error('there is no inverter');
  const { id } = await db.selectFrom('devices').select('id').where('sn', '=', own.sn).executeTakeFirstOrThrow();
  const values = [{ name: 'Setting/WorkMode', value: 3 }];
  expect(await portal.call(settingsEndpoints.write, { id, values }, { token })).toMatchObject({ errno: 0 });
  await vi.waitFor(async () => {
    expect(own.settings.get('Setting/WorkMode')).toBe(3);
    expect((await shown()).units[1]?.battery?.part).toBe('own');
  }, 40_000);
  await second();
  expect(own.settings.get('Setting/WorkMode')).toBe(3);
  expect(await portal.call(releaseGridLimit, { stationID }, { token })).toMatchObject({ errno: 0 });
  const [, , other] = field.inverters;
  await vi.waitFor(() => {
    expect(own.settings.get('Setting/PeakLimit')).toBe(OWN['Setting/PeakLimit']);
    expect(own.settings.get('Setting/DischargePower')).toBe(OWN['Setting/DischargePower']);
    expect(Object.fromEntries(other?.settings ?? [])).toMatchObject(OWN);
  }, 40_000);
  expect(own.settings.get('Setting/WorkMode')).toBe(3);
  expect((await shown()).purchase).toMatchObject({ controller: null, limitW: null });
  // The one that was away is told once it is back.
  const [away] = field.inverters;
  if (away === undefined) throw new Error('there is no inverter');
  away.isThere = true;
  await field.birthOf(away);
  await vi.waitFor(() => expect(Object.fromEntries(away.settings)).toMatchObject(OWN), 40_000);
}, 200_000);

test('a device that measures for all holds the limit by itself, and gets back what it had', async () => {
  const { db } = portal.server.stores;
  const single: FieldInverter = {
    ...inverter(1, 50),
    sn: 'H10T2308A0444',
    batterySn: 'B10230800444',
    settings: new Map(Object.entries({ ...OWN, 'Setting/MinSoc': 20 })),
  };
  const alone = await BatteryField.start(portal, '302308040000044', 'M3T2308000444', [single]);
  const input = { stationID: alone.siteId, ...limit, purchaseController: 'device', purchaseLimitW: 4_000 } as const;
  await vi.waitFor(
    async () => expect(await portal.call(setGridLimit, input, { token })).toMatchObject({ errno: 0 }),
    40_000,
  );
  await vi.waitFor(() => {
    expect(single.settings.get('Setting/PeakLimit')).toBe(4_000);
    expect(single.settings.get('Setting/WorkMode')).toBe(5);
  }, 40_000);
  await vi.waitFor(async () => {
    const { result } = await portal.call(gridLimit, { stationID: alone.siteId }, { token });
    expect(result).toMatchObject({ purchase: { controller: 'device', limitW: 4_000 }, device: { peakLimitW: 4_000 } });
  }, 40_000);
  // As where its plant is deleted: it is looked each minute what is left over, and whenever a limit is set.
  await db.deleteFrom('grid_controls').where('site_id', '=', alone.siteId).execute();
  await vi.waitFor(
    async () => {
      await portal.call(setGridLimit, { stationID, ...limit }, { token });
      expect(Object.fromEntries(single.settings)).toMatchObject(OWN);
    },
    { timeout: 40_000, interval: 500 },
  );
  await alone.edge.end();
}, 200_000);
