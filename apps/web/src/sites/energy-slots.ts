import type { Report, ReportVariable } from '@sonnenwarte/contract/sites/site';
import type { BarSlot } from '../charts/bar-geometry.ts';
import { type CalendarDay, calendarParts, daysOfMonth } from '../format/dates.ts';

export type ReportSpan = 'day' | 'month' | 'year' | 'total';
export type Split = 'production' | 'consumption';

/** Flows that make up a part of a bar; a part with `toldBy` is of plants only that tell that energy. */
interface FlowPart {
  readonly key: 'house' | 'car' | 'sun' | 'external' | 'battery' | 'grid';
  readonly tone: string;
  readonly flows: readonly ReportVariable[];
  readonly toldBy?: ReportVariable;
}

const flowParts: Record<Split, readonly FlowPart[]> = {
  production: [
    { key: 'house', tone: 'load', flows: ['pvToLoad'] },
    { key: 'car', tone: 'charger', flows: ['pvToCharger'], toldBy: 'charger' },
    { key: 'battery', tone: 'battery', flows: ['pvToBattery'], toldBy: 'chargeEnergyToTal' },
    { key: 'grid', tone: 'grid', flows: ['pvToGrid'] },
  ],
  consumption: [
    { key: 'sun', tone: 'pv', flows: ['pvToLoad', 'pvToCharger'] },
    { key: 'external', tone: 'external', flows: ['externalToLoad', 'externalToCharger'], toldBy: 'external' },
    { key: 'battery', tone: 'battery', flows: ['batteryToLoad', 'batteryToCharger'], toldBy: 'dischargeEnergyToTal' },
    { key: 'grid', tone: 'grid', flows: ['gridToLoad', 'gridToCharger'] },
  ],
};

/** What the parts of a bar add up to: the figure of that name. */
const wholes: Record<Split, readonly ReportVariable[]> = {
  production: ['PVEnergyTotal'],
  consumption: ['loads', 'charger'],
};

export const wholesOf = (split: Split): readonly ReportVariable[] => wholes[split];

/** What the flows leave of the whole: lost on the way, or of an unknown way. */
const loss = { key: 'loss', tone: 'off' } as const;
/** A colour of its own: that of a part beside it would say that it is known. */
const undivided = { key: 'undivided', tone: 'brand' } as const;

/** What the grid gave: more than it gave for consumption where it charges a battery or is lost. */
const BOUGHT = 'gridConsumption' satisfies ReportVariable;

export const variablesOf = (split: Split): ReportVariable[] => [
  ...new Set<ReportVariable>([
    BOUGHT,
    ...flowParts[split].flatMap(({ flows, toldBy }) => (toldBy === undefined ? flows : [...flows, toldBy])),
    ...wholes[split],
    'loss',
  ]),
];

export interface SlotLabels {
  short: (index: number) => string;
  long: (index: number) => string;
}

export interface SlotPart {
  readonly key: FlowPart['key'] | 'loss' | 'undivided';
  readonly tone: string;
}

export interface EnergySlots {
  /** Those that the plant has, in the order of the slots' values. */
  readonly parts: readonly SlotPart[];
  readonly slots: readonly BarSlot[];
}

const KILO = 1000;
/** A report tells thousandths of a Wh, so that sums of its parts differ from it by a few of them. */
const NOISE_WH = 0.05;

const sumOfKnown = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null);

/**
 * Bars of a report: one slot for each hour, day or month of the span, whether it has a value or not; of a total, one for
 * each year from the first that the report holds. The parts of each add up to the plant's figure of that time.
 */
export function energySlots(
  report: Report,
  split: Split,
  span: ReportSpan,
  day: CalendarDay,
  labels: SlotLabels,
): EnergySlots {
  const byVariable = new Map(
    report.map((each) => [each.variable, new Map(each.data.map((entry) => [entry.index, entry]))]),
  );
  const entriesOf = (variables: readonly ReportVariable[], index: number) =>
    variables.flatMap((variable) => byVariable.get(variable)?.get(index) ?? []);
  const energyWh = (variables: readonly ReportVariable[], index: number): number | null => {
    const kWh = sumOfKnown(entriesOf(variables, index).map((entry) => entry.value));
    return kWh === null ? null : KILO * kWh;
  };
  const tells = (variable: ReportVariable): boolean =>
    [...(byVariable.get(variable)?.values() ?? [])].some((entry) => entry.value !== null);

  const flows = flowParts[split];
  const parts: readonly SlotPart[] = [...flows, loss, undivided];
  const slots = indexesOf(report, span, day).map((index): BarSlot => {
    const flowsWh = flows.map((part) => energyWh(part.flows, index));
    const rests = restsWh(
      energyWh(wholes[split], index),
      flowsWh,
      split === 'production' ? energyWh(['loss'], index) : null,
    );
    const told = entriesOf([...wholes[split], ...flows.flatMap((part) => part.flows)], index);
    return {
      key: String(index),
      label: labels.short(index),
      longLabel: labels.long(index),
      valuesWh: [...flowsWh, ...rests],
      estimated: told.some((entry) => entry.value !== null && entry.quality === 'estimated'),
    };
  });

  const isDivided = slots.some(({ valuesWh }) => valuesWh.slice(0, flows.length).some((value) => value !== null));
  const isShown = parts.map((_, place) => {
    const part = flows[place];
    const values = slots.map(({ valuesWh }) => valuesWh[place] ?? null);
    if (part === undefined) return values.some((value) => value !== null);
    if (part.toldBy === undefined || values.some((value) => value !== null && value > NOISE_WH)) return isDivided;
    return isDivided && tells(part.toldBy);
  });
  const shown = <T>(values: readonly T[]): T[] => values.filter((_, place) => isShown[place]);
  return { parts: shown(parts), slots: slots.map((slot) => ({ ...slot, valuesWh: shown(slot.valuesWh) })) };
}

/** Of what no flow took, as much as was lost counts as loss; how the rest was divided is not known. */
function restsWh(
  wholeWh: number | null,
  flowsWh: readonly (number | null)[],
  lossWh: number | null,
): [loss: number | null, undivided: number | null] {
  const known = sumOfKnown(flowsWh);
  const restWh = (wholeWh ?? 0) - (known ?? 0);
  if (wholeWh === null || (known !== null && restWh < NOISE_WH)) return [null, null];
  if (known === null) return [null, wholeWh];
  const lost = Math.min(restWh, lossWh ?? 0);
  const open = restWh - lost;
  return open < NOISE_WH ? [restWh, null] : [lost < NOISE_WH ? null : lost, lost < NOISE_WH ? restWh : open];
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

/** What the grid gave over all of a report, Wh; `null` where that is not known. */
export function boughtWhOf(report: Report): number | null {
  const kWh = sumOfKnown(report.find(({ variable }) => variable === BOUGHT)?.data.map(({ value }) => value) ?? []);
  return kWh === null ? null : KILO * kWh;
}

export const isEmpty = ({ slots }: EnergySlots): boolean =>
  slots.every((slot) => slot.valuesWh.every((value) => value === null));
