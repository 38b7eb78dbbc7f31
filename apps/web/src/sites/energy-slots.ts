import type { Report, ReportVariable } from '@sonnenwarte/contract/sites/site';
import type { BarSlot } from '../charts/bar-geometry.ts';
import { type CalendarDay, calendarParts, daysOfMonth } from '../format/dates.ts';

export type ReportSpan = 'day' | 'month' | 'year' | 'total';
export type Split = 'production' | 'consumption';

/** Which report variables a part of a bar sums. */
export const parts = {
  production: [
    { key: 'ownUse', tone: 'load', variables: ['pvToLoad'] },
    { key: 'battery', tone: 'battery', variables: ['pvToBattery'] },
    { key: 'grid', tone: 'grid', variables: ['pvToGrid'] },
  ],
  consumption: [
    { key: 'fromPv', tone: 'pv', variables: ['pvToLoad'] },
    { key: 'battery', tone: 'battery', variables: ['batteryToLoad'] },
    { key: 'grid', tone: 'grid', variables: ['gridToLoad'] },
  ],
} as const satisfies Record<Split, readonly { key: string; tone: string; variables: readonly ReportVariable[] }[]>;

/** The part that is the whole, where no part of it is known. */
export const undivided = {
  production: { key: 'undivided', tone: 'pv' },
  consumption: { key: 'undivided', tone: 'load' },
} as const satisfies Record<Split, { key: string; tone: string }>;

/** What a bar shows where nothing is known of its parts. */
const wholes = { production: 'PVEnergyTotal', consumption: 'loads' } as const satisfies Record<Split, ReportVariable>;

export const variablesOf = (split: Split): ReportVariable[] => [
  ...new Set([...parts[split].flatMap((part) => part.variables), wholes[split]]),
];

export interface SlotLabels {
  short: (index: number) => string;
  long: (index: number) => string;
}

const KILO = 1000;

/**
 * Bars of a report: one slot for each hour, day or month of the span, whether it has a value or not; of a total, one for
 * each year from the first that the report holds. Behind its parts each has the whole, where no part is known.
 */
export function energySlots(
  report: Report,
  split: Split,
  span: ReportSpan,
  day: CalendarDay,
  labels: SlotLabels,
): BarSlot[] {
  const indexes = indexesOf(report, span, day);
  const byVariable = new Map(
    report.map((each) => [each.variable, new Map(each.data.map((entry) => [entry.index, entry]))]),
  );
  return indexes.map((index): BarSlot => {
    const entries = parts[split].map((part) => part.variables.map((variable) => byVariable.get(variable)?.get(index)));
    const valuesWh = entries.map((some) => {
      const known = some.flatMap((entry) => (typeof entry?.value === 'number' ? [entry.value] : []));
      return known.length === 0 ? null : KILO * known.reduce((sum, value) => sum + value, 0);
    });
    const whole = byVariable.get(wholes[split])?.get(index);
    const isUndivided = typeof whole?.value === 'number' && valuesWh.every((value) => value === null);
    return {
      key: String(index),
      label: labels.short(index),
      longLabel: labels.long(index),
      valuesWh: [...valuesWh, isUndivided ? KILO * (whole.value ?? 0) : null],
      estimated: (isUndivided ? [whole] : entries.flat()).some((entry) => entry?.quality === 'estimated'),
    };
  });
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

function indexesOf(report: Report, span: ReportSpan, day: CalendarDay): number[] {
  const held = report.flatMap((each) => each.data.map((entry) => entry.index));
  if (span === 'month') return upTo(daysOfMonth(day));
  if (span === 'year') return upTo(12);
  if (span === 'day') return upTo(held.length === 0 ? 24 : Math.max(...held));
  const thisYear = calendarParts(day).year;
  const first = held.length === 0 ? thisYear : Math.min(...held);
  const last = Math.max(thisYear, ...held);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Whether energy stands in the last part, that of which no parts are known. */
export const hasUndivided = (slots: readonly BarSlot[]): boolean =>
  slots.some(({ valuesWh }) => (valuesWh.at(-1) ?? null) !== null);

export const isDivided = (slots: readonly BarSlot[]): boolean =>
  slots.some(({ valuesWh }) => valuesWh.slice(0, -1).some((value) => value !== null));

export const isEmpty = (slots: readonly BarSlot[]): boolean =>
  slots.every((slot) => slot.valuesWh.every((value) => value === null));
