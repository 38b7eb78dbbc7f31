import { bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TestEdge } from '../testing/edge.ts';
import { makePlant, type TestPlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { casesOf } from '../testing/thoroughness.ts';

const own = ownIngestion();

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const startMs = bucketStart(Date.now()) - 20 * DAY_MS;

interface Reading {
  minute: number;
  values: Record<string, number>;
}

interface Device {
  plant: TestPlant;
  sn: string;
  kind: string;
  protocol: 'json' | 'sparkplug';
  /** First told by a birth. */
  isBorn?: boolean;
}

let lastDevice = 0;

async function deviceOf(kind: string, protocol: Device['protocol'] = 'json', plant?: TestPlant): Promise<Device> {
  lastDevice += 1;
  return { plant: plant ?? (await makePlant(own.stores.db)), sn: `CNT-${lastDevice}`, kind, protocol };
}

/** Sends readings as history, in the order given, and waits until they are accounted. */
async function send(device: Device, readings: readonly Reading[], fromMs = startMs): Promise<void> {
  const { plant, sn, kind, protocol } = device;
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  const rows = readings.map(({ minute, values }) => ({ tsMs: fromMs + Math.round(minute * MINUTE_MS), values }));
  if (protocol === 'sparkplug') {
    await edge.birth();
    await edge.deviceBirth(sn, kind);
    await Promise.all(rows.map(({ tsMs, values }) => edge.data(sn, values, { timestampMs: tsMs, historical: true })));
  } else {
    for (let at = 0; at < rows.length; at += 100) {
      const message = rows
        .slice(at, at + 100)
        .map(({ tsMs, values }) => ({ ts: tsMs, dev: sn, kind, hist: true, v: values }));
      await edge.client.publishAsync(`pv/v1/${plant.sn}/up`, JSON.stringify(message), { qos: 1 });
    }
  }
  await edge.end();
  await own.ingestion.drain();
}

async function restart(): Promise<void> {
  await own.restart();
  await own.ingestion.drain();
}

const deviceRow = (sn: string) =>
  own.stores.db
    .selectFrom('devices')
    .select(['key', 'rated_power_w', 'capacity_wh'])
    .where('sn', '=', sn)
    .executeTakeFirstOrThrow();

/** Energies of a device's buckets by minute since the start, without those that know nothing. */
async function bucketsOf({ sn }: Device, column = 'pv_wh', fromMs = startMs): Promise<[minute: number, wh: number][]> {
  const found = await own.rows<{ ts: number; wh: number }>(
    `SELECT toUInt32(ts) AS ts, round(${column}, 6) AS wh FROM device_5m FINAL
     WHERE device = ${(await deviceRow(sn)).key} AND NOT isNaN(${column}) ORDER BY ts`,
  );
  return found.map(({ ts, wh }) => [(ts * 1_000 - fromMs) / MINUTE_MS, wh]);
}

async function totalWh(device: Device, column = 'pv_wh'): Promise<number> {
  return (await bucketsOf(device, column)).reduce((sum, [, wh]) => sum + wh, 0);
}

const every = (minutes: number, count: number, valuesAt: (index: number) => Record<string, number>): Reading[] =>
  Array.from({ length: count }, (_, index) => ({ minute: index * minutes, values: valuesAt(index) }));

describe('what a channel can carry', () => {
  test('a small plant whose counter starts anew near a width of a register counts what it gave, not the way to the width', async () => {
    const device = await deviceOf('inverter');
    const kwh = [41.9, 41.92, 41.94, 41.94, 41.94, 0, 0, 0, 0.02];
    await send(
      device,
      every(5, kwh.length, (index) => ({ 'Energy/PvTotal': kwh[index] ?? 0, 'DC/Power': 250 })),
    );
    expect(await totalWh(device)).toBeCloseTo(60, 3);
  });

  test('a battery that reports every 15 minutes and is replaced does not pass a width either', async () => {
    const device = await deviceOf('battery');
    const kwh = [600.1, 600.4, 600.4, 1.2, 1.2, 1.5];
    await send(
      device,
      every(15, kwh.length, (index) => ({ 'Bat/ChargeTotal': kwh[index] ?? 0, 'Bat/Power': -1_200 })),
    );
    expect(await totalWh(device, 'charge_wh')).toBeCloseTo(600, 3);
  });

  test('ten kilowatt hours in a minute are none at a plant that gives five kilowatts, whatever its rating', async () => {
    for (const protocol of ['json', 'sparkplug'] as const) {
      const device = await deviceOf('inverter', protocol);
      await send(
        device,
        every(1, 30, (index) => ({ 'DC/Power': 5_000, 'Energy/PvTotal': 700 + index / 12 + (index >= 15 ? 10 : 0) })),
      );
      expect(await totalWh(device)).toBeCloseTo((28 / 12) * 1_000, 3);
    }
  });

  test('a large plant counts in full from its first day, of whatever is known of it', async () => {
    const plant = await makePlant(own.stores.db);
    const device = await deviceOf('inverter', 'json', plant);
    const powersW = [0, 0, 900, 1_200, 400_000, 2_000, 450_000, 450_000, 100, 0];
    let kwh = 80_000.5;
    const readings = every(15, powersW.length, (index) => {
      kwh += ((powersW[index] ?? 0) / 1_000) * 0.25;
      return { 'DC/Power': powersW[index] ?? 0, 'Energy/PvTotal': kwh };
    });
    // Nothing but the power tells how large the plant is: the first rise waits until it has been seen twice.
    await send(device, readings);
    expect(await totalWh(device)).toBeCloseTo((kwh - 80_000.5) * 1_000, 1);
    const shuffled = await deviceOf('inverter', 'json', plant);
    for (const part of [readings.slice(5), readings.slice(0, 5)]) await send(shuffled, part);
    expect(await bucketsOf(shuffled)).toEqual(await bucketsOf(device));
  });

  test('what was left out for lack of knowledge counts once the power has been seen, also after a restart', async () => {
    const device = await deviceOf('pile');
    const readings = every(15, 12, (index) => ({
      'Pile/Power': index >= 8 && index <= 10 ? 22_000 : 0,
      'Pile/EnergyTotal': 40.5 + (index >= 3 ? 5 : 0) + 5.5 * Math.max(0, Math.min(index, 10) - 8),
    }));
    await send(device, readings.slice(0, 6));
    expect(await totalWh(device, 'charger_wh')).toBeCloseTo(0, 3);
    await restart();
    await send(device, readings.slice(6));
    expect(await totalWh(device, 'charger_wh')).toBeCloseTo(16_000, 1);
  });

  test.each(['json', 'sparkplug'] as const)('ratings among the values of %s count', async (protocol) => {
    const inverter = await deviceOf('inverter', protocol);
    await send(inverter, [
      { minute: 0, values: { 'Rating/ActivePower': 8_000, 'Energy/PvTotal': 70.05 } },
      { minute: 15, values: { 'Energy/PvTotal': 74.05 } },
      { minute: 30, values: { 'Energy/PvTotal': 74.55 } },
    ]);
    const battery = await deviceOf('battery', protocol, inverter.plant);
    await send(battery, [{ minute: 0, values: { 'Bat/Capacity': 12.5, 'Bat/Soc': 50 } }]);
    expect(await deviceRow(inverter.sn)).toMatchObject({ rated_power_w: 8_000 });
    expect(await deviceRow(battery.sn)).toMatchObject({ capacity_wh: 12_500 });
    // Four kilowatt hours in a quarter of an hour are more than such an inverter gives.
    expect(await totalWh(inverter)).toBeCloseTo(500, 3);
  });
});

describe('a counter that is told more rarely than the power', () => {
  // A quarter past eight in the evening to a quarter past six: by midnight half has flowed, then nothing until four.
  const midnightMs = dayBounds('2026-06-02', 'Europe/Berlin').startMs;
  const powerAt = (minute: number) => (minute < 0 ? 6_000 : minute < 240 ? 0 : 12_000);
  const energyKwh = (minute: number) =>
    minute < 0 ? (6 * (minute + 240)) / 60 : minute < 240 ? 24 : 24 + (12 * (minute - 240)) / 60;
  const readings: Reading[] = Array.from({ length: 121 }, (_, index) => {
    const minute = -240 + 5 * index;
    const isTold = index === 0 || index >= 119;
    return {
      minute,
      values: {
        'DC/Power': powerAt(minute),
        ...(isTold && { 'Energy/PvTotal': 300 + Math.round(1_000 * energyKwh(minute)) / 1_000 }),
      },
    };
  });
  const days = async ({ plant }: Device) =>
    own.rows<{ day: string; wh: number }>(
      `SELECT toString(day) AS day, round(pv_wh) AS wh FROM site_day FINAL
       WHERE site = ${plant.siteKey} AND NOT isNaN(pv_wh) ORDER BY day`,
    );

  test('gives each day and each bucket what the power gave there', async () => {
    const device = await deviceOf('inverter');
    await send(device, readings, midnightMs);
    const [before, after] = await days(device);
    const whole = 1_000 * energyKwh(360);
    expect((before?.wh ?? 0) + (after?.wh ?? 0)).toBeCloseTo(whole, -1);
    expect(before?.wh).toBeGreaterThan(23_500);
    expect(before?.wh).toBeLessThan(24_500);
    for (const [minute, wh] of await bucketsOf(device, 'pv_wh', midnightMs)) {
      if (minute >= 5 && minute < 235) expect(wh).toBe(0);
    }
  });

  test('in any order, in any portions, after a restart and with one reading live after the other', async () => {
    const plants = [...Array(4).keys()];
    const [inOrder, backwards, inBetween, oneByOne] = await Promise.all(plants.map(() => deviceOf('inverter')));
    if (inOrder === undefined || backwards === undefined || inBetween === undefined || oneByOne === undefined)
      throw new Error();
    await send(inOrder, readings, midnightMs);
    for (const part of [readings.slice(60), readings.slice(0, 60)]) await send(backwards, part, midnightMs);
    await send(
      inBetween,
      readings.filter((_, index) => index < 40 || index > 50),
      midnightMs,
    );
    await restart();
    await send(inBetween, readings.slice(40, 51), midnightMs);
    for (let at = 0; at < readings.length; at += 17) await send(oneByOne, readings.slice(at, at + 17), midnightMs);
    const expected = await bucketsOf(inOrder);
    expect(expected.length).toBeGreaterThan(100);
    for (const device of [backwards, inBetween, oneByOne]) expect(await bucketsOf(device)).toEqual(expected);
  });

  test('without a power of it, evenly over all of the time', async () => {
    const device = await deviceOf('inverter');
    const list = every(5, 37, (index) => ({
      'AC/ActivePower': 100,
      ...((index === 0 || index === 36) && { 'Energy/PvTotal': index === 0 ? 300 : 303.6 }),
    }));
    await send(device, list);
    const buckets = await bucketsOf(device);
    expect(buckets).toHaveLength(36);
    for (const [, wh] of buckets) expect(wh).toBeCloseTo(100, 3);
  });
});

describe('odd readings of a counter that was silent', () => {
  const GOES = 50.5;
  /** Power each five minutes for ten hours; of the counter what is given, by minute, beside one reading each five minutes of the first hour. */
  const readingsOf = (told: Record<number, number>): Reading[] =>
    every(5, 121, (index) => {
      const minute = 5 * index;
      const kwh = told[minute] ?? (minute <= 60 ? GOES + minute / 60 : undefined);
      return { 'DC/Power': 1_000, ...(kwh !== undefined && { 'Energy/PvTotal': kwh }) };
    });
  const series = {
    'one zero, and nothing after it': readingsOf({ 300: 0 }),
    'two kinds of nonsense, and nothing after them': readingsOf({ 300: 0, 305: 4_294_967.295 }),
    'one that stands where it stood': readingsOf({ 300: GOES + 1 }),
    'a zero, and what it should be': readingsOf({ 180: 0, 420: GOES + 7 }),
    'nonsense again and again, and what it should be': readingsOf({
      150: 0,
      210: 4_294_967.295,
      270: 0,
      330: 4_294_967.295,
      390: 0,
      450: 65.535,
      540: GOES + 9,
    }),
    'one that begins anew at zero': readingsOf({ 300: 0, 305: 0, 310: 0.01 }),
  };

  test.each(Object.entries(series))(
    '%s: the same in any order and portions, and when it is made anew',
    async (name, readings) => {
      const lateOnes = (each: number) => [
        readings.filter((_, index) => index % each !== 0),
        readings.filter((_, index) => index % each === 0),
      ];
      const hasNoCounter = ({ values }: Reading) => values['Energy/PvTotal'] === undefined;
      const orders = [
        [readings],
        [readings.slice(60), readings.slice(0, 60)],
        lateOnes(3),
        lateOnes(7),
        [readings.filter(({ minute }) => minute !== 300), readings.filter(({ minute }) => minute === 300)],
        [
          readings.filter((each) => !hasNoCounter(each) || each.minute % 100 !== 0),
          ...readings.filter((each) => hasNoCounter(each) && each.minute % 100 === 0).map((each) => [each]),
        ],
        [readings.filter(hasNoCounter), readings.filter((each) => !hasNoCounter(each))],
      ];
      const found = [];
      for (const portions of orders) {
        const device = await deviceOf('inverter');
        for (const portion of portions) await send(device, portion);
        found.push(await bucketsOf(device));
        if (portions.length > 1) continue;
        await own.stores.db
          .insertInto('recalculations')
          .values({ site_id: device.plant.siteId, depth: 'samples' })
          .execute();
        await own.ingestion.drain();
        found.push(await bucketsOf(device));
      }
      const [inOrder = []] = found;
      for (const other of found) expect(other).toEqual(inOrder);
      const between = inOrder.filter(([minute]) => minute > 65 && minute < 290);
      if (name.includes('should be')) for (const [, wh] of between) expect(wh).toBeCloseTo(1_000 / 12, 3);
      else if (name.includes('stood')) expect(between.map(([, wh]) => wh)).toEqual(Array(44).fill(0));
      else expect(between).toEqual([]);
    },
  );
});

describe('what another kind has written', () => {
  test('stays, however far back a message of the other kind is dated', async () => {
    const device = await deviceOf('inverter');
    const list = every(5, 60, (index) => ({
      'DC/Power': 1_200,
      'AC/ActivePower': 1_150,
      'Energy/PvTotal': 90 + index / 10,
    }));
    await send(device, list);
    const before = await bucketsOf(device);
    const powers = await own.rows(
      `SELECT ts, ac_w FROM device_5m FINAL WHERE device = ${(await deviceRow(device.sn)).key} ORDER BY ts`,
    );
    await own.ingestion.stop();
    await own.stores.db.updateTable('devices').set({ kind: 'meter' }).where('sn', '=', device.sn).execute();
    await own.start();
    await send({ ...device, kind: 'meter' }, [
      { minute: 60.5, values: { 'Meter/ImportTotal': 1, 'Meter/ActivePower': 5 } },
    ]);
    expect(await bucketsOf(device)).toEqual(before);
    expect(
      await own.rows(
        `SELECT ts, ac_w FROM device_5m FINAL WHERE device = ${(await deviceRow(device.sn)).key} ORDER BY ts`,
      ),
    ).toEqual(powers);
    expect(before).toHaveLength(59);
  });
});

describe('random plants', () => {
  const kinds = [
    { kind: 'inverter', counter: 'Energy/PvTotal', power: 'DC/Power', sign: 1, column: 'pv_wh', smallestW: 800 },
    {
      kind: 'meter',
      counter: 'Meter/ImportTotal',
      power: 'Meter/ActivePower',
      sign: 1,
      column: 'import_wh',
      smallestW: 3_680,
    },
    { kind: 'battery', counter: 'Bat/ChargeTotal', power: 'Bat/Power', sign: -1, column: 'charge_wh', smallestW: 800 },
    { kind: 'pile', counter: 'Pile/EnergyTotal', power: 'Pile/Power', sign: 1, column: 'charger_wh', smallestW: 3_680 },
  ] as const;
  const cases = fc.record({
    kind: fc.constantFrom(...kinds),
    protocol: fc.constantFrom('json' as const, 'sparkplug' as const),
    fullW: fc.double({ min: Math.log(500), max: Math.log(5e5), noNaN: true }).map(Math.exp),
    intervalMinutes: fc.constantFrom(1 / 6, 1, 5, 15),
    standsKwh: fc.oneof(
      fc.double({ min: 0, max: 65, noNaN: true }),
      fc.constantFrom(65.5, 655.3, 6_553.5, 4_294_967.2),
      fc.double({ min: 0, max: 1e5, noNaN: true }),
    ),
    isRated: fc.boolean(),
    at: fc.integer({ min: 3, max: 20 }),
    damage: fc.oneof(
      fc.record({
        isSpike: fc.constant(true),
        kwh: fc.constantFrom(0, 4_294_967.295, 65.535, -1),
        times: fc.integer({ min: 1, max: 3 }),
      }),
      fc.record({
        isSpike: fc.constant(false),
        kwh: fc.double({ min: 0, max: 1e5, noNaN: true }),
        times: fc.constant(0),
      }),
      fc.record({ isSpike: fc.constant(false), kwh: fc.constant(0), times: fc.constant(0) }),
    ),
    shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 30, maxLength: 30 }),
  });

  test('no damage of a counter invents more than an interval at full power, whoever tells it, in whatever portions', async () => {
    await fc.assert(
      fc.asyncProperty(
        cases,
        async ({ kind, protocol, fullW, intervalMinutes, standsKwh, isRated, at, damage, shares }) => {
          const device = await deviceOf(kind.kind, protocol);
          const intervalWh = (fullW * intervalMinutes) / 60;
          let trueWh = 0;
          let sinceWh = 0;
          const readings = [...shares, 1, 1, 1].map((share, index): Reading => {
            // Constant between two readings, and seen at full power in the end.
            if (index > 0) trueWh += share * intervalWh;
            if (index === at) sinceWh = trueWh;
            const isOdd = damage.isSpike ? index >= at && index < at + damage.times : index >= at;
            const kwh = isOdd
              ? damage.kwh + (damage.isSpike ? 0 : (trueWh - sinceWh) / 1_000)
              : standsKwh + trueWh / 1_000;
            return {
              minute: index * intervalMinutes,
              values: {
                [kind.counter]: kwh,
                [kind.power]: kind.sign * share * fullW,
                ...(isRated && kind.kind === 'inverter' && { 'Rating/ActivePower': fullW }),
              },
            };
          });
          await send(device, readings.slice(0, 12));
          await send(device, readings.slice(12));
          const countedWh = await totalWh(device, kind.column);
          const dcShare = kind.kind === 'inverter' && isRated ? 1.5 : 1;
          const mostWh = (1.2 * dcShare * 1.1 * Math.max(fullW, kind.smallestW) * intervalMinutes) / 60 + 200;
          expect(countedWh - trueWh).toBeLessThanOrEqual(mostWh);
          expect(trueWh - countedWh).toBeLessThanOrEqual((damage.times + 3) * mostWh);
        },
      ),
      { numRuns: casesOf(5, 12), endOnFailure: true },
    );
  });
});
