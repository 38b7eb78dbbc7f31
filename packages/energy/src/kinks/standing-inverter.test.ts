import { expect, test } from 'vitest';
import { explainKink } from './explain-kink.ts';
import type { Kink } from './find-kinks.ts';
import type { KinkEvidence } from './kink-evidence.ts';

const BUCKET_MS = 300_000;
/** A quarter of an hour before, twenty buckets of a drop of which the cloud at its beginning is the deepest place. */
const kink = { shape: 'fall', fromMs: 3 * BUCKET_MS, toMs: 23 * BUCKET_MS, deepestMs: 4 * BUCKET_MS } as Kink;
const cloudy = [10, 10, 10, 3, 2, 3, ...new Array<number>(20).fill(6)];

function evidence(second: readonly number[]): KinkEvidence {
  return {
    startMs: 0,
    bucketMs: BUCKET_MS,
    pvW: cloudy.map((watts, at) => watts + (second[at] ?? 0)),
    clearW: null,
    gridW: cloudy.map(() => 500),
    batteryW: cloudy.map(() => 0),
    socPercent: [],
    inverters: [cloudy, second].map((pvW, at) => ({ device: `I${at + 1}`, ratedW: null, pvW, strings: [] })),
    irradianceWm2: null,
    alarms: [],
    changes: [],
    neighbours: [],
  };
}

test('an inverter that stands while the other runs on is the reason of a drop that a cloud began', () => {
  expect(explainKink(kink, evidence(cloudy)).map(({ kind }) => kind)).toEqual(['cloud']);
  const still = cloudy.map((watts, at) => (at >= 8 && at < 20 ? 0 : watts));
  expect(explainKink(kink, evidence(still))).toMatchObject([
    { kind: 'inverter', evidence: { device: 'I2', percent: 0, others: 1, othersPercent: 60 } },
  ]);
});

test('one that stands for less than half an hour, or with the others, is no reason', () => {
  for (const until of [13, 8])
    expect(
      explainKink(kink, evidence(cloudy.map((watts, at) => (at >= 8 && at < until ? 0 : watts)))).map(
        ({ kind }) => kind,
      ),
    ).toEqual(['cloud']);
});
