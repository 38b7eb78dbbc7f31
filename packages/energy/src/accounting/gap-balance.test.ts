import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeviceBucket } from './bucket-cell.ts';
import { DeviceLedger } from './buckets.ts';
import { ChannelReach } from './channel-reach.ts';
import type { DeviceSample, EnergyChannel } from './channels.ts';
import { type SiteBucket, type SiteReadings, siteBuckets } from './site-balance.ts';
import type { SiteTopology } from './site-topology.ts';

const MINUTE_MS = 60_000;
const BUCKET_MS = 5 * MINUTE_MS;
const START_MS = Date.UTC(2026, 5, 10, 10);

/** Powers of a house over five minutes, W. */
interface Step {
  pvW: number;
  loadW: number;
  batteryW: number;
  externalW: number;
  chargerW: number;
}

interface House {
  steps: Step[];
  /** Which device is silent, from where and for how many reports. */
  silent: string;
  gapFrom: number;
  gapLength: number;
  /** Time of the reports within their five minutes. */
  offsetMs: number;
  /** Which of the energies at the bus no device counts. */
  unknown: EnergyChannel;
  isAcTold: boolean;
}

const DEVICES: Record<string, { key: number; channels: EnergyChannel[] }> = {
  inverter: { key: 1, channels: ['pv', 'acOut', 'acIn', 'load'] },
  battery: { key: 2, channels: ['charge', 'discharge'] },
  meter: { key: 3, channels: ['import', 'export'] },
  solar: { key: 4, channels: ['external'] },
  pile: { key: 5, channels: ['charger'] },
};
const TOPOLOGY: SiteTopology = {
  devices: [
    { deviceKey: 1, kind: 'inverter' },
    { deviceKey: 2, kind: 'battery' },
    { deviceKey: 3, kind: 'meter', role: 'grid' },
    { deviceKey: 4, kind: 'meter', role: 'pv' },
    { deviceKey: 5, kind: 'pile' },
  ],
};

const LOSS = 0.04;
/** The devices say what they are rated for, so that what a gap gained is not beyond what is known of them. */
const RATED_W = 20_000;

function energiesOf({ pvW, loadW, batteryW, externalW, chargerW }: Step): Record<string, number> {
  const wh = (powerW: number): number => Math.max(0, powerW) / 12;
  // The battery gives no more than it takes to keep the inverter's loss from becoming a gain.
  const acW = (pvW + batteryW) * (pvW + batteryW > 0 ? 1 - LOSS : 1 + LOSS);
  const gridW = loadW + chargerW - acW - externalW;
  return {
    pv: wh(pvW),
    acOut: wh(acW),
    acIn: wh(-acW),
    load: wh(loadW),
    charge: wh(-batteryW),
    discharge: wh(batteryW),
    import: wh(gridW),
    export: wh(-gridW),
    external: wh(externalW),
    charger: wh(chargerW),
  };
}

const house: fc.Arbitrary<House> = fc
  .record({
    steps: fc.array(
      fc.record({
        pvW: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9_000 })),
        loadW: fc.integer({ min: 0, max: 4_000 }),
        batteryW: fc.oneof(fc.constant(0), fc.integer({ min: -3_000, max: 3_000 })),
        externalW: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })),
        chargerW: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 11_000 })),
      }),
      { minLength: 30, maxLength: 300 },
    ),
    silent: fc.constantFrom(...Object.keys(DEVICES)),
    gapFrom: fc.integer({ min: 1, max: 12 }),
    gapLength: fc.integer({ min: 4, max: 280 }),
    offsetMs: fc.constantFrom(0, 70_000, 299_000),
    unknown: fc.constantFrom('load', 'charger', 'external', 'import', 'export', 'pv'),
    isAcTold: fc.boolean(),
  })
  // Without AC readings the inverter's loss is taken for part of what is derived, which only a sink can be.
  .map((each) => ({ ...each, isAcTold: each.isAcTold || !['load', 'charger', 'export'].includes(each.unknown) }));

