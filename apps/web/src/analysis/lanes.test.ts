import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Plotted, plottedOf, queryOfPlotted, viewOfPlotted } from './address.ts';
import { laneHeights, laneRange, lanesOf, powerUnit, roundValues, within, zoomed } from './lanes.ts';
import { looksOf } from './shown-look.ts';
import { timeTicks } from './time-text.ts';

const HOUR_MS = 3_600_000;
const whole = { fromMs: 0, toMs: 15 * 24 * HOUR_MS };
/** In the smallest steps that devices tell. */
const amount = fc.integer({ min: -1e9, max: 1e9 }).map((steps) => steps / 1_000);

test('units have a lane each, four at most, and the first is twice as high', () => {
  const lanes = lanesOf(['W', '%', 'W', 'V', 'A', 'Hz'].map((unit, key) => ({ unit, key })));
  expect(lanes.map(({ unit, curves }) => [unit, curves.map(({ key }) => key)])).toEqual([
    ['W', [0, 2]],
    ['%', [1]],
    ['V', [3]],
    ['A', [4]],
  ]);
  expect(laneHeights(4, 500)).toEqual([200, 100, 100, 100]);
});

test('curves of a lane never look alike, neither by colour nor by dashes', () => {
  for (const variable of ['DC/Mppt1/Power', 'Temp/Heatsink']) {
    const looks = [
      ...looksOf(
        Array.from({ length: 6 }, (_, place) => ({ key: `${place}`, unit: 'W', name: { variable } })),
      ).values(),
    ];
    expect(new Set(looks.map(({ colour }) => colour)).size).toBe(6);
    expect(new Set(looks.map(({ dash }) => dash.join())).size).toBe(6);
  }
});

test('sun, battery, grid and house have the colours that they have everywhere, in whatever order they are plotted', () => {
  const variables = ['AC/L1/Power', 'Bat/Soc', 'Load/Power', 'DC/Mppt1/Power', 'Temp/Heatsink', 'DC/Mppt2/Power'];
  for (const order of [variables, variables.toReversed()]) {
    const looks = looksOf(order.map((variable) => ({ key: variable, unit: 'W', name: { variable } })));
    const colourOf = (variable: string) => looks.get(variable)?.colour;
    expect(colourOf('Bat/Soc')).toBe('var(--battery)');
    expect(colourOf('AC/L1/Power')).toBe('var(--grid)');
    expect(colourOf('Load/Power')).toBe('var(--load)');
    expect([colourOf('DC/Mppt1/Power'), colourOf('DC/Mppt2/Power')]).toContain('var(--pv)');
    expect(new Set(order.map(colourOf)).size).toBe(order.length);
  }
});

test('powers of a lane have one unit: that of the largest among them', () => {
  expect(powerUnit([0, -120, 999])).toEqual({ unit: 'W', holds: 1 });
  expect(powerUnit([null, 20, -1_000])).toEqual({ unit: 'kW', holds: 1_000 });
  expect(powerUnit([3_400_000])).toEqual({ unit: 'MW', holds: 1_000_000 });
  expect(powerUnit([])).toEqual({ unit: 'W', holds: 1 });
});

