import { workModeEndpoints } from '@sonnenwarte/contract/work-modes/work-modes';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemScope } from '../access/scope.ts';
import { ClearDays } from '../forecast/recorded-days.ts';
import { keepPrices, noteSources } from '../market-prices/market-prices.store.ts';
import { changePrices } from '../sites/prices.service.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { planDays } from './follow-round.ts';
import { PlanRecords } from './plan-records.ts';

const { followed, follow, unfollow } = workModeEndpoints;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A Monday; the clock of the plants is that of UTC. */
const midnightMs = Date.parse('2026-06-15T00:00:00Z');
const at = (hour: number): number => midnightMs + hour * HOUR_MS;
const notEnding = new AbortController().signal;
const settings = {
  'Setting/WorkMode': 1,
  'Setting/MinSoc': 10,
  'Setting/Schedule': [],
  'Setting/ChargePower': 4_000,
  'Setting/DischargePower': 4_000,
};

let fixture: PlantsFixture;
let planning: Parameters<typeof planDays>[0];
let token: string;
let stationID: string;
let siteKey: number;
let inverter: string;
let zones = 0;
let zone: string;

const CHEAP = 10_000;
const MIDDLING = 100_000;
const DEAR = 300_000;
/** Cheap in the early morning, middling around noon, dear else. */
const usual = (hour: number): number => (hour >= 3 && hour < 6 ? CHEAP : hour >= 10 && hour < 15 ? MIDDLING : DEAR);

async function prices(day: number, priceAt: (hour: number) => number): Promise<void> {
  const micro = new Map<number, number>();
  for (let quarter = 0; quarter < 96; quarter += 1) {
    micro.set(midnightMs + day * DAY_MS + quarter * 15 * MINUTE_MS, priceAt(quarter / 4));
  }
  await keepPrices(fixture.db, zone, { currency: 'EUR', micro }, nowMs());
}
const nowMs = () => fixture.time.nowMs ?? 0;

/** Five minutes in which a house takes most in the evening, without sun and with a battery that does nothing. */
const bucket = (ts: number, factor = 1) => {
  const hour = new Date(ts).getUTCHours();
  const load_wh = (hour >= 17 && hour < 21 ? 150 : 30) * factor;
  return {
    site: siteKey,
    ts: ts / 1_000,
    version: 1,
    samples: 5,
    soc_percent: 40,
    pv_wh: 0,
    load_wh,
    import_wh: load_wh,
    export_wh: 0,
    charge_wh: 0,
    discharge_wh: 0,
  };
};
const recorded = (fromMs: number, untilMs: number, factor = 1) =>
  fixture.insert(
    'site_5m',
    Array.from({ length: (untilMs - fromMs) / (5 * MINUTE_MS) }, (_, place) =>
      bucket(fromMs + place * 5 * MINUTE_MS, factor),
    ),
  );

async function hasTold(values: Record<string, unknown>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const reported = JSON.stringify(value);
    await fixture.db
      .insertInto('device_settings')
      .values({ subject_id: inverter, name, reported, reported_at: new Date(nowMs()), reported_by: 'birth' })
      .onConflict((conflict) => conflict.columns(['subject_id', 'name']).doUpdateSet({ reported }))
      .execute();
  }
}

/** What the battery holds now; by default what the plan expects. */
async function charged(socPercent?: number): Promise<void> {
  const { expected } = await plan();
  const quarter = Math.floor((nowMs() - (expected?.fromMs ?? 0)) / (15 * MINUTE_MS)) - 1;
  await fixture.db
    .updateTable('site_latest')
    .set({ ts: new Date(nowMs()), soc_percent: socPercent ?? expected?.socPercent[quarter] ?? 20 })
    .where('site_id', '=', stationID)
    .execute();
}

const plan = () =>
  fixture.db.selectFrom('followed_plans').selectAll().where('site_id', '=', stationID).executeTakeFirstOrThrow();
