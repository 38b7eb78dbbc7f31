import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aligned, type CurveData, daysOn, layingUpon, momentOf, nextSample, sampleAt, timesOf } from './curves.ts';

const BERLIN = 'Europe/Berlin';
const HOUR_MS = 3_600_000;
const at = (text: string) => Date.parse(text);

const curve = fc
  .uniqueArray(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 60 })
  .chain((times) =>
    fc
      .array(fc.option(fc.integer({ min: -9, max: 9 })), { minLength: times.length, maxLength: times.length })
      .map((values): CurveData => ({ timesMs: times.toSorted((a, b) => a - b), values })),
  );

test('times that are told as distances are the moments that they were', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1e6 }), { maxLength: 50 }), (steps) => {
      const moments = steps.map((_, place) => 1.7e12 + steps.slice(0, place).reduce((sum, step) => sum + step, 0));
      const told = moments.map((each, place) => (place === 0 ? each : each - (moments[place - 1] ?? 0)));
      expect(timesOf({ times: [told] })).toEqual([moments]);
    }),
  );
});

test('curves of different times are drawn on one axis: each keeps its own values, and what it does not tell is no gap', () => {
  fc.assert(
    fc.property(fc.array(curve, { minLength: 1, maxLength: 4 }), (curves) => {
      const { timesMs, values } = aligned(curves);
      expect(timesMs).toEqual([...new Set(curves.flatMap((each) => each.timesMs))].toSorted((a, b) => a - b));
      for (const [place, each] of curves.entries()) {
        const told = timesMs.flatMap((tsMs, column) =>
          values[place]?.[column] === undefined ? [] : [[tsMs, values[place]?.[column]]],
        );
        expect(told).toEqual(each.timesMs.map((tsMs, sample) => [tsMs, each.values[sample]]));
      }
    }),
  );
});

describe('the cursor', () => {
  const gapped: CurveData = { timesMs: [0, 10, 11, 100, 110], values: [1, 2, null, 3, 4] };

  test('reads the nearest sample, and nothing within a gap', () => {
    expect(sampleAt(gapped, 4)).toEqual({ tsMs: 0, value: 1 });
    expect(sampleAt(gapped, 6)).toEqual({ tsMs: 10, value: 2 });
    expect(sampleAt(gapped, 50)).toBeUndefined();
    expect(sampleAt(gapped, 106)).toEqual({ tsMs: 110, value: 4 });
    expect(sampleAt(gapped, -1)).toBeUndefined();
  });

  test('steps through every sample of all curves and through nothing else, both ways', () => {
    fc.assert(
      fc.property(fc.array(curve, { minLength: 1, maxLength: 3 }), (curves) => {
        const all = [
          ...new Set(curves.flatMap(({ timesMs, values }) => timesMs.filter((_, place) => values[place] !== null))),
        ].toSorted((a, b) => a - b);
        const walk = (from: number, by: 1 | -1): number[] => {
          const seen: number[] = [];
          for (let next = nextSample(curves, from, by); next !== undefined; next = nextSample(curves, next, by))
            seen.push(next);
          return seen;
        };
        expect(walk(-1, 1)).toEqual(all);
        expect(walk(20_000, -1)).toEqual(all.toReversed());
      }),
    );
  });
});

describe('a day that is laid upon another', () => {
  test('stands at the same time of its clock, also where one of the two has 23 or 25 hours', () => {
    const lay = layingUpon(1, BERLIN, BERLIN);
    const before = { timesMs: [at('2026-10-24T08:00Z'), at('2026-10-24T22:30Z')], values: [1, 2] };
    // From 10:00 CEST to 10:00 CET; 00:30 of the day of 25 hours is the same on both.
    expect(lay(before).timesMs).toEqual([at('2026-10-25T09:00Z'), at('2026-10-25T23:30Z')]);
    expect(daysOn(at('2026-03-28T11:00Z'), 1, BERLIN)).toBe(at('2026-03-29T10:00Z'));
  });

  test('of a plant elsewhere stands at the time that its own clock showed', () => {
    const lay = layingUpon(0, 'America/New_York', BERLIN);
    expect(lay({ timesMs: [at('2026-06-10T16:00Z')], values: [1] }).timesMs).toEqual([at('2026-06-10T10:00Z')]);
  });

  test('goes on in time whatever the clocks do', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at('2026-03-27T00:00Z'), max: at('2026-03-30T00:00Z') }),
        fc.integer({ min: 1, max: 30 }),
        (startMs, days) => {
          const timesMs = Array.from({ length: 96 }, (_, quarter) => startMs + quarter * 900_000);
          const told = layingUpon(days, BERLIN, BERLIN)({ timesMs, values: timesMs.map((_, place) => place) });
          for (const [place, tsMs] of told.timesMs.entries())
            if (place > 0) expect(tsMs).toBeGreaterThan(told.timesMs[place - 1] ?? 0);
          expect(told.timesMs.length).toBe(told.values.length);
        },
      ),
    );
  });

  test('a moment that a clock shows twice is the first, one that it leaves out the one after', () => {
    expect(momentOf(Date.UTC(2026, 9, 25, 2, 30), BERLIN)).toBe(at('2026-10-25T00:30Z'));
    expect(momentOf(Date.UTC(2026, 2, 29, 2, 30), BERLIN) - at('2026-03-29T01:00Z')).toBeLessThan(HOUR_MS);
  });
});