/** Accounts a house whose devices report every five minutes. */
function account({ steps, silent, gapFrom, gapLength, offsetMs, unknown, isAcTold }: House): {
  site: SiteBucket[];
  truth: Record<string, number>;
} {
  const reachOf = () => new ChannelReach({ ratedW: RATED_W });
  const ledgers = new Map(Object.keys(DEVICES).map((name) => [name, new DeviceLedger({ reach: reachOf() })]));
  const counters: Record<string, number> = {};
  const gapEnd = Math.min(gapFrom + gapLength, steps.length - 1);
  const isHidden = (channel: EnergyChannel): boolean =>
    channel === unknown || (channel === 'load' && unknown === 'pv') || (!isAcTold && channel.startsWith('ac'));
  for (let index = 0; index <= steps.length; index += 1) {
    for (const [name, ledger] of ledgers) {
      if (name === silent && index > gapFrom && index < gapEnd) continue;
      const sample: DeviceSample = { tsMs: START_MS + index * BUCKET_MS + offsetMs, powers: {}, counters: {} };
      for (const channel of DEVICES[name]?.channels ?? []) {
        if (!isHidden(channel)) sample.counters[channel] = 1_000_000 + (counters[channel] ?? 0);
      }
      // A gateway counts only what it knows: a device of which nothing is told does not speak.
      if (Object.keys(sample.counters).length > 0)
        ledger.add({ ...sample, powers: powersOf(name, steps[index], unknown) });
    }
    const step = steps[index];
    if (step === undefined) continue;
    for (const [channel, wh] of Object.entries(energiesOf(step))) counters[channel] = (counters[channel] ?? 0) + wh;
  }
  const byBucket = new Map<number, Map<number, DeviceBucket>>();
  for (const [name, ledger] of ledgers) {
    for (const bucket of ledger.takeChanged()) {
      const devices = byBucket.get(bucket.bucketMs) ?? new Map<number, DeviceBucket>();
      byBucket.set(bucket.bucketMs, devices.set(DEVICES[name]?.key ?? 0, bucket));
    }
  }
  const readings = [...byBucket]
    .sort(([a], [b]) => a - b)
    .map(([bucketMs, byDevice]): SiteReadings => ({ bucketMs, byDevice, excused: new Set() }));
  const dayOf = (bucketMs: number): string => new Date(bucketMs).toISOString().slice(0, 10);
  return { site: siteBuckets(readings, TOPOLOGY, dayOf), truth: counters };
}

/** Powers say of a bucket that it was heard; of what no device counts none tells the power. */
function powersOf(name: string, step: Step | undefined, unknown: EnergyChannel): DeviceSample['powers'] {
  if (name === 'inverter' && unknown !== 'pv') return { pv: step?.pvW };
  if (name === 'battery') return { battery: step?.batteryW };
  if (name === 'solar') return { external: step?.externalW };
  return name === 'pile' ? { charger: step?.chargerW } : {};
}

const total = (site: readonly SiteBucket[], read: (bucket: SiteBucket) => number | undefined): number =>
  site.reduce((sum, bucket) => sum + (read(bucket) ?? 0), 0);

const NAMES = [
  'pv',
  'acOut',
  'acIn',
  'load',
  'charger',
  'charge',
  'discharge',
  'external',
  'import',
  'export',
] as const;

/** What was given to the bus less what was taken from it, Wh, as the figures have it. */
function imbalanceWh(site: readonly SiteBucket[], isAcTold: boolean): number {
  const sum: Record<string, number> = {};
  for (const name of NAMES) sum[name] = total(site, (bucket) => bucket[`${name}Wh`]);
  const { acOut = 0, acIn = 0, pv = 0, discharge = 0, charge = 0, external = 0, load = 0, charger = 0 } = sum;
  const acWh = isAcTold ? acOut - acIn : pv + discharge - charge;
  return acWh + external + (sum.import ?? 0) - (sum.export ?? 0) - load - charger;
}

