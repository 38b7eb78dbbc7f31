import type { SiteDay } from '@sonnenwarte/contract/sites/site';

/** Series whose values can lie on either side of zero. */
const bothWays: readonly string[] = ['battery', 'grid'];

export const seriesNames = ['pv', 'consumption', 'battery', 'grid', 'external', 'charger', 'soc', 'clearSky'] as const;
export type SeriesName = (typeof seriesNames)[number];

export interface DaySeries {
  readonly name: SeriesName;
  readonly values: readonly (number | null)[];
  readonly scale: 'W' | '%';
}

const measured = (values: readonly (number | null)[]): boolean => values.some((value) => value !== null);

/** House and charging piles together, as far as they are known. */
const consumptionW = ({ loadW, chargerW }: SiteDay): (number | null)[] =>
  loadW.map((house, index) => {
    const car = chargerW[index] ?? null;
    return house === null && car === null ? null : (house ?? 0) + (car ?? 0);
  });

/** The lines that are drawn until somebody chooses others: what was generated and used, and what is stored. */
export function essentialSeries(series: readonly DaySeries[]): SeriesName[] {
  const names = series.map(({ name }) => name);
  return names.filter(
    (name) =>
      name === 'pv' || name === 'consumption' || name === 'soc' || (name === 'external' && !names.includes('pv')),
  );
}

/** The series of a day that hold anything, in drawing order. An expectation alone draws nothing. */
export function daySeries(day: SiteDay): DaySeries[] {
  const all: readonly DaySeries[] = [
    { name: 'pv', values: day.pvW, scale: 'W' },
    { name: 'consumption', values: consumptionW(day), scale: 'W' },
    { name: 'battery', values: day.batteryW, scale: 'W' },
    { name: 'grid', values: day.gridW, scale: 'W' },
    { name: 'external', values: day.externalW, scale: 'W' },
    { name: 'charger', values: day.chargerW, scale: 'W' },
    { name: 'soc', values: day.socPercent, scale: '%' },
    { name: 'clearSky', values: day.clearSkyW ?? [], scale: 'W' },
  ];
  const present = all.filter((series) => measured(series.values));
  return present.some((series) => series.name !== 'clearSky') ? present : [];
}

/** Whether any of the series can lie below zero, be it that none does yet. */
export const goesBothWays = (series: readonly DaySeries[]): boolean =>
  series.some(({ name }) => bothWays.includes(name));

/** Largest value of a series with its moment; `null` where nothing was measured. */
export function peakOf(
  values: readonly (number | null)[],
  tsMs: readonly number[],
): { value: number; tsMs: number } | null {
  let peak: { value: number; tsMs: number } | null = null;
  values.forEach((value, index) => {
    const at = tsMs[index];
    if (value !== null && at !== undefined && (peak === null || value > peak.value)) peak = { value, tsMs: at };
  });
  return peak;
}

const HOUR_MS = 3_600_000;

/**
 * Daylight with an hour on either side, in full hours of UTC; the whole day where the sun is not known or does not turn, and as far as the
 * moment that must be seen.
 */
export function daylightSpan(
  { startMs, endMs, sunriseMs, sunsetMs }: Pick<SiteDay, 'startMs' | 'endMs' | 'sunriseMs' | 'sunsetMs'>,
  seenMs: number | null,
): { startMs: number; endMs: number } {
  if (sunriseMs === null || sunsetMs === null || sunsetMs <= sunriseMs) return { startMs, endMs };
  const fromMs = Math.floor((sunriseMs - HOUR_MS) / HOUR_MS) * HOUR_MS;
  const toMs = Math.ceil(Math.max(sunsetMs + HOUR_MS, seenMs ?? 0) / HOUR_MS) * HOUR_MS;
  if (seenMs !== null && seenMs >= startMs && seenMs < fromMs) return { startMs, endMs };
  return { startMs: Math.max(startMs, fromMs), endMs: Math.min(endMs, toMs) };
}

/** Share of the buckets up to now that hold a PV or load power, percent; `null` before the first. */
export function coverage(day: SiteDay, nowMs: number): number | null {
  let due = 0;
  let there = 0;
  day.tsMs.forEach((tsMs, index) => {
    if (tsMs + day.bucketMs > nowMs) return;
    due += 1;
    if ((day.pvW[index] ?? null) !== null || (day.loadW[index] ?? null) !== null) there += 1;
  });
  return due === 0 ? null : (100 * there) / due;
}
