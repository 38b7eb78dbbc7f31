import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { installTrendEndpoints, TrendRow } from '@sonnenwarte/contract/install-trend/install-trend';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { type Asked, type Found, toRows } from '../stores/lists.ts';
import { installationsByMonth, listInstallations } from './install-trend.store.ts';
import { trendOf } from './trend.ts';

type Trends = typeof installTrendEndpoints;

/** Plants by month of commission, for the chart. */
export async function installationTrend(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { condition }: Parsed<Trends['trend']>,
  { scope }: Scoped,
): Promise<Result<Trends['trend']>> {
  const rows = await installationsByMonth(db, scope, condition.by);
  return trendOf(rows, condition, new Date(nowMs()).toISOString().slice(0, 7));
}

/** The same by month and group, for the table and its file. */
export const installationList = async (
  { db }: Uses<'db'>,
  input: Asked<Trends['list']>,
  { scope }: Scoped,
): Promise<Found<TrendRow>> =>
  toRows(await listInstallations(db, scope, input), ({ month, group, plants, kwp }) => ({
    id: `${month} ${group}`,
    month,
    by: input.condition.by,
    group,
    plants,
    kwp,
  }));
