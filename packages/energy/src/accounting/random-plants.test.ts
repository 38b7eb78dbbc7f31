import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_MS, bucketStart } from './bucket-span.ts';
import { type DeviceBucket, DeviceLedger } from './buckets.ts';
import { ChannelReach, type ReachFacts, UNKNOWN_REACH_W } from './channel-reach.ts';
import type { DeviceSample, EnergyChannel, PowerChannel } from './channels.ts';
import type { DeviceKind } from './device-sample.ts';

const START_MS = Date.UTC(2026, 5, 1, 10);
const PIECE_MS = 300_000;
const HOUR_MS = 3_600_000;
const MARGIN = 1.2;
/** Levels of what was learned are eighths of an octave. */
const LEVEL = 2 ** (1 / 8);

const CHANNELS: readonly {
  kind: DeviceKind;
  energy: EnergyChannel;
  power: PowerChannel;
  sign: 1 | -1;
  smallestW: number;
}[] = [
  { kind: 'inverter', energy: 'pv', power: 'pv', sign: 1, smallestW: 800 },
  { kind: 'inverter', energy: 'acOut', power: 'ac', sign: 1, smallestW: 800 },
  { kind: 'meter', energy: 'import', power: 'grid', sign: 1, smallestW: 3_680 },
  { kind: 'meter', energy: 'export', power: 'grid', sign: -1, smallestW: 3_680 },
  { kind: 'battery', energy: 'charge', power: 'battery', sign: -1, smallestW: 800 },
  { kind: 'pile', energy: 'charger', power: 'charger', sign: 1, smallestW: 3_680 },
];

/** What is known of a plant: its rating, its size, its power, or none of these. */
const KNOWLEDGE = ['rating', 'size', 'power', 'nothing'] as const;

interface Plant {
  channel: (typeof CHANNELS)[number];
  fullW: number;
  facts: ReachFacts;
  hasPower: boolean;
  intervalMs: number;
  resolutionWh: number;
  startWh: number;
  /** Share of full power in each piece of five minutes. */
  pieces: readonly number[];
}

const WIDTHS = [2 ** 16, 2 ** 32];

const plants = fc
  .record({
    channel: fc.constantFrom(...CHANNELS),
    // Up to the connection of a house where nothing is known; beyond, a rating, a size or a power tells.
    power: fc.double({ min: Math.log(300), max: Math.log(2e6), noNaN: true }).map(Math.exp),
    knowledge: fc.constantFrom(...KNOWLEDGE),
    hasPower: fc.boolean(),
    intervalMs: fc.constantFrom(10_000, 30_000, 60_000, 300_000, 600_000, 900_000),
    resolutionWh: fc.constantFrom(1, 10, 100, 1_000),
    stands: fc.oneof(
      fc.double({ min: 0, max: 65_000, noNaN: true }),
      fc.double({ min: 0, max: 1e8, noNaN: true }),
      fc
        .tuple(fc.constantFrom(65_536, 655_360, 6_553_600, 2 ** 32), fc.double({ min: 0, max: 1, noNaN: true }))
        .map(([width, below]) => width - below * 60_000),
    ),
    pieces: fc.array(
      fc.oneof(
        fc.constant(0),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.9, max: 1, noNaN: true }),
      ),
      { minLength: 40, maxLength: 40 },
    ),
  })
  .map(({ channel, power, knowledge, stands, ...plant }): Plant => {
    const hasSize = knowledge === 'size' && channel.kind === 'inverter';
    const hasPower = plant.hasPower || knowledge === 'power' || (knowledge === 'size' && !hasSize);
    const fullW = knowledge === 'nothing' && !hasPower ? Math.min(power, UNKNOWN_REACH_W) : power;
    return {
      ...plant,
      channel,
      fullW,
      hasPower,
      startWh: Math.floor(Math.max(0, stands) / plant.resolutionWh) * plant.resolutionWh,
      facts: {
        kind: channel.kind,
        ...(knowledge === 'rating' && { ratedW: fullW }),
        ...(hasSize && { plantW: fullW }),
      },
      // At some time it is seen to run at full power.
      pieces: [...plant.pieces, 1, 1, 1, 1, 1, 1, 1],
    };
  });

interface Truth {
  sample: DeviceSample;
  /** What has flowed since the first reading, as the undamaged counter says. */
  wh: number;
}

