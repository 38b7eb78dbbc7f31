import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayBounds, daysOfMonth, hoursOfDay, localDay, monthBounds } from '../calendar.ts';
import { BUCKET_MS } from './bucket-span.ts';
import type { DeviceBucket } from './buckets.ts';
import type { EnergyChannel } from './channels.ts';
import { type SiteBucket, type SiteTopology, siteBuckets } from './site-balance.ts';

const HOUR_MS = 3_600_000;
/** Months in which the clock of a zone is set, or is not. */
const MONTHS = [
  ['Europe/Berlin', '2025-03', -1],
  ['Europe/Berlin', '2025-10', 1],
  ['Europe/Berlin', '2025-07', 0],
  ['Asia/Kolkata', '2025-03', 0],
  ['America/St_Johns', '2025-11', 1],
  ['Australia/Lord_Howe', '2025-10', -0.5],
  ['Australia/Lord_Howe', '2025-04', 0.5],
  ['Pacific/Chatham', '2025-09', -1],
  ['Pacific/Chatham', '2025-04', 1],
] as const;

const INVERTER = 1;
const BATTERY = 2;
const METER = 3;
const PILE = 4;

const plants = fc.record({
  month: fc.constantFrom(...MONTHS),
  hasBattery: fc.boolean(),
  hasPile: fc.boolean(),
  tellsAc: fc.boolean(),
  /** Wh of each five minutes, taken in turn: generation, house, car, battery (+ charges). */
  pieces: fc.array(
    fc.tuple(
      fc.double({ min: 0, max: 900, noNaN: true }),
      fc.double({ min: 0, max: 600, noNaN: true }),
      fc.double({ min: 0, max: 900, noNaN: true }),
      fc.double({ min: -400, max: 400, noNaN: true }),
    ),
    { minLength: 1, maxLength: 40 },
  ),
});

type Plant = typeof plants extends fc.Arbitrary<infer P> ? P : never;

const bucketOf = (bucketMs: number, energyWh: Partial<Record<EnergyChannel, number>>): DeviceBucket => ({
  bucketMs,
  energyWh,
  powerW: {},
  maxPowerW: {},
  samples: 1,
  quality: 'measured',
});

/** What the devices of a plant without losses tell of a month; nobody tells what the house takes. */
function bucketsOf({ month: [zone, month], hasBattery, hasPile, tellsAc, pieces }: Plant): SiteBucket[] {
  const { startMs, endMs } = monthBounds(month, zone);
  const topology: SiteTopology = {
    devices: [
      { deviceKey: INVERTER, kind: 'inverter' },
      { deviceKey: METER, kind: 'meter' },
      ...(hasBattery ? [{ deviceKey: BATTERY, kind: 'battery' as const }] : []),
      ...(hasPile ? [{ deviceKey: PILE, kind: 'pile' as const }] : []),
    ],
  };
  const readings = Array.from({ length: (endMs - startMs) / BUCKET_MS }, (_, place) => {
    const bucketMs = startMs + place * BUCKET_MS;
    const [pv = 0, load = 0, car = 0, stored = 0] = pieces[place % pieces.length] ?? [];
    const charger = hasPile ? car : 0;
    const net = pv - (hasBattery ? stored : 0);
    const bought = load + charger - net;
    const ac = tellsAc ? { acOut: Math.max(0, net), acIn: Math.max(0, -net) } : {};
    const byDevice = new Map([
      [INVERTER, bucketOf(bucketMs, { pv, ...ac })],
      [METER, bucketOf(bucketMs, { import: Math.max(0, bought), export: Math.max(0, -bought) })],
    ]);
    if (hasBattery) {
      byDevice.set(BATTERY, bucketOf(bucketMs, { charge: Math.max(0, stored), discharge: Math.max(0, -stored) }));
    }
    if (hasPile) byDevice.set(PILE, bucketOf(bucketMs, { charger }));
    return { bucketMs, byDevice, excused: new Set<number>() };
  });
  return siteBuckets(readings, topology, (bucketMs) => localDay(bucketMs, zone));
}

const NAMES = ['pvWh', 'importWh', 'dischargeWh', 'loadWh', 'exportWh', 'chargeWh', 'chargerWh'] as const;
type Sums = Record<(typeof NAMES)[number], number>;

const sumOf = (rows: readonly Partial<Sums>[]): Sums =>
  Object.fromEntries(NAMES.map((name) => [name, rows.reduce((sum, row) => sum + (row[name] ?? 0), 0)])) as Sums;

function expectBalanced({ pvWh, importWh, dischargeWh, loadWh, exportWh, chargeWh, chargerWh }: Sums): void {
  expect(Math.abs(pvWh + importWh + dischargeWh - loadWh - chargerWh - exportWh - chargeWh)).toBeLessThan(0.1);
}

function expectAlike(one: Sums, other: Sums): void {
  for (const name of NAMES) expect(Math.abs(one[name] - other[name])).toBeLessThan(0.1);
}

test('of every plant generation, purchase and discharge are consumption, feed-in and charge, by hours that add up to days, and days to the month', () => {
  fc.assert(
    fc.property(plants, (plant) => {
      const [zone, month, longer] = plant.month;
      const buckets = bucketsOf(plant);
      const firstMs = monthBounds(month, zone).startMs;
      const within = (startMs: number, endMs: number): Sums =>
        sumOf(buckets.slice((startMs - firstMs) / BUCKET_MS, (endMs - firstMs) / BUCKET_MS));
      const names = daysOfMonth(month);
      const days = names.map((day) => {
        const { startMs, endMs } = dayBounds(day, zone);
        const ofDay = within(startMs, endMs);
        const hours = hoursOfDay(day, zone).map((hour) => within(hour.startMs, hour.endMs));
        for (const hour of hours) expectBalanced(hour);
        expectAlike(sumOf(hours), ofDay);
        expectBalanced(ofDay);
        return { ofDay, hours: (endMs - startMs) / HOUR_MS };
      });
      const odd = days.filter(({ hours }) => hours !== 24).map(({ hours }) => hours - 24);
      expect(odd).toEqual(longer === 0 ? [] : [longer]);
      expectAlike(sumOf(days.map(({ ofDay }) => ofDay)), sumOf(buckets));
      expectBalanced(sumOf(buckets));
    }),
    { numRuns: 4 },
  );
});