test('a lane holds all its values, with zero among them where the unit asks for it', () => {
  fc.assert(
    fc.property(fc.constantFrom('W', 'V', '%', 'degC'), amount, amount, (unit, one, other) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)];
      const [low, high] = laneRange(unit, min, max);
      expect(low).toBeLessThanOrEqual(min);
      expect(high).toBeGreaterThan(max);
      if (unit === 'W' || unit === '%') {
        expect(low).toBeLessThanOrEqual(0);
        expect(high).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test('lines of a lane are round values within it, neither none nor a crowd', () => {
  fc.assert(
    fc.property(amount, fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (low, span) => {
      const values = roundValues(low, low + span, 5);
      expect(values.length).toBeGreaterThan(0);
      expect(values.length).toBeLessThanOrEqual(6);
      for (const value of values) expect(value).toBeGreaterThanOrEqual(low - span * 1e-6);
    }),
  );
});

describe('a part of the time', () => {
  const moment = fc.integer({ min: whole.fromMs, max: whole.toMs });

  test('stays within the whole and is never shorter than can be read, however it is drawn or zoomed', () => {
    fc.assert(
      fc.property(
        moment,
        moment,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        moment,
        (one, other, factor, around) => {
          const part = within({ fromMs: Math.min(one, other), toMs: Math.max(one, other) }, whole);
          for (const each of [part, zoomed(part, factor, around, whole)]) {
            expect(each.fromMs).toBeGreaterThanOrEqual(whole.fromMs);
            expect(each.toMs).toBeLessThanOrEqual(whole.toMs + 1);
            expect(each.toMs - each.fromMs).toBeGreaterThanOrEqual(119_999);
          }
        },
      ),
    );
  });

  test('keeps the moment that it is zoomed around where it is', () => {
    expect(zoomed({ fromMs: 10 * HOUR_MS, toMs: 20 * HOUR_MS }, 0.5, 12 * HOUR_MS, whole)).toEqual({
      fromMs: 11 * HOUR_MS,
      toMs: 16 * HOUR_MS,
    });
  });
});

describe('the axis of time', () => {
  const berlin = 'Europe/Berlin';
  const ticks = (fromMs: number, toMs: number, widthPx = 800) =>
    timeTicks({ fromMs, toMs }, widthPx, berlin).map((tsMs) => new Date(tsMs).toISOString().slice(5, 16));

  test('has round times of the plant’s clock on days of 23 and 25 hours', () => {
    const spring = ticks(Date.parse('2026-03-28T23:00Z'), Date.parse('2026-03-29T22:00Z'), 500);
    expect(spring[0]).toBe('03-28T23:00');
    for (const tick of spring) {
      const hour = Number(
        new Intl.DateTimeFormat('en-GB', { timeZone: berlin, hour: '2-digit' }).format(Date.parse(`2026-${tick}Z`)),
      );
      expect(hour % 3).toBe(0);
    }
    const autumn = ticks(Date.parse('2026-10-24T22:00Z'), Date.parse('2026-10-25T23:00Z'), 1_400);
    expect(new Set(autumn).size).toBe(autumn.length);
    expect(autumn).toContain('10-25T00:00');
    expect(autumn).not.toContain('10-25T01:00');
  });

  test('has no more labels than there is room for, and some, whatever part is looked at', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 120_000, max: whole.toMs }),
        fc.integer({ min: 280, max: 1_600 }),
        (spanMs, widthPx) => {
          const startMs = Date.parse('2026-06-01T22:00Z');
          const count = timeTicks({ fromMs: startMs, toMs: startMs + spanMs }, widthPx, berlin).length;
          expect(count).toBeGreaterThan(0);
          expect(count).toBeLessThanOrEqual(widthPx / 38 + 1);
        },
      ),
    );
  });
});

describe('the address', () => {
  const deviceID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  const plotted: Plotted = {
    curves: [
      { deviceID, variable: 'DC/String1/Current' },
      { deviceID, variable: 'Bat/Soc' },
    ],
    span: 'long',
    day: '2026-06-16',
    compared: { daysBefore: 15 },
  };

  test('says all that is plotted, and is read as it was written', () => {
    expect(plottedOf(queryOfPlotted(plotted))).toEqual(plotted);
    const other = { ...plotted, compared: { deviceID }, day: undefined, span: 'day' as const };
    expect(plottedOf(queryOfPlotted(other))).toEqual(other);
  });

  test('of a view has no day: it ends with the running one', () => {
    expect(plottedOf(viewOfPlotted(plotted))).toEqual({ ...plotted, day: undefined });
  });

  test('that says nonsense is read as nothing', () => {
    expect(plottedOf({ c1: 'x:y', c2: `${deviceID}:`, span: 'year', date: '2026-13-01', vs: '-3' })).toEqual({
      curves: [],
      span: 'day',
      day: undefined,
      compared: undefined,
    });
  });
});