function seriesOf(plant: Plant): Truth[] {
  const { channel, fullW, hasPower, intervalMs, resolutionWh, startWh, pieces } = plant;
  const powerAt = (tsMs: number) => (pieces[Math.floor((tsMs - START_MS) / PIECE_MS)] ?? 0) * fullW;
  const energyAt = (tsMs: number) => {
    let wh = 0;
    for (let atMs = START_MS; atMs < tsMs; atMs += PIECE_MS) {
      wh += (powerAt(atMs) * Math.min(PIECE_MS, tsMs - atMs)) / HOUR_MS;
    }
    return wh;
  };
  const series: Truth[] = [];
  // Of frequent reports the last stretch, which holds the full power, and some before.
  const lastMs = START_MS + pieces.length * PIECE_MS - 1_000;
  const firstMs = Math.max(START_MS, lastMs - 400 * intervalMs);
  const countAt = (tsMs: number) =>
    Math.floor((startWh + energyAt(tsMs) - energyAt(firstMs)) / resolutionWh + 1e-9) * resolutionWh;
  for (let tsMs = firstMs; tsMs <= lastMs; tsMs += intervalMs) {
    const wh = countAt(tsMs);
    series.push({
      wh: wh - countAt(firstMs),
      sample: {
        tsMs,
        powers: hasPower ? { [channel.power]: channel.sign * powerAt(tsMs) } : {},
        counters: { [channel.energy]: wh },
      },
    });
  }
  return series;
}

/** What a ledger counts that knows what there is to know of the device by the end, as after accounting anew. */
function countedWh(plant: Plant, samples: readonly DeviceSample[]): { wh: number; openedWh: number | undefined } {
  const { energy } = plant.channel;
  const reach = new ChannelReach(plant.facts);
  for (const isLearning of [true, false]) {
    const ledger = new DeviceLedger({ reach });
    for (const sample of samples) ledger.add(sample);
    if (isLearning) continue;
    const wh = ledger.takeChanged().reduce((sum, { energyWh }) => sum + (energyWh[energy] ?? 0), 0);
    return { wh, openedWh: ledger.takeOpened()?.get(energy)?.wh };
  }
  throw new Error('unreachable');
}

/** Most that one reporting interval at full power gives, as far as it can be known, and some steps of the counter. */
function intervalWh({ channel, fullW, facts, hasPower, intervalMs, resolutionWh }: Plant, intervals = 1): number {
  const isKnown = facts.ratedW !== undefined || facts.plantW !== undefined || hasPower;
  const knownW = isKnown ? Math.max(fullW, channel.smallestW) : Math.max(fullW, UNKNOWN_REACH_W);
  const dcShare = channel.power === 'pv' && facts.ratedW !== undefined ? 1.5 : 1;
  // A counter of which no power is told may be read more often than it is counted.
  const elapsedMs = hasPower ? intervalMs * intervals : Math.max(intervalMs * intervals, 900_000);
  return (knownW * dcShare * LEVEL * MARGIN * elapsedMs) / HOUR_MS + 3 * Math.max(100, resolutionWh);
}

/** A fall by no more than two units in the last place of a float32 cannot be told from rounding: the base stays. */
const roundingWh = (standWh: number) => standWh * 2 ** -22;

const withCounter = (plant: Plant, { sample }: Truth, wh: number): DeviceSample => ({
  ...sample,
  counters: { [plant.channel.energy]: wh },
});

const quantise = (plant: Plant, wh: number) => Math.floor(wh / plant.resolutionWh) * plant.resolutionWh;

const places = fc.double({ min: 0.05, max: 0.9, noNaN: true });
const elsewhere = fc.oneof(
  fc.double({ min: 0, max: 1e8, noNaN: true }),
  fc.double({ min: 0, max: 70_000, noNaN: true }),
  fc.constantFrom(0, 65_535, 655_350, 6_553_500, 2 ** 32 - 1),
);