const told = () => fixture.read(followed, { stationID }, token);
const steps = async () => (await told()).steps.map(({ reason, cause }) => [reason, cause]);
const commands = () =>
  fixture.db
    .selectFrom('commands')
    .selectAll()
    .where('device_id', '=', inverter)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
const look = () => planDays(planning, notEnding);

/** As the device had done what it was told. */
async function confirmed(): Promise<void> {
  for (const { content } of await commands()) await hasTold(content.values ?? {});
  await fixture.db
    .updateTable('commands')
    .set({ state: 'confirmed', done_at: new Date(nowMs()) })
    .where('device_id', '=', inverter)
    .execute();
}

/** It is so late, the device does what it is told, and its battery holds what was expected. */
async function itIs(hour: number): Promise<void> {
  fixture.time.nowMs = at(hour);
  await confirmed();
  await charged();
}

beforeAll(async () => {
  fixture = await PlantsFixture.start();
});
afterAll(() => fixture?.stop());
beforeEach(async () => {
  const { db } = fixture;
  const { client: telemetry } = fixture.stores.telemetry;
  fixture.time.nowMs = at(0) + 5 * MINUTE_MS;
  planning = {
    ...{ db, telemetry, nowMs, commands: fixture.commands, logger: pino({ level: 'silent' }) },
    records: new PlanRecords(db, telemetry, nowMs),
    forecast: { db, telemetry, nowMs, clearDays: new ClearDays(), weather: null },
  };
  const installer = await fixture.addInstaller();
  token = installer.token;
  const site = await fixture.addSite(installer.installerId, { time_zone: 'Etc/GMT', latest: { soc_percent: 20 } });
  stationID = site.id;
  siteKey = site.key;
  const logger = await fixture.addDatalogger(stationID);
  inverter = (await fixture.addDevice(stationID, logger.id, { rated_power_w: 8_000 })).id;
  const battery = await fixture.addDevice(stationID, logger.id, { kind: 'battery' });
  await db.updateTable('devices').set({ capacity_wh: 10_000 }).where('id', '=', battery.id).execute();
  await hasTold(settings);
  await recorded(midnightMs - 31 * DAY_MS, midnightMs);
  zones += 1;
  zone = `WITHIN${zones}`;
  await noteSources(db, [zone]);
  await changePrices(
    db,
    {
      ...{ scope: systemScope, source: {}, siteId: stationID, validFrom: 'beginning' },
      ...{ feedInPrice: '0.08', purchasePrice: null, currency: 'EUR' },
      purchaseMarket: { zone, markup: '0', vat: '0' },
    },
    nowMs(),
  );
  await prices(0, usual);
  await fixture.read(follow, { stationID, tradesWithGrid: true }, token);
  expect(await steps()).toEqual([
    ['cheapCharge', null],
    ['started', null],
  ]);
});

test('a day that goes as expected is looked at once an hour, and nothing is written', async () => {
  for (const hour of [2, 5, 9, 14]) {
    await itIs(hour);
    await recorded(at(hour) - HOUR_MS, at(hour));
    await look();
    expect((await plan()).look_at.getTime()).toBe(at(hour) + HOUR_MS);
  }
  expect(await steps()).toHaveLength(2);
  expect(await commands()).toHaveLength(1);
});

test('prices of tomorrow that come in the afternoon are planned with at once, where that saves enough', async () => {
  await itIs(14);
  await prices(1, (hour) => (hour < 3 ? CHEAP : 3 * DEAR));
  await look();
  expect(await steps()).toEqual([
    ['cheapCharge', 'prices'],
    ['cheapCharge', null],
    ['started', null],
  ]);
  const [step] = (await told()).steps;
  const window = step?.plan?.periods.find(({ action }) => action === 'gridCharge');
  expect(window?.endMin).toBeLessThanOrEqual(180);
  expect(step?.cheapest).toMatchObject({ startMin: 0 });
  expect((await commands()).at(-1)).toMatchObject({ state: 'queued', source: 'plan', ordered_by: null });
});

