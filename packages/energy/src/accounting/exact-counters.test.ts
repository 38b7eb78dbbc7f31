import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_MS, bucketStart } from './bucket-span.ts';
import { type DeviceBucket, DeviceLedger } from './buckets.ts';
import { ChannelReach } from './channel-reach.ts';
import type { DevicePowers, DeviceSample, EnergyChannel } from './channels.ts';
import { siteBuckets } from './site-balance.ts';

const START_MS = Date.UTC(2026, 5, 1, 10);
const MINUTE_MS = 60_000;
const MINUTES = BUCKET_MS / MINUTE_MS;
const INVERTER = 1;
const BATTERY = 2;
const METER = 3;
const CHANNELS: Record<number, readonly EnergyChannel[]> = {
  [INVERTER]: ['pv', 'acOut', 'acIn'],
  [BATTERY]: ['charge', 'discharge'],
  [METER]: ['import', 'export'],
};

const pieces = fc.record({
  /** PV, battery (+ discharges) and house, W, of so many minutes. */
  minutes: fc.integer({ min: 1, max: 12 }),
  pvW: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 8_000, noNaN: true })),
  batteryW: fc.oneof(fc.constant(0), fc.double({ min: -3_000, max: 3_000, noNaN: true })),
  loadW: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 8_000, noNaN: true })),
});

const plants = fc.record({
  pieces: fc.array(pieces, { minLength: 10, maxLength: 60 }),
  /** Readings are told each minute or at the edges of buckets. */
  everyMinutes: fc.constantFrom(1, MINUTES),
  /** A power is that of the minute of the reading, of the one to come, or the mean since the reading before. */
  tells: fc.constantFrom('now', 'next', 'mean'),
  /** Steps of the counters, Wh; 0 = they are as fine as the energy. */
  stepWh: fc.constantFrom(0, 0.1, 1),
});
type Plant = typeof plants extends fc.Arbitrary<infer P> ? P : never;

interface Minute {
  powers: Required<Pick<DevicePowers, 'pv' | 'ac' | 'battery' | 'grid'>>;
  wh: Partial<Record<EnergyChannel, number>>;
}

/** A plant without losses, minute by minute. */
const livedMinutes = (plant: Plant): Minute[] =>
  plant.pieces.flatMap(({ minutes, pvW, batteryW, loadW }) => {
    const ac = pvW + Math.max(batteryW, -pvW);
    const battery = ac - pvW;
    const grid = loadW - ac;
    const above = (powerW: number) => Math.max(0, powerW) / 60;
    const minute: Minute = {
      powers: { pv: pvW, ac, battery, grid },
      wh: {
        pv: above(pvW),
        acOut: above(ac),
        acIn: 0,
        charge: above(-battery),
        discharge: above(battery),
        import: above(grid),
        export: above(-grid),
      },
    };
    return Array.from({ length: minutes }, () => minute);
  });

function toldSamples(plant: Plant): DeviceSample[] {
  const lived = livedMinutes(plant);
  const { everyMinutes, stepWh, tells } = plant;
  const counted: Partial<Record<EnergyChannel, number>> = {};
  for (const channel of Object.values(CHANNELS).flat()) counted[channel] = 70_003.7;
  const quantised = (wh = 0) => (stepWh === 0 ? wh : Math.floor(wh / stepWh + 1e-9) * stepWh);
  const samples: DeviceSample[] = [];
  for (let at = 0; at <= lived.length; at += 1) {
    for (const channel of Object.values(CHANNELS).flat())
      counted[channel] = (counted[channel] ?? 0) + (lived[at - 1]?.wh[channel] ?? 0);
    if (at % everyMinutes !== 0) continue;
    const meant = lived.slice(Math.max(0, at - everyMinutes), at);
    const [now, next] = [lived[at - 1]?.powers, lived[at]?.powers];
    const mean = (name: keyof Minute['powers']) =>
      meant.reduce((sum, { powers }) => sum + (powers[name] ?? 0), 0) / meant.length;
    const told = tells === 'now' ? now : tells === 'next' ? next : undefined;
    const means = { pv: mean('pv'), ac: mean('ac'), battery: mean('battery'), grid: mean('grid') };
    samples.push({
      tsMs: START_MS + at * MINUTE_MS,
      powers: at === 0 ? {} : (told ?? means),
      counters: Object.fromEntries(Object.entries(counted).map(([channel, wh]) => [channel, quantised(wh)])),
    });
  }
  return samples;
}

function accounted(samples: readonly DeviceSample[], channels: readonly EnergyChannel[]): DeviceBucket[] {
  const ledger = new DeviceLedger({ reach: new ChannelReach({ ratedW: 20_000 }), keepsAll: true });
  for (const sample of samples) {
    const counters = Object.fromEntries(channels.map((channel) => [channel, sample.counters[channel]]));
    ledger.add({ ...sample, counters });
  }
  return ledger.takeChanged();
}

/** What each bucket has by the readings at its edges. */
function differencesOf(samples: readonly DeviceSample[], channel: EnergyChannel): Map<number, number> {
  const at = new Map(samples.map(({ tsMs, counters }) => [tsMs, counters[channel] ?? 0]));
  const sums = new Map<number, number>();
  for (const [tsMs, wh] of at) {
    const before = at.get(tsMs - BUCKET_MS);
    if (tsMs === bucketStart(tsMs) && before !== undefined) sums.set(tsMs - BUCKET_MS, wh - before);
  }
  return sums;
}

describe('counters that are read at the edges of buckets', () => {
  test('give each bucket exactly their difference, whatever the power and its sign do meanwhile', () => {
    fc.assert(
      fc.property(plants, (plant) => {
        const samples = toldSamples(plant);
        for (const channels of Object.values(CHANNELS)) {
          const buckets = accounted(samples, channels);
          for (const channel of channels) {
            for (const [bucketMs, wh] of differencesOf(samples, channel)) {
              const put = buckets.find((bucket) => bucket.bucketMs === bucketMs)?.energyWh[channel];
              expect(put, `${channel} ${new Date(bucketMs).toISOString()}`).toBeCloseTo(wh, 6);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('let no bucket of a plant sell more than its arrays and its battery gave', () => {
    fc.assert(
      fc.property(plants, (plant) => {
        const samples = toldSamples(plant);
        const byDevice = [INVERTER, BATTERY, METER].map(
          (device) =>
            [device, new Map(accounted(samples, CHANNELS[device] ?? []).map((each) => [each.bucketMs, each]))] as const,
        );
        const times = [...differencesOf(samples, 'export').keys()];
        const sites = siteBuckets(
          times.map((bucketMs) => ({
            bucketMs,
            excused: new Set<number>(),
            byDevice: new Map(
              byDevice.flatMap(([device, buckets]) => {
                const bucket = buckets.get(bucketMs);
                return bucket === undefined ? [] : [[device, bucket] as const];
              }),
            ),
          })),
          {
            devices: [
              { deviceKey: INVERTER, kind: 'inverter' },
              { deviceKey: BATTERY, kind: 'battery' },
              { deviceKey: METER, kind: 'meter', role: 'grid' },
            ],
          },
          () => '2026-06-01',
        );
        // Three counters that each lag by their step.
        const slackWh = 3 * plant.stepWh + 1e-6;
        for (const { exportWh = 0, pvWh = 0, dischargeWh = 0 } of sites)
          expect(exportWh).toBeLessThanOrEqual(pvWh + dischargeWh + slackWh);
      }),
      { numRuns: 100 },
    );
  });
});
