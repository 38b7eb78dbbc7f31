import type { SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TestEdge } from '../testing/edge.ts';
import { makePlant, type TestPlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { casesOf } from '../testing/thoroughness.ts';

const own = ownIngestion();

interface Reading {
  tsMs: number;
  values: Record<string, number>;
}

let lastDevice = 0;

/** Sends readings in the given order as history and waits until they are accounted. */
async function account(
  plant: TestPlant,
  order: readonly Reading[],
  parts = 1,
  birth: SparkplugMetric[] = [],
): Promise<string> {
  lastDevice += 1;
  const device = `ACC-${lastDevice}`;
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  await edge.birth();
  await edge.deviceBirth(device, 'inverter', birth);
  const size = Math.ceil(order.length / parts);
  for (let at = 0; at < order.length; at += size) {
    const part = order.slice(at, at + size);
    await Promise.all(
      part.map(({ tsMs, values }) => edge.data(device, values, { timestampMs: tsMs, historical: true })),
    );
    await own.ingestion.drain();
  }
  await edge.end();
  return device;
}

interface Bucket {
  ts: number;
  pv: number | null;
  ac: number | null;
  pvW: number | null;
  samples: number;
}

async function bucketsOf(device: string): Promise<Bucket[]> {
  return own.rows<Bucket>(
    `SELECT toUInt32(ts) AS ts, round(pv_wh, 6) AS pv, round(ac_out_wh, 6) AS ac, round(pv_w, 2) AS pvW, samples
     FROM device_5m FINAL WHERE device = ${await own.keyOf(device)} AND (samples > 0 OR NOT isNaN(pv_wh)) ORDER BY ts`,
  );
}

/** Below this a counter that starts anew cannot be told from one that trembles by its resolution. */
const TREMBLING_WH = 5_000;

/** A device of two powers and one counter that now and then reports nothing, or not its counter, for a while, tells an odd value of it, and starts it anew. */
const series = fc
  .array(
    fc.record({
      stepMs: fc.oneof(fc.integer({ min: 20_000, max: 400_000 }), fc.integer({ min: 1_500_000, max: 9_000_000 })),
      powerW: fc.integer({ min: 0, max: 6_000 }),
      gainWh: fc.integer({ min: 0, max: 50 }),
      hasCounter: fc.integer({ min: 0, max: 3 }).map((die) => die > 0),
      isReset: fc.integer({ min: 0, max: 12 }).map((die) => die === 0),
      oddKwh: fc.integer({ min: 0, max: 14 }).map((die) => [0, 4_294_967.295][die]),
      order: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 5, maxLength: 60 },
  )
  .map((steps) => {
    let tsMs = bucketStart(Date.now()) - 40 * 86_400_000;
    let counterWh = 100_000;
    return steps.map(({ stepMs, powerW, gainWh, hasCounter, isReset, oddKwh, order }) => {
      tsMs += stepMs;
      counterWh = (isReset && counterWh > TREMBLING_WH ? 0 : counterWh) + gainWh;
      return {
        order,
        tsMs,
        values: {
          'DC/Power': powerW,
          'AC/ActivePower': powerW,
          ...(hasCounter && { 'Energy/PvTotal': oddKwh ?? counterWh / 1_000 }),
        },
      };
    });
  });

/** The fourth reading is accounted before the third, which lies in an hour that is no longer kept but reaches into one that is. */
const lateByMoreThanAnHour = [0, 20_000, 1_520_000, 5_120_001, 5_140_001].map((offsetMs, index) => ({
  order: [0, 1, 3, 2, 4][index] ?? 0,
  tsMs: bucketStart(Date.now()) - 40 * 86_400_000 + offsetMs,
  values: { 'DC/Power': 0, 'AC/ActivePower': 0, 'Energy/PvTotal': index < 3 ? 100 : 100.001 },
}));

/** The second reading comes last: what its counter gained by the fourth is counted from there, since the third is held back. */
const heldBackBetween = [
  [0, 0, 100.047],
  [9, 400_000, 100.077],
  [1, 420_000, 0.046],
  [2, 5_199_000, 0.08],
  [3, 11_008_000, 0.092],
].map(([order = 0, offsetMs = 0, kwh = 0]) => ({
  order,
  tsMs: bucketStart(Date.now()) - 40 * 86_400_000 + offsetMs,
  values: { 'DC/Power': 1_000, 'AC/ActivePower': 1_000, 'Energy/PvTotal': kwh },
}));

/** The only reading of the counter comes last: until then the power was integrated. */
const firstReadingLast = [0, 600_000, 1_200_000, 9_000_000, 9_600_000].map((offsetMs, index) => ({
  order: index === 0 ? 1 : index / 10,
  tsMs: bucketStart(Date.now()) - 40 * 86_400_000 + offsetMs,
  values: { 'DC/Power': 3_000, 'AC/ActivePower': 3_000, ...(index === 0 && { 'Energy/PvTotal': 100 }) },
}));

/** The fifth row comes last, without a counter: what is accounted anew around it begins at the second, which is not the counter's first. */
const unreadBeforeReset = [
  [0, 0, 100.045],
  [1, 7_000_000, 100.058],
  [2, 15_600_000, undefined],
  [3, 16_000_000, 0.043],
  [6, 20_300_000, undefined],
  [4, 20_600_000, 0.073],
  [5, 21_300_000, 0.14],
].map(([order = 0, offsetMs = 0, kwh]) => ({
  order,
  tsMs: bucketStart(Date.now()) - 40 * 86_400_000 + offsetMs,
  values: { 'DC/Power': 1_000, 'AC/ActivePower': 1_000, ...(kwh !== undefined && { 'Energy/PvTotal': kwh }) },
}));

describe('late data', () => {
  test('samples in any order and in any portions account to the same buckets as in order', async () => {
    await fc.assert(
      fc.asyncProperty(series, fc.integer({ min: 1, max: 4 }), async (readings, parts) => {
        const plant = await makePlant(own.stores.db);
        const shuffled = [...readings].sort((a, b) => a.order - b.order);
        const inOrder = await bucketsOf(await account(plant, readings));
        const late = await bucketsOf(await account(plant, shuffled, parts));
        expect(late).toEqual(inOrder);
        expect(inOrder.length).toBeGreaterThan(0);
      }),
      {
        numRuns: casesOf(5, 8),
        endOnFailure: true,
        examples: [
          [lateByMoreThanAnHour, 3],
          [heldBackBetween, 3],
          [firstReadingLast, 2],
          [unreadBeforeReset, 7],
        ],
      },
    );
  });

  test('a late sample hours after a counter started anew does not take what it recovers', async () => {
    const startMs = bucketStart(Date.now()) - 20 * 86_400_000;
    const kwh = {
      0: 100,
      20: 100.05,
      40: 0,
      60: 0.001,
      120: 0.002,
      180: 0.003,
      240: 0.004,
      300: 0.005,
      320: 100.5,
      340: 100.55,
    };
    const readings = Object.entries(kwh).map(([minute, total]) => ({
      tsMs: startMs + Number(minute) * 60_000,
      values: { 'DC/Power': 1_000, 'Energy/PvTotal': total },
    }));
    const plant = await makePlant(own.stores.db);
    // Its value is a row of the present, of which nothing is told here.
    const rated: SparkplugMetric[] = [{ name: 'Rating/ActivePower', value: 6_000 }];
    const before = async (device: string) =>
      (await bucketsOf(device)).filter(({ ts }) => ts * 1_000 < startMs + 86_400_000);
    const inOrder = await before(await account(plant, readings, 1, rated));
    const last = readings.filter(({ values }) => values['Energy/PvTotal'] === 0.005);
    const late = await before(
      await account(plant, [...readings.filter((each) => !last.includes(each)), ...last], 9, rated),
    );
    expect(inOrder.reduce((sum, { pv }) => sum + (pv ?? 0), 0)).toBeCloseTo(550, 3);
    expect(late).toEqual(inOrder);
  });

  test('a sample that comes late corrects hour and day of its site', async () => {
    const plant = await makePlant(own.stores.db);
    const startMs = bucketStart(Date.now()) - 10 * 86_400_000;
    const reading = (step: number, kwh: number): Reading => ({
      tsMs: startMs + step * 600_000,
      values: { 'Energy/PvTotal': kwh, 'DC/Power': 600 },
    });
    const device = await account(plant, [reading(0, 10), reading(1, 10.1), reading(2, 10.2)]);
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    await edge.birth();
    await edge.deviceBirth(device, 'inverter');
    await edge.data(device, reading(3, 10.4).values, { timestampMs: reading(3, 0).tsMs, historical: true });
    await own.ingestion.drain();
    const sum = `sumIf(pv_wh, NOT isNaN(pv_wh)) AS wh`;
    for (const table of ['site_5m', 'site_hour', 'site_day']) {
      const [found] = await own.rows<{ wh: number }>(`SELECT ${sum} FROM ${table} FINAL WHERE site = ${plant.siteKey}`);
      expect(found?.wh).toBeCloseTo(400, 6);
    }
    await edge.end();
  });
});

describe('plant-local days', () => {
  test.each([
    ['2026-03-29', 23],
    ['2025-10-26', 25],
  ])('%s in Berlin has %i hours whose energies add up to the day', async (day, hours) => {
    const plant = await makePlant(own.stores.db);
    const { startMs, endMs } = dayBounds(day, 'Europe/Berlin');
    const readings: Reading[] = [];
    for (let tsMs = startMs - 300_000; tsMs <= endMs + 300_000; tsMs += 300_000) {
      readings.push({ tsMs, values: { 'Energy/PvTotal': 1_000 + (tsMs - startMs) / 3_600_000 } });
    }
    await account(plant, readings);
    const found = await own.rows<{ wh: number }>(
      `SELECT pv_wh AS wh FROM site_hour FINAL WHERE site = ${plant.siteKey} AND day = '${day}' ORDER BY ts`,
    );
    expect(found).toHaveLength(hours);
    for (const { wh } of found) expect(wh).toBeCloseTo(1_000, 3);
    const [whole] = await own.rows<{ wh: number; income: string | null }>(
      `SELECT pv_wh AS wh FROM site_day FINAL WHERE site = ${plant.siteKey} AND day = '${day}'`,
    );
    expect(whole?.wh).toBeCloseTo(hours * 1_000, 3);
  });
});

describe('counters', () => {
  test('a counter that starts anew adds no energy at the joint and leaves an event', async () => {
    const plant = await makePlant(own.stores.db);
    const startMs = bucketStart(Date.now()) - 5 * 86_400_000;
    const kwh = [5_000, 5_000.1, 0, 0.1, 0.2, 0.3];
    const readings = kwh.map((value, step) => ({
      tsMs: startMs + step * 300_000,
      values: { 'Energy/PvTotal': value },
    }));
    const device = await account(plant, readings);
    const total = (await bucketsOf(device)).reduce((sum, bucket) => sum + (bucket.pv ?? 0), 0);
    expect(total).toBeCloseTo(400, 3);
    const events = await own.stores.db
      .selectFrom('device_events')
      .innerJoin('devices', 'devices.id', 'device_events.device_id')
      .select(['device_events.kind'])
      .where('devices.sn', '=', device)
      .execute();
    expect(events).toEqual([{ kind: 'counter-reset' }]);
  });
});

describe('money', () => {
  test('a day has its income and saving at the prices of the site, and none without prices', async () => {
    const startMs = bucketStart(Date.now()) - 3 * 86_400_000;
    const readings = [0, 1, 2].map((step) => ({
      tsMs: startMs + step * 300_000,
      values: {
        'Energy/PvTotal': 100 + step,
        'Energy/AcOutTotal': 100 + step,
        'Energy/AcInTotal': 1,
        'Energy/LoadTotal': 50 + step / 4,
      },
    }));
    for (const prices of [true, false]) {
      const plant = await makePlant(own.stores.db, { prices });
      await account(plant, readings);
      const [day] = await own.rows<{ income: string | null; saving: string | null; exported: number }>(
        `SELECT toString(income) AS income, toString(saving) AS saving, export_wh AS exported
         FROM site_day FINAL WHERE site = ${plant.siteKey} AND pv_wh > 0`,
      );
      expect(day?.exported).toBeCloseTo(1_500, 6);
      expect(day === undefined ? [] : [day.income, day.saving]).toEqual(prices ? ['0.12', '0.15'] : [null, null]);
    }
  });
});
