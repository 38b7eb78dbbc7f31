import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringRows } from './string-rows.ts';

const value = (variable: string, amount: number) => ({ variable, unit: '', value: amount, tsMs: 0 });
const tracker = (n: number, voltageV: number, currentA: number) => [
  value(`DC/Mppt${n}/Voltage`, voltageV),
  value(`DC/Mppt${n}/Current`, currentA),
  value(`DC/Mppt${n}/Power`, voltageV * currentA),
];
const strings = (...currents: number[]) =>
  currents.map((amount, place) => value(`DC/String${place + 1}/Current`, amount));

describe('strings side by side', () => {
  test('are on the tracker whose current they make up, with its voltage and their share of its power', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.double({ min: 2, max: 12, noNaN: true }), { minLength: 1, maxLength: 4 }), {
          minLength: 1,
          maxLength: 4,
        }),
        (trackers) => {
          const rows = stringRows([
            ...trackers.flatMap((currents, place) =>
              tracker(
                place + 1,
                600 + place,
                currents.reduce((sum, amount) => sum + amount, 0),
              ),
            ),
            ...strings(...trackers.flat()),
          ]);
          expect(rows.map((row) => row.tracker)).toEqual(
            trackers.flatMap((currents, place) => currents.map(() => place + 1)),
          );
          for (const row of rows) expect(row.powerW).toBeCloseTo((row.voltageV ?? 0) * (row.currentA ?? 0), 9);
        },
      ),
    );
  });

  test('are held against the others of their tracker without themselves, and without those that are weak', () => {
    const rows = stringRows([...tracker(1, 600, 25), ...strings(8, 10, 3, 4)]);
    expect(rows.map(({ percent }) => Math.round(percent ?? Number.NaN))).toEqual([80, 125, 33, 44]);
    expect(rows.map(({ weak }) => weak)).toEqual([false, false, true, true]);
  });

  test('have no neighbours on other trackers, whose light is another one', () => {
    const apart = [...tracker(1, 600, 7.24), ...tracker(2, 600, 4.57), ...strings(7.24, 4.57)];
    expect(stringRows(apart).map(({ percent, weak }) => [percent, weak])).toEqual([
      [null, false],
      [null, false],
    ]);
    // Where all of the plant lies in one plane, the second is weak, and the first has nobody left.
    expect(
      stringRows(apart, { isOnePlane: true }).map(({ percent, weak }) => [percent && Math.round(percent), weak]),
    ).toEqual([
      [null, false],
      [63, true],
    ]);
    const longer = [...tracker(1, 600, 7), ...tracker(2, 400, 5), ...strings(7, 5)];
    expect(stringRows(longer, { isOnePlane: true }).map(({ percent }) => percent)).toEqual([null, null]);
  });

  test('are weak only where they stay far behind strings of the same tracker', () => {
    const weak = (...currents: number[]) =>
      stringRows([
        ...tracker(
          1,
          600,
          currents.reduce((sum, amount) => sum + amount, 0),
        ),
        ...strings(...currents),
      ])
        .filter((row) => row.weak)
        .map((row) => row.n);
    expect(weak(8, 8.1, 7.9, 7.5)).toEqual([]);
    expect(weak(8, 8.1, 5, 6, 8)).toEqual([3]);
    expect(weak(0.4, 0.4, 0.1)).toEqual([]);
    // Two arrays of other directions in the evening: nothing is wrong with either.
    expect(stringRows([...tracker(1, 600, 2), ...tracker(2, 600, 7), ...strings(2, 7)]).some((row) => row.weak)).toBe(
      false,
    );
    expect(
      stringRows([...tracker(1, 600, 0.1), ...tracker(2, 600, 7), ...tracker(3, 600, 7), ...strings(0.1, 7, 7)])
        .filter((row) => row.weak)
        .map((row) => row.n),
    ).toEqual([1]);
  });

  test('tell no voltage where it does not follow on which tracker they are; trackers stand for strings that are not told', () => {
    const unknown = stringRows([...tracker(1, 600, 9), ...strings(1, 2, 3)]);
    expect(unknown.map((row) => [row.tracker, row.voltageV])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
    expect(stringRows([...tracker(1, 600, 9), ...tracker(2, 500, 9)]).map((row) => [row.kind, row.powerW])).toEqual([
      ['tracker', 5_400],
      ['tracker', 4_500],
    ]);
    expect(stringRows([value('AC/ActivePower', 3)])).toEqual([]);
  });
});
