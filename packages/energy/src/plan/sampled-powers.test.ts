import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_MS } from '../accounting/bucket-span.ts';
import { recordedSpan } from './recorded-span.ts';
import { recordedSurplus } from './recorded-surplus.ts';
import { BUCKET_SLOTS, laidOnSlots, MOST_APART_MS, SLOT_MS, sampledSurplus } from './sampled-powers.ts';
import { BUCKET_MINUTES } from './surplus-course.ts';

const ZONE = 'Europe/Berlin';
const START_MS = Date.parse('2026-06-14T22:00:00Z');
const NONE = { importWh: 0, exportWh: 0, chargeWh: 0, dischargeWh: 0, demandWh: 100, socPercent: 50 };
const ranAs = {
  maxChargeW: 5_000,
  maxDischargeW: 5_000,
  ratedAcW: 8_000,
  mode: 'selfUse',
  exportLimitW: null,
  minSocPercent: 10,
} as const;

const bounds = (buckets: number) => ({ startMs: START_MS, endMs: START_MS + buckets * BUCKET_MS });
const spanOf = (buckets: readonly Partial<typeof NONE>[]) =>
  recordedSpan(
    buckets.map((own, place) => ({ ...NONE, ...own, tsMs: START_MS + place * BUCKET_MS })),
    bounds(buckets.length),
    ZONE,
  );

const energy = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 600, noNaN: true }));
const energies = fc.record({ importWh: energy, exportWh: energy, chargeWh: energy, dischargeWh: energy });
const power = fc.oneof(fc.constant(0), fc.double({ min: -9_000, max: 9_000, noNaN: true }), fc.constant(Number.NaN));

describe('surplus by samples', () => {
  test('keeps the accounted energies of every bucket exactly, whatever was sampled', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            own: energies,
            gridW: fc.array(power, { minLength: 30, maxLength: 30 }),
            batteryW: fc.array(power, { minLength: 30, maxLength: 30 }),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        (buckets) => {
          const span = spanOf(buckets.map(({ own }) => own));
          const samples = {
            gridW: Float64Array.from(buckets.flatMap(({ gridW }) => gridW)),
            batteryW: Float64Array.from(buckets.flatMap(({ batteryW }) => batteryW)),
          };
          const { from, powerW, share, meanW } = recordedSurplus(span, () => ranAs, samples);
          buckets.forEach(({ own }, place) => {
            const netWh = own.exportWh + own.chargeWh - own.importWh - own.dischargeWh;
            let wh = 0;
            for (let minute = place * BUCKET_MINUTES; minute < (place + 1) * BUCKET_MINUTES; minute += 1) {
              let shares = 0;
              for (let at = from[minute] as number; at < (from[minute + 1] as number); at += 1) {
                shares += share[at] as number;
                wh += ((powerW[at] as number) * (share[at] as number)) / 60;
              }
              expect(shares).toBeCloseTo(1, 9);
            }
            expect(wh).toBeCloseTo(netWh, 8);
            expect(((meanW[place] as number) * BUCKET_MS) / 3_600_000).toBeCloseTo(netWh, 8);
          });
        },
      ),
    );
  });

  test('puts a change of powers where the accounted energies tell that it was', () => {
    const gridW = new Float64Array(BUCKET_SLOTS).fill(3_000, 0, 12);
    const batteryW = new Float64Array(BUCKET_SLOTS).fill(2_000, 0, 12);
    const lastedSlots = 9.5;
    const wh = (watt: number) => (watt * lastedSlots * SLOT_MS) / 3_600_000;
    const span = spanOf([{ importWh: wh(3_000), dischargeWh: wh(2_000) }]);
    const sampled = sampledSurplus(span, 0, { gridW, batteryW });
    expect(sampled?.powerW[0]).toBeCloseTo(-5_000, -1);
    expect(sampled?.powerW[1]).toBeCloseTo(0, -1);
    expect(sampled?.share[0]).toBeCloseTo(lastedSlots / BUCKET_SLOTS, 3);
  });

  test('brings powers that last to the accounted energies', () => {
    const even = (watt: number) => new Float64Array(BUCKET_SLOTS).fill(watt);
    const sampled = sampledSurplus(spanOf([{ importWh: 110, chargeWh: 45 }]), 0, {
      gridW: even(1_200),
      batteryW: even(-600),
    });
    expect([...(sampled?.powerW ?? [])]).toEqual([expect.closeTo(-(110 - 45) * 12, 6)]);
  });

  test('is not believed where a slot was not told, or where it tells of other energies than were accounted', () => {
    const even = (watt: number) => new Float64Array(BUCKET_SLOTS).fill(watt);
    const span = spanOf([{ importWh: 100 }]);
    expect(sampledSurplus(span, 0, { gridW: even(1_200), batteryW: even(0) })).not.toBeNull();
    expect(sampledSurplus(span, 0, { gridW: even(1_200).fill(Number.NaN, 7, 8), batteryW: even(0) })).toBeNull();
    expect(sampledSurplus(span, 0, { gridW: even(1_200), batteryW: even(0).fill(Number.NaN, 29) })).toBeNull();
    expect(sampledSurplus(span, 0, { gridW: even(200), batteryW: even(0) })).toBeNull();
    expect(sampledSurplus(span, 0, { gridW: even(-1_200), batteryW: even(0) })).toBeNull();
  });
});

describe('samples on slots', () => {
  const at = (...seconds: number[]) => seconds.map((second) => START_MS + second * 1_000);

  test('hold until half way to the next, and each slot has the mean of those within it', () => {
    const laid = laidOnSlots(at(-15, 15, 45, 51, 58), [100, 200, 300, 400, 500], bounds(1));
    expect([...laid.subarray(0, 7)]).toEqual([200, 200, 200, 300, 300, 450, Number.NaN]);
  });

  test('say nothing of what lies between two that are too far apart', () => {
    const laid = laidOnSlots(at(0, 100, 100 + MOST_APART_MS / 1_000 + 1, 299), [1, 2, 3, 4], bounds(1));
    const known = [...laid].flatMap((watt, slot) => (Number.isNaN(watt) ? [] : [slot]));
    expect(known).toEqual([
      ...Array.from({ length: 10 }, (_, slot) => slot),
      ...Array.from({ length: 7 }, (_, slot) => 23 + slot),
    ]);
  });

  test('that lack a power are as if they were not there', () => {
    const span = bounds(1);
    const times = Array.from({ length: 40 }, (_, place) => START_MS - 30_000 + place * SLOT_MS);
    const lacking = times.map((_, place) => (place % 2 === 0 ? place : Number.NaN));
    const alone = times.filter((_, place) => place % 2 === 0);
    expect(laidOnSlots(times, lacking, span)).toEqual(
      laidOnSlots(
        alone,
        lacking.filter((watt) => !Number.isNaN(watt)),
        span,
      ),
    );
  });
});
