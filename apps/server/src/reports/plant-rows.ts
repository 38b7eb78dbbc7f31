import type { ClickHouseClient } from '@clickhouse/client';
import type { PlantVariable, ReportInterval, RowQuality } from '@sonnenwarte/contract/reports/report';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { roundedTo } from '@sonnenwarte/energy/rounding';
import type { EnergyColumn, EnergySum, PeriodSum } from '../sites/site-energy.store.ts';
import { energyColumns, hourSums, sumsOfDays } from '../sites/site-energy.store.ts';
import { toFigures } from '../sites/site-figures.ts';
import { qualityOfEnergies } from '../sites/site-quality.ts';
import { columnOfVariable } from '../sites/site-report.ts';
import { bucketsOf, worse } from './buckets.ts';
import type { ReportLine } from './canonical.ts';
import type { ReportedPlant } from './things.store.ts';

const WH_PER_KWH = 1_000;
const KWH_DECIMALS = 6;
/** Self-consumption depends on neither size nor country. */
const NO_SITE = { systemSizeKwp: 0, country: '' };

interface Reading {
  readonly telemetry: ClickHouseClient;
  readonly plant: ReportedPlant;
  readonly variables: readonly PlantVariable[];
  readonly interval: ReportInterval;
  readonly nowMs: number;
}

type Sum = EnergySum & Partial<Pick<PeriodSum, 'income' | 'saving' | 'paid'>>;

const columnsOf = (variable: PlantVariable): readonly EnergyColumn[] => {
  if (variable === 'selfUse') return ['pv_wh', 'external_wh', 'pv_to_grid_wh', 'external_to_grid_wh'];
  return variable === 'income' || variable === 'saving' || variable === 'paid' ? [] : [columnOfVariable[variable]];
};

function amountOf(sum: Sum, variable: PlantVariable): number | null {
  if (variable === 'income' || variable === 'saving' || variable === 'paid') {
    const amount = sum[variable] ?? null;
    return amount === null ? null : Number(amount);
  }
  if (variable === 'selfUse') {
    const { selfUseWh } = toFigures({ income: null, saving: null, paid: null, ...sum }, NO_SITE);
    return selfUseWh === null ? null : kwh(selfUseWh);
  }
  const wh = sum[columnOfVariable[variable]];
  return wh === null ? null : kwh(wh);
}

const kwh = (wh: number): number => roundedTo(wh / WH_PER_KWH, KWH_DECIMALS);

function lineOf(tsMs: number, sum: Sum | undefined, variables: readonly PlantVariable[]): ReportLine {
  const values = variables.map((variable) => (sum === undefined ? null : amountOf(sum, variable)));
  if (sum === undefined || values.every((value) => value === null)) return { tsMs, quality: 'missing', values };
  const qualities = variables.map((variable): RowQuality => qualityOfEnergies(sum, columnsOf(variable)));
  return { tsMs, quality: qualities.reduce(worse, 'measured'), values };
}

/** Rows of a plant over some of its days, some at a time, in the order of time, of its sums. Days to come have none. */
export async function* plantRows(
  { telemetry, plant, variables, interval, nowMs }: Reading,
  days: readonly string[],
): AsyncGenerator<readonly ReportLine[]> {
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return;
  if (interval === 'day') {
    const sums = await sumsOfDays(telemetry, plant, { first, last });
    const begun = days.map((day) => ({ day, startMs: dayBounds(day, plant.timeZone).startMs }));
    yield begun
      .filter(({ startMs }) => startMs < nowMs)
      .map(({ day, startMs }) => lineOf(startMs, sums.get(day), variables));
    return;
  }
  const span = { startMs: dayBounds(first, plant.timeZone).startMs, endMs: dayBounds(last, plant.timeZone).endMs };
  const sums = await hourSums(telemetry, plant, { ...span, parts: new Map() }, energyColumns);
  for (const day of days)
    yield bucketsOf(day, 'hour', plant.timeZone)
      .filter(({ startMs }) => startMs < nowMs)
      .map(({ startMs }) => lineOf(startMs, sums.get(String(startMs / 1_000)), variables));
}
