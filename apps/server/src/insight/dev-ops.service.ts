import {
  DEV_OPS_DAYS,
  type DevOpsRow,
  type insightEndpoints,
  MOST_DEV_OPS_DAYS,
} from '@sonnenwarte/contract/insight/insight';
import { quantileOfSorted } from '@sonnenwarte/energy/insight/statistics';
import { roundedTo, withoutNoise } from '@sonnenwarte/energy/rounding';
import { CallError } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { listSites, matching } from '../sites/sites.store.ts';
import { type Asked, type Found, type Place, toRows } from '../stores/lists.ts';
import {
  type DevOpsSite,
  devOpsSites,
  type Figure,
  figureOf,
  figuresOf,
  isFigure,
  keysOf,
  type Period,
  type PeriodFigures,
} from './dev-ops.store.ts';
import { daysBefore } from './due.store.ts';

type Stores = Uses<'db' | 'telemetry' | 'nowMs'>;
type List = Asked<(typeof insightEndpoints)['list']>;

const LEAST_PEERS = 5;
/** A normal distribution has its standard deviation at so many times the median distance from the median. */
const MAD_TO_DEVIATION = 1.4826;
const OUTLIER_DEVIATIONS = 2.5;
/** Neighbours that are all alike say nothing against a plant that differs by less. */
const LEAST_DISTANCE = 0.02;

/** The whole days that are asked for; thirty up to yesterday where none are named. */
function periodOf({ first, last }: List['condition'], nowMs: number): Period {
  const yesterday = daysBefore(new Date(nowMs).toISOString().slice(0, 10), 1);
  const end = last ?? yesterday;
  const start = first ?? daysBefore(end, DEV_OPS_DAYS - 1);
  if (start > end) throw refusedDay('last', 'too_small');
  if (daysBefore(end, MOST_DEV_OPS_DAYS) > start) throw refusedDay('first', 'too_small');
  return { first: start, last: end };
}

const refusedDay = (path: string, reason: string) =>
  new CallError('refusedInput', { fields: [{ path: `condition.${path}`, reason, params: {} }] });

/** Plants in scope over a period. */
export async function devOpsList(stores: Stores, input: List, { scope }: Scoped): Promise<Found<DevOpsRow>> {
  const { db, nowMs } = stores;
  const now = nowMs();
  const period = periodOf(input.condition, now);
  const { field, order } = input.sort;
  const { rows: keys, ...found } = isFigure(field)
    ? await keysByFigure(stores, input, { scope, period, figure: field, order })
    : toRows(await listSites(db, scope, { ...input, sort: { field, order } }, now), ({ key }) => key);
  const sites = await devOpsSites(db, scope, keys, now);
  return { ...found, rows: await rowsOf(stores, sites, period) };
}

/** A plant in scope over a period, in the figures of that list. */
export async function devOpsOfSite(
  stores: Stores,
  scope: Scoped['scope'],
  key: number,
  period: Period,
): Promise<DevOpsRow | undefined> {
  const [row] = await rowsOf(stores, await devOpsSites(stores.db, scope, [key], stores.nowMs()), period);
  return row;
}

interface Order {
  scope: Scoped['scope'];
  period: Period;
  figure: Figure;
  order: 'asc' | 'desc';
}

/** A page by a figure of the telemetry store; plants without it come last in either order, those of an equal one by their key. */
async function keysByFigure(
  { db, telemetry, nowMs }: Stores,
  input: List,
  { scope, period, figure, order }: Order,
): Promise<Found<number>> {
  const keys = await keysOf(db, await matching(db, scope, input.condition, nowMs()));
  const values = await figureOf(telemetry, keys, period, figure);
  const sign = order === 'asc' ? 1 : -1;
  const isBefore = (a: Ranked, b: Ranked): number => {
    if (a.value === undefined || b.value === undefined)
      return Number(a.value === undefined) - Number(b.value === undefined) || sign * (a.key - b.key);
    return sign * (a.value - b.value || a.key - b.key);
  };
  const ranked = keys.map((key): Ranked => ({ key, value: values.get(key) })).toSorted(isBefore);
  const from =
    'currentPage' in input
      ? (input.currentPage - 1) * input.pageSize
      : input.after === null
        ? 0
        : startAfter(ranked, rankedAt(input.after), isBefore);
  const part = ranked.slice(from, from + input.pageSize);
  const last = 'currentPage' in input || part.length < input.pageSize ? undefined : part.at(-1);
  return {
    rows: part.map(({ key }) => key),
    total: 'currentPage' in input || input.after === null ? ranked.length : 0,
    end: last && [last.value === undefined ? null : String(last.value), String(last.key)],
  };
}

interface Ranked {
  key: number;
  value: number | undefined;
}

const rankedAt = ([value = null, key]: Place): Ranked => ({
  key: Number(key),
  value: value === null ? undefined : Number(value),
});

function startAfter(ranked: readonly Ranked[], place: Ranked, isBefore: (a: Ranked, b: Ranked) => number): number {
  let [low, high] = [0, ranked.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(ranked[middle] as Ranked, place) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function rowsOf({ telemetry }: Stores, sites: readonly DevOpsSite[], period: Period): Promise<DevOpsRow[]> {
  const peers = [...new Set(sites.flatMap((site) => site.peers ?? []))];
  const [figures, yields] = await Promise.all([
    figuresOf(
      telemetry,
      sites.map(({ key }) => key),
      period,
    ),
    figureOf(telemetry, peers, period, 'specificYield'),
  ]);
  return sites.map((site) =>
    rowOf(
      site,
      figures.get(site.key),
      (site.peers ?? []).flatMap((key) => yields.get(key) ?? []),
    ),
  );
}

const told = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : withoutNoise(value);

function rowOf(site: DevOpsSite, figures: PeriodFigures | undefined, yields: number[]): DevOpsRow {
  const sorted = yields.toSorted((a, b) => a - b);
  const median = sorted.length < LEAST_PEERS ? null : quantileOfSorted(sorted, 0.5);
  return {
    stationID: site.id,
    name: site.name,
    state: site.state,
    city: site.city,
    country: site.country,
    ianaTimezone: site.time_zone,
    systemCapacity: site.system_size_kwp,
    updatedAtMs: site.ts?.getTime() ?? null,
    intervalS: site.interval_s,
    performanceRatio: told(figures?.performanceRatio),
    specificYield: told(figures?.specificYield),
    peersYield: median === null ? null : roundedTo(median, 6),
    peers: sorted.length,
    outlier: outlierOf(figures?.specificYield ?? null, sorted, median),
    availability: told(figures?.availability),
    completeness: told(figures?.completeness),
    actualWh: told(figures?.actualWh),
    expectedWh: told(figures?.expectedWh),
    lossWh: told(figures?.lossWh),
    lossMoney: figures?.lossMoney ?? null,
    currency: figures?.currency || site.currency,
    reason: site.reason,
    days: figures?.days ?? 0,
    isPreliminary: site.is_preliminary,
  };
}

/** Far from the middle of its neighbours, in terms of their own spread (Leys et al. 2013). */
function outlierOf(own: number | null, sorted: readonly number[], median: number | null): DevOpsRow['outlier'] {
  if (own === null || median === null) return null;
  const distances = sorted.map((value) => Math.abs(value - median)).toSorted((a, b) => a - b);
  const usual = Math.max(MAD_TO_DEVIATION * quantileOfSorted(distances, 0.5), LEAST_DISTANCE * median);
  if (Math.abs(own - median) <= OUTLIER_DEVIATIONS * usual) return null;
  return own < median ? 'low' : 'high';
}
