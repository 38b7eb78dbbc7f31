import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { type fleetEndpoints, MOST_TROUBLED } from '@sonnenwarte/contract/fleet/fleet';
import { mayEdit } from '../access/scope.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { silenceOf } from '../sites/site-alarms.service.ts';
import { heardDataloggers, worstAlarms } from '../sites/site-alarms.store.ts';
import { weeksOf } from '../sites/site-weeks.store.ts';
import { type SiteListRow, sitesByIds } from '../sites/sites.store.ts';
import { troubledPage, troubledSums } from './attention.store.ts';

type Attention = (typeof fleetEndpoints)['attention'];

/** Plants in scope that lose energy or are not normal, a page of them, each with what is wrong and why. */
export async function fleetAttention(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { currentPage, paused }: Parsed<Attention>,
  { scope }: Scoped,
): Promise<Result<Attention>> {
  const now = nowMs();
  const isPaused = paused === 'yes';
  const [page, sums] = await Promise.all([
    troubledPage(db, scope, now, { isPaused, page: currentPage, pageSize: MOST_TROUBLED }),
    troubledSums(db, scope, now),
  ]);
  const shown = sums.filter((sum) => sum.isPaused === isPaused);
  const ids = page.map(({ id }) => id);
  const rows = await sitesByIds(db, scope, ids, now);
  const offline = rows.filter(({ state }) => state === 'offline').map(({ id }) => id);
  const [alarms, heard, weeks] = await Promise.all([
    worstAlarms(db, scope, ids),
    heardDataloggers(db, scope, offline, now),
    weeksOf(db, scope, ids),
  ]);
  const byId = new Map(page.map((each) => [each.id, each]));
  return {
    total: countOf(shown),
    plants: rows.map(toTroubled),
    paused: countOf(sums.filter((sum) => sum.isPaused)),
    sums: shown
      .flatMap(({ currency, plants, lossWh, lossMoney }) =>
        currency === null ? [] : [{ currency, plants, lossWh, lossMoney }],
      )
      .toSorted((x, y) => y.plants - x.plants || x.currency.localeCompare(y.currency)),
  };

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

const countOf = (sums: readonly { plants: number }[]): number => sums.reduce((count, { plants }) => count + plants, 0);