describe('a gap of one device', () => {
  test('leaves the balance of the counters as it is, whatever is derived, whichever device was silent, over hours and days', () => {
    let gaps = 0;
    fc.assert(
      fc.property(house, (given) => {
        const { site } = account(given);
        const { gapFrom, gapLength, steps, silent } = given;
        const gapEnd = Math.min(gapFrom + gapLength, steps.length - 1);
        const endMs = START_MS + gapEnd * BUCKET_MS + given.offsetMs;
        const gap = site.filter(({ bucketMs }) => bucketMs >= START_MS + gapFrom * BUCKET_MS && bucketMs < endMs);
        const isMarked = DEVICES[silent]?.channels.some((channel) =>
          gap.some(
            ({ qualities, derived }) => qualities[channel] === 'estimated' && !derived.some((name) => name === channel),
          ),
        );
        for (const bucket of site) {
          for (const name of NAMES) expect(bucket[`${name}Wh`] ?? 0).toBeGreaterThanOrEqual(0);
        }
        const name = given.unknown as 'load';
        if (isMarked !== true || !gap.every(({ derived }) => derived.includes(name))) return;
        gaps += 1;
        // Nothing is derived where the others' counters, which are told every five minutes only, give less than nothing.
        if (total(gap, (bucket) => bucket[`${name}Wh`]) > 0)
          expect(Math.abs(imbalanceWh(gap, given.isAcTold))).toBeLessThan(0.1);
      }),
      { numRuns: 400 },
    );
    expect(gaps).toBeGreaterThan(100);
  });

  test('at noon, of the inverter alone, leaves consumption, self-consumption and feed-in of the day as they were', () => {
    const steps = Array.from({ length: 120 }, (_, index): Step => {
      const pvW = 8_000 * Math.max(0, Math.sin((Math.PI * (index - 10)) / 100));
      return { pvW, loadW: index > 50 && index < 56 ? 3_500 : 300, batteryW: 0, externalW: 0, chargerW: 0 };
    });
    const plain = { steps, silent: 'inverter', gapFrom: 20, offsetMs: 0, unknown: 'load' as const, isAcTold: true };
    const heard = account({ ...plain, gapLength: 1 });
    const silent = account({ ...plain, gapLength: 70 });
    for (const name of ['pvWh', 'loadWh', 'importWh', 'exportWh'] as const) {
      expect(total(silent.site, (bucket) => bucket[name])).toBeCloseTo(
        total(heard.site, (bucket) => bucket[name]),
        1,
      );
    }
    expect(total(silent.site, ({ loadWh }) => loadWh)).toBeCloseTo(silent.truth.load ?? 0, 1);
    const unexplainedWh = (site: readonly SiteBucket[]): number =>
      total(site, ({ flows }) => flows?.unexplainedToGridWh);
    expect(unexplainedWh(silent.site)).toBeLessThan(unexplainedWh(heard.site) + 1);
    const soldWh = (site: readonly SiteBucket[]): number => total(site, ({ flows }) => flows?.pvToGridWh);
    expect(Math.abs(soldWh(silent.site) - soldWh(heard.site))).toBeLessThan(1);
  });

  test('that is a night in which nothing was counted leaves consumption to be what was bought', () => {
    const steps = Array.from(
      { length: 60 },
      (): Step => ({ pvW: 0, loadW: 500, batteryW: 0, externalW: 0, chargerW: 0 }),
    );
    const { site } = account({
      steps,
      silent: 'inverter',
      gapFrom: 2,
      gapLength: 50,
      offsetMs: 0,
      unknown: 'load',
      isAcTold: true,
    });
    expect(total(site, ({ loadWh }) => loadWh)).toBeCloseTo((60 * 500) / 12, 3);
    expect(site.filter(({ qualities }) => qualities.pv !== undefined)).toEqual([]);
  });
});

describe('counters of coarse steps', () => {
  test('do not make the derived consumption greater: what is too little in a bucket is taken off those that follow', () => {
    fc.assert(
      fc.property(fc.integer({ min: 150, max: 900 }), fc.integer({ min: 0, max: 99 }), (loadW, offsetWh) => {
        const inverter = new DeviceLedger();
        const meter = new DeviceLedger();
        const acW = 5_000;
        for (let index = 0; index <= 144; index += 1) {
          const tsMs = START_MS + index * BUCKET_MS;
          inverter.add({
            tsMs,
            powers: {},
            counters: { pv: 1e6 + (index * acW) / 12, acOut: 1e6 + (index * acW) / 12, acIn: 0 },
          });
          const soldWh = 1e6 + offsetWh + (index * (acW - loadW)) / 12;
          meter.add({ tsMs, powers: {}, counters: { import: 5e5, export: Math.floor(soldWh / 100) * 100 } });
        }
        const meterAt = new Map(meter.takeChanged().map((bucket) => [bucket.bucketMs, bucket]));
        const readings = inverter.takeChanged().flatMap((bucket): SiteReadings[] => {
          const other = meterAt.get(bucket.bucketMs);
          return other === undefined
            ? []
            : [
                {
                  bucketMs: bucket.bucketMs,
                  byDevice: new Map([
                    [1, bucket],
                    [3, other],
                  ]),
                  excused: new Set([2, 4, 5]),
                },
              ];
        });
        const topology = { devices: TOPOLOGY.devices.filter(({ deviceKey }) => deviceKey === 1 || deviceKey === 3) };
        const site = siteBuckets(readings, topology, () => '');
        // No more than the steps of the counter at both ends.
        expect(Math.abs(total(site, ({ loadWh }) => loadWh) - 12 * loadW)).toBeLessThan(300);
      }),
    );
  });
});
