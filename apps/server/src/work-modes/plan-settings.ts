import type { SettingValue, TableRow } from '@sonnenwarte/contract/commands/setting-value';
import {
  EVERY_DAY,
  MOST_SOC,
  type Plan,
  type PlanPeriod,
  planActions,
  planModes,
  type ToldPlan,
} from '@sonnenwarte/contract/work-modes/plan';
import type { BatteryPlan } from '@sonnenwarte/energy/plan/battery-plan';

/** Settings that make a plan, in the order in which they are written. */
export const planSettings = [
  'Setting/WorkMode',
  'Setting/MinSoc',
  'Setting/BackupSoc',
  'Setting/GridCharge',
  'Setting/PeakLimit',
  'Setting/Schedule',
  'Setting/PricePeriods',
] as const;
export type PlanSetting = (typeof planSettings)[number];

/** What also decides what a battery does, and is set elsewhere. */
export const limitSettings = ['Setting/ChargePower', 'Setting/DischargePower', 'Setting/ExportLimit'] as const;

export type SettingValues = ReadonlyMap<string, SettingValue>;

const numberOf = (value: SettingValue | undefined): number | null => (typeof value === 'number' ? value : null);
const rowsOf = (value: SettingValue | undefined): readonly TableRow[] => (Array.isArray(value) ? value : []);
const cellOf = (row: TableRow, name: string, otherwise = 0): number => row[name] ?? otherwise;

/** The plan that settings make; null where they do not tell a mode and a minimum. Periods of another kind than these are left out. */
export function planOf(values: SettingValues): ToldPlan | null {
  const mode = planModes[(numberOf(values.get('Setting/WorkMode')) ?? 0) - 1];
  const minSoc = numberOf(values.get('Setting/MinSoc'));
  if (mode === undefined || minSoc === null) return null;
  const gridCharge = values.get('Setting/GridCharge');
  const prices = values.get('Setting/PricePeriods');
  return {
    mode,
    minSoc,
    backupSoc: numberOf(values.get('Setting/BackupSoc')),
    gridCharge: typeof gridCharge === 'boolean' ? gridCharge : null,
    peakLimitW: numberOf(values.get('Setting/PeakLimit')),
    periods: rowsOf(values.get('Setting/Schedule')).flatMap((row) => {
      const action = planActions[cellOf(row, 'mode') - 1];
      if (action === undefined) return [];
      return [
        {
          startMin: cellOf(row, 'start'),
          endMin: cellOf(row, 'end'),
          days: cellOf(row, 'days', EVERY_DAY),
          action,
          powerW: cellOf(row, 'powerW'),
          minSoc: cellOf(row, 'minSoc', minSoc),
          fdSoc: cellOf(row, 'fdSoc', MOST_SOC),
        },
      ];
    }),
    pricePeriods: Array.isArray(prices)
      ? prices.map((row) => ({
          startMin: cellOf(row, 'start'),
          endMin: cellOf(row, 'end'),
          days: cellOf(row, 'days', EVERY_DAY),
          price: cellOf(row, 'price'),
        }))
      : null,
  };
}

export const scheduleRow = ({ startMin, endMin, days, action, powerW, minSoc, fdSoc }: PlanPeriod): TableRow => ({
  start: startMin,
  end: endMin,
  days,
  mode: planActions.indexOf(action) + 1,
  powerW,
  minSoc,
  fdSoc,
});

/** In the order in which a device has them. */
export const byTime = (one: { readonly startMin: number }, other: { readonly startMin: number }) =>
  one.startMin - other.startMin;

/** The settings that a plan asks for; what it leaves open is not among them. */
export function valuesOf(plan: Plan): Map<PlanSetting, SettingValue> {
  const values = new Map<PlanSetting, SettingValue>([
    ['Setting/WorkMode', planModes.indexOf(plan.mode) + 1],
    ['Setting/MinSoc', plan.minSoc],
  ]);
  if (plan.backupSoc !== null) values.set('Setting/BackupSoc', plan.backupSoc);
  if (plan.gridCharge !== null) values.set('Setting/GridCharge', plan.gridCharge);
  if (plan.peakLimitW !== null) values.set('Setting/PeakLimit', plan.peakLimitW);
  values.set('Setting/Schedule', [...plan.periods].sort(byTime).map(scheduleRow));
  if (plan.pricePeriods !== null)
    values.set(
      'Setting/PricePeriods',
      [...plan.pricePeriods]
        .sort(byTime)
        .map(({ startMin, endMin, days, price }) => ({ start: startMin, end: endMin, days, price })),
    );
  return values;
}

/** Whether two values are the same, in whatever order a table's columns stand. */
export function isSame(one: SettingValue | undefined, other: SettingValue | undefined): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  if (one.length !== other.length) return false;
  return one.every((row, place) => {
    const beside = other[place] ?? {};
    const names = new Set([...Object.keys(row), ...Object.keys(beside)]);
    return [...names].every((name) => row[name] === beside[name]);
  });
}

/** The settings of a plan that a device does not have yet; of those that it has told of, or of all where it has told nothing. */
export function changesTo(plan: Plan, reported: SettingValues): Record<string, SettingValue> {
  const changes: Record<string, SettingValue> = {};
  const hasTold = reported.size > 0;
  for (const [name, value] of valuesOf(plan)) {
    if (hasTold && !reported.has(name)) continue;
    if (!isSame(value, reported.get(name))) changes[name] = value;
  }
  return changes;
}

/** A plan as it is replayed, with the limits that the device has beside it. */
export function batteryPlan(plan: ToldPlan, reported: SettingValues, ratedW: number): BatteryPlan {
  const below = (limitW: number | null) => (limitW === null || limitW >= ratedW ? null : limitW);
  return {
    mode: plan.mode,
    minSocPercent: plan.minSoc,
    backupSocPercent: plan.backupSoc ?? MOST_SOC,
    gridCharge: plan.gridCharge ?? false,
    exportLimitW: below(numberOf(reported.get('Setting/ExportLimit'))),
    peakLimitW: plan.peakLimitW,
    periods: plan.periods.map(({ minSoc, fdSoc, ...period }) => ({
      ...period,
      minSocPercent: minSoc,
      fdSocPercent: fdSoc,
    })),
  };
}
