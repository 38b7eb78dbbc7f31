import { MOST_REPORT_VALUES } from '@sonnenwarte/contract/reports/report';
import { describe, expect, test } from 'vitest';
import { canBePreviewed, firstValues, isOffered, problemsOf, type ReportValues, withSource } from './report-values.ts';

const chosen = (change: Partial<ReportValues> = {}): ReportValues => ({
  ...firstValues('2026-11-28'),
  deviceIDs: ['a'],
  variables: ['inverter:AC/ActivePower'],
  ...change,
});
const sized = { isFine: false, values: 100, totalRows: 100 };

describe('what is chosen for a report', () => {
  test('begins with a week of devices, which can be had once devices and values are chosen', () => {
    expect(firstValues('2026-11-28')).toMatchObject({ firstDay: '2026-11-22', lastDay: '2026-11-28' });
    expect(canBePreviewed(firstValues('2026-11-28'))).toBe(false);
    expect(canBePreviewed(chosen())).toBe(true);
    expect(problemsOf(chosen(), sized)).toEqual({});
  });

  test('is told what stands against it before it is asked for', () => {
    expect(problemsOf(chosen({ firstDay: '2026-11-29' }), undefined)).toEqual({ days: 'order' });
    expect(problemsOf(chosen({ firstDay: '2026-11-14' }), undefined)).toEqual({});
    expect(problemsOf(chosen({ firstDay: '2026-11-13' }), undefined)).toEqual({ days: 'days15' });
    expect(problemsOf(chosen({ interval: 'raw' }), { ...sized, isFine: true })).toEqual({ interval: 'days3' });
    expect(problemsOf(chosen({ interval: 'raw', firstDay: '2026-11-26' }), { ...sized, isFine: true })).toEqual({});
    expect(problemsOf(chosen(), { ...sized, values: MOST_REPORT_VALUES + 1 })).toEqual({ size: 'tooLarge' });
    expect(problemsOf(chosen(), { ...sized, totalRows: 0 })).toEqual({ size: 'nothing' });
  });

  test('of plants has hours and days, and money of days alone', () => {
    const plants = chosen({ ...withSource(chosen(), 'plants'), stationIDs: ['b'] });
    expect(isOffered(plants, plants.interval)).toBe(true);
    expect(isOffered(plants, '5min')).toBe(false);
    const money = { ...plants, variables: ['income'] };
    expect(problemsOf(money, sized)).toEqual({});
    expect(problemsOf({ ...money, interval: 'hour' }, sized)).toEqual({ interval: 'moneyDaily' });
  });
});
