import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  monthsAfter,
  WARRANTY_ENDS_SOON_DAYS,
  type WarrantyFacts,
  type WarrantyTerm,
  warrantyBegins,
  warrantyOf,
  warrantyStateOn,
} from './warranty.ts';

const DAY_MS = 86_400_000;
const dayOf = (days: number): string => new Date(days * DAY_MS).toISOString().slice(0, 10);
const day = fc.integer({ min: 10_957, max: 36_524 }).map(dayOf);
const known = fc.option(day);
const term: fc.Arbitrary<WarrantyTerm> = fc.record({
  months: fc.integer({ min: 1, max: 600 }),
  begins: fc.constantFrom(...warrantyBegins),
  latestMonths: fc.option(fc.integer({ min: 0, max: 120 })),
});
const facts: fc.Arbitrary<WarrantyFacts> = fc.record({ deliveredOn: known, seenOn: known, commissioned: known });

describe('months are added by the calendar', () => {
  test('the last day of a month that is too short stands for a day that it lacks', () => {
    expect(monthsAfter('2026-01-31', 1)).toBe('2026-02-28');
    expect(monthsAfter('2028-01-31', 1)).toBe('2028-02-29');
    expect(monthsAfter('2028-02-29', 12)).toBe('2029-02-28');
    expect(monthsAfter('2026-12-15', 1)).toBe('2027-01-15');
    expect(monthsAfter('2026-03-31', -1)).toBe('2026-02-28');
    expect(monthsAfter('2026-03-31', 0)).toBe('2026-03-31');
  });

  test('a later day never comes before an earlier one, and the month is the one that was asked for', () => {
    fc.assert(
      fc.property(day, day, fc.integer({ min: 0, max: 600 }), (one, other, months) => {
        const [first, second] = one < other ? [one, other] : [other, one];
        expect(monthsAfter(first, months) <= monthsAfter(second, months)).toBe(true);
        const [year = 0, month = 0] = monthsAfter(one, months).split('-').map(Number);
        const [fromYear = 0, fromMonth = 0] = one.split('-').map(Number);
        expect(year * 12 + month - (fromYear * 12 + fromMonth)).toBe(months);
      }),
    );
  });
});

describe('a warranty', () => {
  test('ends after it begins, never begins before delivery, and not later than its term allows', () => {
    fc.assert(
      fc.property(term, facts, (of, from) => {
        const warranty = warrantyOf(of, from);
        if (warranty === undefined) return;
        expect(warranty.until > warranty.from).toBe(true);
        expect(warranty.until).toBe(monthsAfter(warranty.from, of.months));
        const { deliveredOn } = from;
        if (deliveredOn === null) return;
        expect(warranty.from >= deliveredOn).toBe(true);
        if (of.latestMonths !== null) expect(warranty.from <= monthsAfter(deliveredOn, of.latestMonths)).toBe(true);
      }),
    );
  });

  test('is known wherever delivery is known and its begin is bounded', () => {
    fc.assert(
      fc.property(term, facts, day, (of, from, deliveredOn) => {
        const bounded = { ...of, latestMonths: of.latestMonths ?? 6 };
        expect(warrantyOf(bounded, { ...from, deliveredOn })).toBeDefined();
      }),
    );
  });

  test('of a unit that came later than its plant begins when that unit was first seen', () => {
    const of = { months: 24, begins: 'commissioning', latestMonths: null } as const;
    const replaced = { deliveredOn: '2026-01-10', seenOn: '2026-02-01', commissioned: '2019-05-04' };
    expect(warrantyOf(of, replaced)?.from).toBe('2026-02-01');
    expect(warrantyOf(of, { ...replaced, commissioned: '2026-01-20' })?.from).toBe('2026-01-20');
    expect(warrantyOf(of, { ...replaced, commissioned: null })).toBeUndefined();
  });

  test('stands by the day: before it begins, running, within its last days, and from the day after its last one over', () => {
    const warranty = { from: '2026-01-01', until: '2027-01-01' };
    expect(warrantyStateOn('2025-12-31', warranty)).toBe('notBegun');
    expect(warrantyStateOn('2026-01-01', warranty)).toBe('running');
    expect(warrantyStateOn('2027-01-01', warranty)).toBe('endsSoon');
    expect(warrantyStateOn('2027-01-02', warranty)).toBe('over');
    expect(warrantyStateOn('2026-01-01', undefined)).toBe('unknown');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), (days) => {
        const today = dayOf(Date.parse(warranty.until) / DAY_MS - days);
        const isSoon = days <= WARRANTY_ENDS_SOON_DAYS;
        if (today >= warranty.from) expect(warrantyStateOn(today, warranty)).toBe(isSoon ? 'endsSoon' : 'running');
      }),
    );
  });
});
