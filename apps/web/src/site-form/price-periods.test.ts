import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dearness,
  divided,
  minuteOf,
  type PeriodValues,
  STEP_MINUTES,
  spanOf,
  timeAt,
  typedMinute,
  withoutPeriod,
  withStart,
} from './price-periods.ts';

const begun: readonly PeriodValues[] = [{ from: '00:00', price: 0.3 }];
const step = fc.oneof(
  fc.record({ what: fc.constant('move' as const), at: fc.nat(30), minute: fc.integer({ min: -300, max: 2_000 }) }),
  fc.record({ what: fc.constant('divide' as const), at: fc.nat(30), minute: fc.constant(0) }),
  fc.record({ what: fc.constant('remove' as const), at: fc.nat(30), minute: fc.constant(0) }),
);

test('however periods are drawn, divided and taken out, they cover the day on quarters of an hour, without holes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const last = steps.reduce((periods, { what, at, minute }) => {
        const index = at % periods.length;
        if (what === 'move') return withStart(periods, index, minute);
        return what === 'divide' ? divided(periods, index) : withoutPeriod(periods, index);
      }, begun);
      expect(last[0]?.from).toBe('00:00');
      const lengths = last.map((_, at) => spanOf(last, at)).map(({ start, end }) => end - start);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(1_440);
      for (const length of lengths) expect(length).toBeGreaterThanOrEqual(STEP_MINUTES);
      for (const { from } of last) expect(minuteOf(from) % STEP_MINUTES).toBe(0);
    }),
  );
});

test('an edge that is moved changes its two periods alone', () => {
  const periods = divided(divided(divided(begun, 0), 0), 0);
  const moved = withStart(periods, 2, 9_999);
  expect(moved.map(({ from }) => from)).toEqual(periods.map(({ from }, at) => (at === 2 ? '11:45' : from)));
});

test.each([
  ['17', 1_020],
  ['17:00', 1_020],
  ['7.15', 435],
  ['1715', 1_035],
  ['17 h', 1_020],
  ['17:08', 1_035],
  ['24', 1_440],
  ['24:15', undefined],
  ['12:75', undefined],
  ['noon', undefined],
  ['', undefined],
])('"%s" is read as a time of day', (text, minute) => {
  expect(typedMinute(text)).toBe(minute);
});

test('every quarter of an hour that is written is read', () => {
  for (let minute = 0; minute <= 1_440; minute += STEP_MINUTES) expect(typedMinute(timeAt(minute))).toBe(minute);
});

test('the dearest price of both kinds of days stands the highest', () => {
  const prices = { weekday: [{ from: '00:00', price: 0.2 }], weekend: [{ from: '00:00', price: 0.4 }] };
  expect([0.2, 0.3, 0.4, ''].map((price) => dearness(prices, price))).toEqual([0, expect.closeTo(0.5), 1, 0]);
});