/** Which readings of the counter are told: all for a while, then each so-many-th or none, and odd ones after pauses. */
const tellings = fc.record({
  toldUntil: fc.double({ min: 0.02, max: 0.6, noNaN: true }),
  thenEach: fc.option(fc.integer({ min: 2, max: 150 }), { nil: undefined }),
  /** Of those that are told rarely, whether the counter stands. */
  stands: fc.boolean(),
  odd: fc.array(
    fc.record({
      place: fc.double({ min: 0.05, max: 0.99, noNaN: true }),
      wh: fc.oneof(fc.constantFrom(0, 2 ** 32 - 1, Number.NaN, -1), elsewhere),
      times: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 0, maxLength: 3 },
  ),
});

type Telling = typeof tellings extends fc.Arbitrary<infer T> ? T : never;

function toldSamples(plant: Plant, { toldUntil, thenEach, stands, odd }: Telling): DeviceSample[] {
  const series = seriesOf(plant);
  const last = Math.max(1, Math.floor(toldUntil * series.length));
  return series.map((truth, index) => {
    const oddOne = odd.find(({ place, times }) => {
      const at = Math.floor(place * series.length);
      return index >= at && index < at + times;
    });
    if (oddOne !== undefined) return withCounter(plant, truth, oddOne.wh);
    if (index <= last) return truth.sample;
    if (thenEach === undefined || index % thenEach !== 0) return { ...truth.sample, counters: {} };
    return stands ? withCounter(plant, truth, plant.startWh + (series[last]?.wh ?? 0)) : truth.sample;
  });
}

/** Energies by bucket, of a device of which all is known that there is to know. */
function energiesOf({ channel: { energy } }: Plant, buckets: readonly DeviceBucket[]): Map<number, number> {
  return new Map(
    buckets.flatMap(({ bucketMs, energyWh }) => {
      const wh = energyWh[energy];
      return wh === undefined ? [] : [[bucketMs, Math.round(wh * 1e6) / 1e6] as const];
    }),
  );
}

function taughtReach(plant: Plant, samples: readonly DeviceSample[]): ChannelReach {
  const reach = new ChannelReach(plant.facts);
  const ledger = new DeviceLedger({ reach });
  for (const sample of samples) ledger.add(sample);
  return reach;
}

function wholeOf(reach: ChannelReach, samples: readonly DeviceSample[]): DeviceLedger {
  const ledger = new DeviceLedger({ reach, keepsAll: true });
  for (const sample of samples) ledger.add(sample);
  return ledger;
}

/** What a ledger that runs has written in the end; where it owes time, one that keeps all accounts that and goes on in its place. */
function writtenInOrder(plant: Plant, reach: ChannelReach, samples: readonly DeviceSample[]): Map<number, number> {
  let ledger = new DeviceLedger({ reach });
  const written = new Map<number, DeviceBucket>();
  const write = (buckets: readonly DeviceBucket[]) => {
    for (const bucket of buckets) written.set(bucket.bucketMs, bucket);
  };
  samples.forEach((sample, index) => {
    ledger.add(sample);
    write(ledger.takeChanged());
    const owedFromMs = ledger.takeOwed();
    if (owedFromMs === undefined) return;
    ledger = wholeOf(reach, samples.slice(0, index + 1));
    write(ledger.takeChanged().filter(({ bucketMs }) => bucketMs >= bucketStart(owedFromMs)));
    ledger.settle();
  });
  return energiesOf(
    plant,
    [...written.values()].sort((a, b) => a.bucketMs - b.bucketMs),
  );
}

describe('energy of random plants', () => {
  test('a counter that falls silent, is told seldom or told oddly after a pause counts the same in order and at once', () => {
    fc.assert(
      fc.property(plants, tellings, (plant, telling) => {
        const samples = toldSamples(plant, telling);
        const reach = taughtReach(plant, samples);
        const atOnce = energiesOf(plant, wholeOf(reach, samples).takeChanged());
        expect(writtenInOrder(plant, reach, samples)).toEqual(atOnce);
      }),
      { numRuns: 300 },
    );
  });

  test('of the time after the last reading that is believed nothing is told, whatever odd reading ends it', () => {
    fc.assert(
      fc.property(plants, tellings, (plant, telling) => {
        const silent = { ...telling, thenEach: undefined, odd: [] };
        const samples = toldSamples(plant, silent);
        const last = samples.findLastIndex(({ counters }) => counters[plant.channel.energy] !== undefined);
        const [odd] = telling.odd;
        const at = Math.floor((odd?.place ?? 0) * samples.length);
        const reach = taughtReach(plant, samples);
        const lastMs = samples[last]?.tsMs ?? 0;
        fc.pre(odd !== undefined && at > last && (samples[at]?.tsMs ?? 0) - lastMs > BUCKET_MS);
        // Far beyond what could have flowed, or below where the counter stood.
        const standWh = samples[last]?.counters[plant.channel.energy] ?? 0;
        const oddWh = standWh > 5_000 ? 0 : 1e12;
        const told = samples.map((sample, index) =>
          index === at ? { ...sample, counters: { [plant.channel.energy]: oddWh } } : sample,
        );
        const known = energiesOf(plant, wholeOf(reach, samples).takeChanged());
        expect(energiesOf(plant, wholeOf(reach, told).takeChanged())).toEqual(known);
        expect([...known.keys()].filter((bucketMs) => bucketMs > lastMs)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('an undamaged series counts exactly what its counter gained, at any interval, whatever is known', () => {
    fc.assert(
      fc.property(plants, (plant) => {
        const series = seriesOf(plant);
        const { wh, openedWh } = countedWh(
          plant,
          series.map(({ sample }) => sample),
        );
        expect(wh).toBeCloseTo(series.at(-1)?.wh ?? 0, 3);
        if (wh > 0) expect(openedWh).toBe(series[0]?.sample.counters[plant.channel.energy]);
      }),
      { numRuns: 300 },
    );
  });

  test('a reset, a replacement or a wrap invents no more than an interval at full power and loses no more than two', () => {
    fc.assert(
      fc.property(
        plants,
        places,
        fc.oneof(fc.constant<number | 'wrap'>('wrap'), fc.constant<number | 'wrap'>(0), elsewhere),
        (plant, place, to) => {
          const series = seriesOf(plant);
          const at = Math.max(2, Math.floor(place * series.length));
          const before = series[at - 1]?.wh ?? 0;
          // A register that one interval nearly fills passes its width again and again.
          const width =
            WIDTHS.map((units) => units * plant.resolutionWh).find(
              (each) => each > plant.startWh + before && each > 8 * intervalWh(plant),
            ) ?? 2 ** 48;
          const samples = series.map((truth, index) => {
            if (index < at) return truth.sample;
            if (to === 'wrap') return withCounter(plant, truth, (plant.startWh + truth.wh) % width);
            return withCounter(plant, truth, quantise(plant, to) + truth.wh - before);
          });
          const { wh } = countedWh(plant, samples);
          const trueWh = series.at(-1)?.wh ?? 0;
          expect(wh - trueWh).toBeLessThanOrEqual(intervalWh(plant));
          expect(trueWh - wh).toBeLessThanOrEqual(intervalWh(plant, 2) + roundingWh(plant.startWh + before));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('a spike and values of a boot invent no more than an interval at full power and lose nothing beyond their own time', () => {
    const nonsense = fc.oneof(
      fc.constantFrom(0, 2 ** 32 - 1, (2 ** 32 - 1) * 10, Number.NaN, -1, -5_000, Number.POSITIVE_INFINITY),
      elsewhere,
    );
    fc.assert(
      fc.property(plants, places, nonsense, fc.integer({ min: 1, max: 3 }), (plant, place, value, times) => {
        const series = seriesOf(plant);
        const at = Math.floor(place * series.length);
        const samples = series.map((truth, index) =>
          index >= at && index < at + times ? withCounter(plant, truth, value) : truth.sample,
        );
        const { wh } = countedWh(plant, samples);
        const trueWh = series.at(-1)?.wh ?? 0;
        expect(wh - trueWh).toBeLessThanOrEqual(intervalWh(plant));
        expect(trueWh - wh).toBeLessThanOrEqual(intervalWh(plant, times + 3));
      }),
      { numRuns: 500 },
    );
  });

  test('nonsense of a device that boots does not become the reading at which its counter begins', () => {
    const nonsense = fc.constantFrom(0, 2 ** 32 - 1, (2 ** 32 - 1) * 1_000, Number.NaN, -1);
    fc.assert(
      fc.property(plants, nonsense, fc.integer({ min: 1, max: 4 }), (plant, value, times) => {
        const far = { ...plant, startWh: quantise(plant, 1e7 + plant.startWh) };
        const series = seriesOf(far);
        const samples = series.map((truth, index) => (index < times ? withCounter(far, truth, value) : truth.sample));
        const { wh, openedWh } = countedWh(far, samples);
        const { energy } = far.channel;
        expect(openedWh).toBe(series[times]?.sample.counters[energy]);
        // Of the time before the first reading that is a number the power was integrated.
        const integratedWh = value >= 0 ? 0 : (times * far.fullW * far.intervalMs) / HOUR_MS;
        const apartWh = (openedWh ?? 0) + wh - (series.at(-1)?.sample.counters[energy] ?? 0);
        expect(apartWh).toBeGreaterThan(-0.001);
        expect(apartWh).toBeLessThan(integratedWh + 0.001);
      }),
      { numRuns: 300 },
    );
  });
});
