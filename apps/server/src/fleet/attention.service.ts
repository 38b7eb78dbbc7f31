import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { type fleetEndpoints, MOST_TROUBLED } from '@sonnenwarte/contract/fleet/fleet';
import { sumMoney } from '@sonnenwarte/energy/accounting/money';
import { mayEdit } from '../access/scope.ts';
import type { Scoped } from '../http/serve.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import type { Uses } from '../services.ts';
import { silenceOf } from '../sites/site-alarms.service.ts';
import { heardDataloggers, worstAlarms } from '../sites/site-alarms.store.ts';
import { type SiteListRow, sitesByIds } from '../sites/sites.store.ts';
import { troubledSites, weeksOf } from './attention.store.ts';

type Attention = (typeof fleetEndpoints)['attention'];

/** Plants in scope that lose energy or are not normal, a page of them, each with what is wrong and why. */
export async function fleetAttention(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { currentPage, paused }: Parsed<Attention>,
  { scope }: Scoped,
): Promise<Result<Attention>> {
  const now = nowMs();
  const troubled = await troubledSites(db, scope, now);
  const putOff = troubled.filter(({ pause }) => pause !== null);
  const shown = paused === 'yes' ? putOff : troubled.filter(({ pause }) => pause === null);
  const page = shown.slice((currentPage - 1) * MOST_TROUBLED, currentPage * MOST_TROUBLED);
  const ids = page.map(({ id }) => id);
  const rows = await sitesByIds(db, scope, ids, now);
  const offline = rows.filter(({ state }) => state === 'offline').map(({ id }) => id);
  const [alarms, heard, weeks] = await Promise.all([
    worstAlarms(db, scope, ids),
    heardDataloggers(db, scope, offline, now),
    weeksOf(db, scope, ids),
  ]);
  const byId = new Map(page.map((each) => [each.id, each]));
  return { total: shown.length, plants: rows.map(toTroubled), paused: putOff.length, sums: sumsOf(shown) };

  function toTroubled(row: SiteListRow) {
    const worst = alarms.get(row.id);
    const newestMs = row.ts?.getTime() ?? null;
    return {
      stationID: row.id,
      name: row.name,
      state: row.state,
      city: row.city,
      country: row.country,
      ianaTimezone: row.time_zone,
      systemCapacity: row.system_size_kwp,
      updatedAtMs: newestMs,
      intervalS: row.interval_s,
      alarm: worst?.alarm ?? null,
      alarms: worst?.count ?? 0,
      silence: row.state === 'offline' ? silenceOf(newestMs, heard.get(row.id)) : null,
      week: weeks.get(row.id) ?? null,
      isLosing: byId.get(row.id)?.isLosing ?? false,
      pause: byId.get(row.id)?.pause ?? null,
      can: { pause: mayEdit(scope, row) },
    };
  }
}

/** Sums of what is known in money; amounts of two currencies are never added up. */
function sumsOf(shown: Awaited<ReturnType<typeof troubledSites>>): Result<Attention>['sums'] {
  const byCurrency = new Map<string, { wh: number[]; money: string[] }>();
  for (const { isLosing, lossWh, lossMoney, currency } of shown) {
    if (!isLosing || lossWh === null || lossMoney === null || currency === null) continue;
    const sums = entryOf(byCurrency, currency, () => ({ wh: [], money: [] }));
    sums.wh.push(lossWh);
    sums.money.push(lossMoney);
  }
  return [...byCurrency]
    .map(([currency, { wh, money }]) => ({
      currency,
      plants: wh.length,
      lossWh: wh.reduce((sum, each) => sum + each, 0),
      lossMoney: sumMoney(money),
    }))
    .toSorted((a, b) => b.plants - a.plants || a.currency.localeCompare(b.currency));
}
