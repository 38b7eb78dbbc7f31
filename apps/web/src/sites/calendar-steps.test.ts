import type { Figures } from '@sonnenwarte/contract/sites/site';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calendarWithToday, extremesOf, weeksOf } from './calendar-days.ts';
import { calendarFigures, limitsOf, ramps, stepOf } from './calendar-steps.ts';

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(hex.slice(from, from + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const contrast = (a: string, b: string): number => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

describe('the steps of the calendar', () => {
  test('have ink of 4.5:1 at least on each ground, in light and in dark', () => {
    for (const figure of calendarFigures) {
      expect(ramps[figure]).toHaveLength(5);
      for (const { light, dark } of ramps[figure]) {
        expect(contrast(...light)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(...dark)).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test("suit the plant's own year: rising limits, its best days in one of the two upper steps", () => {
    const year = fc.array(fc.double({ min: 1, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 366 });
    fc.assert(
      fc.property(year, fc.constantFrom('yield' as const, 'money' as const), (values, figure) => {
        const limits = limitsOf(figure, values);
        expect(limits).toHaveLength(4);
        expect(limits.toSorted((a, b) => a - b)).toEqual(limits);
        expect(stepOf(Math.max(...values), limits)).toBeGreaterThanOrEqual(3);
        for (const value of values) expect(stepOf(value, limits)).toBeLessThanOrEqual(4);
      }),
    );
  });

  test('of a share are the same for every plant', () => {
    expect(limitsOf('autarky', [1, 2, 3])).toEqual([20, 40, 60, 80]);
    expect([0, 19, 20, 99, 100].map((percent) => stepOf(percent, [20, 40, 60, 80]))).toEqual([0, 0, 1, 4, 4]);
  });
});

describe('the days of a month', () => {
  test('stand once each, in order, in weeks of seven', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 2100 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        const weeks = weeksOf(`${year}-${String(month).padStart(2, '0')}`);
        expect(weeks.every((week) => week.length === 7)).toBe(true);
        const days = weeks.flat().filter((day) => day !== undefined);
        expect(days).toHaveLength(new Date(Date.UTC(year, month, 0)).getUTCDate());
        expect(days.toSorted()).toEqual(days);
      }),
    );
  });

  test('begin on the right day of the week', () => {
    expect(weeksOf('2027-04')[0]).toEqual([
      undefined,
      undefined,
      undefined,
      ...['01', '02', '03', '04'].map((day) => `2027-04-${day}`),
    ]);
    expect(weeksOf('2026-02')[0]?.[6]).toBe('2026-02-01');
  });

  test('name the best and the weakest; today is not over and never the weakest', () => {
    const qualities = {
      generationWh: 'measured',
      consumptionWh: 'measured',
      selfSufficiencyPercent: 'measured',
      money: 'measured',
    } as const;
    const days = new Map(
      [8, 20, 3, 1].map((kwh, index) => {
        const day = `2026-11-0${index + 1}`;
        const generationWh = kwh * 1_000;
        return [day, { day, generationWh, consumptionWh: null, selfSufficiencyPercent: null, money: null, qualities }];
      }),
    );
    const { best, weakest } = extremesOf('2026-11', '2026-11-04', days, 'yield');
    expect([best?.day, weakest?.day]).toEqual(['2026-11-02', '2026-11-03']);
    expect(extremesOf('2026-10', '2026-11-04', days, 'yield')).toEqual({ best: undefined, weakest: undefined });
  });
});

test('what today has gained since the calendar was read is in its day and its month', () => {
  const qualities = {
    generationWh: 'measured',
    consumptionWh: 'measured',
    selfSufficiencyPercent: 'measured',
    money: 'measured',
  } as const;
  const shown = { consumptionWh: 10, selfSufficiencyPercent: 50, money: '1.00', qualities };
  const read = {
    year: 2026,
    currency: 'EUR',
    firstDay: '2026-11-22',
    days: [
      { day: '2026-11-22', generationWh: 100, ...shown },
      { day: '2026-11-23', generationWh: 40, ...shown },
    ],
    months: [
      { month: '2026-10', generationWh: 500, ...shown },
      { month: '2026-11', generationWh: 140, ...shown },
    ],
  };
  const newest = { generationWh: 45, consumptionWh: 9, selfSufficiencyPercent: 60 } as Figures;
  const now = calendarWithToday(read, '2026-11-23', newest);
  expect(now.days.map(({ generationWh }) => generationWh)).toEqual([100, 45]);
  expect(now.months.map(({ generationWh }) => generationWh)).toEqual([500, 145]);
  expect(now.days[1]).toMatchObject({ consumptionWh: 10, selfSufficiencyPercent: 60 });
  expect(calendarWithToday(read, '2026-11-23', undefined)).toBe(read);
});
