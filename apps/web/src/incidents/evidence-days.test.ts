import { describe, expect, test } from 'vitest';
import { timeTextsOf } from '../analysis/time-text.ts';
import { axisOf, breaksOf, joined, joinedTimes, momentAt, onAxis, panesOf, stoodOn } from './evidence-days.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const at = (text: string): number => Date.parse(text);
/** The day before, the day on which it began, and today, nine days later; midnight in Berlin. */
const starts = ['2026-06-04T22:00:00Z', '2026-06-06T22:00:00Z', '2026-06-15T22:00:00Z'].map(at);
const days = ['2026-06-05', '2026-06-07', '2026-06-16'].map((day, place) => ({
  day,
  startMs: starts[place] ?? 0,
  endMs: (starts[place] ?? 0) + DAY_MS,
}));
const panes = panesOf(days);
const [first, second, third] = panes;
if (!first || !second || !third) throw new Error('three days have three panes');

test('days that are apart lie side by side', () => {
  expect(axisOf(panes)).toEqual({ fromMs: starts[0], toMs: (starts[0] ?? 0) + 3 * DAY_MS });
  const noon = at('2026-06-16T10:00:00Z');
  expect(onAxis(third, noon)).toBe((starts[0] ?? 0) + 2 * DAY_MS + 12 * HOUR_MS);
  expect(momentAt(panes, onAxis(third, noon))).toBe(noon);
});

test('the axis is torn where days are left out, and nowhere else', () => {
  expect(breaksOf(panes)).toEqual([second.atMs, third.atMs]);
  const following = [0, 1, 2].map((day) => ({ day: `${day}`, startMs: day * DAY_MS, endMs: (day + 1) * DAY_MS }));
  expect(breaksOf(panesOf(following))).toEqual([]);
});

test('a day of 23 hours takes less room', () => {
  const short = panesOf([
    { day: '2026-03-29', startMs: 0, endMs: 23 * HOUR_MS },
    { day: '2026-03-30', startMs: 50 * HOUR_MS, endMs: 74 * HOUR_MS },
  ]);
  expect(short[1]?.atMs).toBe(23 * HOUR_MS);
});

test('curves are broken between days, and a day without a value leaves its room empty', () => {
  const curve = (place: number, values: number[]) => ({
    key: 'a',
    timesMs: values.map((_, hour) => (starts[place] ?? 0) + hour * HOUR_MS),
    values,
  });
  const [told] = joined(panes, [[curve(0, [1, 2])], [], [curve(2, [3])]]);
  expect(told?.values).toEqual([1, 2, null, 3]);
  expect(told?.timesMs.map((each) => (each - (starts[0] ?? 0)) / HOUR_MS)).toEqual([0, 1, 24.5, 48]);
});

test('what stood is tinted on each of the days, until now where it goes on', () => {
  const since = at('2026-06-07T11:00:00Z');
  const now = at('2026-06-16T11:00:00Z');
  expect(stoodOn(panes, [{ sinceMs: since, untilMs: null }], now)).toEqual([
    { fromMs: onAxis(second, since), toMs: second.atMs + DAY_MS },
    { fromMs: third.atMs, toMs: onAxis(third, now) },
  ]);
  expect(stoodOn(panes, [{ sinceMs: since - 9 * DAY_MS, untilMs: since - 8 * DAY_MS }], now)).toEqual([]);
});

describe('times', () => {
  const times = joinedTimes(panes, timeTextsOf({ locale: 'de-DE' }, 'Europe/Berlin'));

  test('each day begins with its name, and its hours follow', () => {
    const ticks = times.ticks(axisOf(panes), 700);
    expect(times.tickLabels(ticks)).toEqual([
      ...['5. Juni', '06:00', '12:00', '18:00'],
      ...['7. Juni', '06:00', '12:00', '18:00'],
      ...['16. Juni', '06:00', '12:00', '18:00'],
    ]);
  });

  test('a moment is told with the day on which it was', () => {
    const noon = onAxis(second, at('2026-06-07T10:00:00Z'));
    expect(times.moment(noon, axisOf(panes))).toContain('7. Juni');
    expect(times.full(noon)).toContain('12:00');
  });
});