test('prices that change nothing are noted, and nothing is written', async () => {
  await itIs(14);
  await prices(1, usual);
  const before = (await plan()).expected;
  await look();
  expect(await steps()).toHaveLength(2);
  expect((await plan()).expected?.prices).not.toBe(before?.prices);
});

test('a battery that is emptier than expected is charged when it is still worth it, and the plan is made again once an hour at most', async () => {
  await itIs(10);
  await charged(15);
  await look();
  expect((await steps())[0]).toEqual(['cheapCharge', 'charge']);
  const window = (await told()).steps[0]?.plan?.periods.find(({ action }) => action === 'gridCharge');
  expect(window?.endMin).toBeGreaterThan(600);
  await prices(0, (hour) => (hour >= 12 && hour < 15 ? 0 : 2 * DEAR));
  fixture.time.nowMs = at(10) + 59 * MINUTE_MS;
  await look();
  expect(await steps()).toHaveLength(3);
  fixture.time.nowMs = at(11);
  await confirmed();
  await look();
  expect((await steps())[0]).toEqual(['cheapCharge', 'prices']);
});

test('a day on which more is taken than usual is planned for more', async () => {
  await itIs(10);
  await recorded(midnightMs, at(10), 3);
  await look();
  const [step] = (await told()).steps;
  expect(step).toMatchObject({ cause: 'consumption' });
  const usualWh = 12 * (10 * 30 + 4 * 150);
  expect(step?.demandWh).toBeCloseTo(2 * usualWh, -2);
});

test('who sets the device otherwise is not overwritten, also while a step of the portal is still on its way', async () => {
  fixture.time.nowMs = at(10);
  await charged(15);
  const desired = JSON.stringify(1);
  await fixture.db
    .updateTable('device_settings')
    .set({ desired, desired_since: new Date(at(9)), desired_source: 'hand' })
    .where('subject_id', '=', inverter)
    .where('name', '=', 'Setting/WorkMode')
    .execute();
  await look();
  expect((await told()).since).toBeNull();
  expect((await steps())[0]).toEqual(['changedElsewhere', null]);
  expect(await commands()).toHaveLength(1);
});

test('as long as somebody is setting the device nothing is planned; it is looked at again in ten minutes', async () => {
  await itIs(10);
  await charged(15);
  const { id: deviceID, logger_id: loggerID } = await fixture.db
    .selectFrom('devices')
    .selectAll()
    .where('id', '=', inverter)
    .executeTakeFirstOrThrow();
  await inTransaction(fixture.db, (tx) =>
    fixture.commands.order(tx, [
      {
        loggerID,
        deviceID,
        kind: 'write',
        content: { values: { 'Setting/MinSoc': 40 } },
        source: 'hand',
        orderedBy: null,
      },
    ]),
  );
  await look();
  expect(await steps()).toHaveLength(2);
  expect((await plan()).look_at.getTime()).toBe(at(10) + 10 * MINUTE_MS);
});

test('stopping brings back the plan from before, however often the day was planned', async () => {
  await itIs(10);
  await charged(15);
  await look();
  expect((await steps())[0]).toEqual(['cheapCharge', 'charge']);
  await confirmed();
  await fixture.read(unfollow, { stationID }, token);
  expect((await steps())[0]).toEqual(['stopped', null]);
  expect((await commands()).at(-1)?.content.values).toMatchObject({ 'Setting/WorkMode': 1, 'Setting/Schedule': [] });
  fixture.time.nowMs = at(13);
  await look();
  expect((await steps())[0]).toEqual(['stopped', null]);
});

test('a plan of the portal of a plant that is deleted waits', async () => {
  await itIs(10);
  await charged(15);
  await fixture.db
    .updateTable('sites')
    .set({ deleted_at: new Date(nowMs()) })
    .where('id', '=', stationID)
    .execute();
  await look();
  expect(await commands()).toHaveLength(1);
  expect((await plan()).look_at.getTime()).toBe(at(11));
});
