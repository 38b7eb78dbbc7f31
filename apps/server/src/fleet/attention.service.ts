import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { type fleetEndpoints, MOST_TROUBLED } from '@sonnenwarte/contract/fleet/fleet';
import { WEEK_DAYS } from '@sonnenwarte/contract/losses/week';
import { mayEdit } from '../access/scope.ts';
import type { Scoped } from '../http/serve.ts';
import { daysBefore, dueSince } from '../insight/due.store.ts';
import type { Uses } from '../services.ts';
import { silenceOf } from '../sites/site-alarms.service.ts';
import { heardDataloggers, worstAlarms } from '../sites/site-alarms.store.ts';
import { weeksOf } from '../sites/site-weeks.store.ts';
import { type SiteListRow, sitesByIds } from '../sites/sites.store.ts';
import { troubledPlants } from './attention.store.ts';

type Attention = (typeof fleetEndpoints)['attention'];

/** Plants in scope that lose energy or are not normal, a page of them, each with what is wrong and why. */
export async function fleetAttention(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { currentPage, paused }: Parsed<Attention>,
  { scope }: Scoped,
): Promise<Result<Attention>> {
  const now = nowMs();
  const isPaused = paused === 'yes';
  const { page, sums } = await troubledPlants(db, scope, now, { isPaused, page: currentPage, pageSize: MOST_TROUBLED });
  const shown = sums.filter((sum) => sum.isPaused === isPaused);
  const ids = page.map(({ id }) => id);
  const rows = await sitesByIds(db, scope, ids, now);
  const offline = rows.filter(({ state }) => state === 'offline').map(({ id }) => id);
  const [alarms, heard, weeks, due] = await Promise.all([
    worstAlarms(db, scope, ids),
    heardDataloggers(db, scope, offline, now),
    weeksOf(db, scope, ids),
    dueSince(db, ids, daysBefore(new Date(now).toISOString().slice(0, 10), WEEK_DAYS + 1)),
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
      isDue: due.has(row.id),
      isLosing: byId.get(row.id)?.isLosing ?? false,
      pause: byId.get(row.id)?.pause ?? null,
      can: { pause: mayEdit(scope, row) },
    };
  }
}

const countOf = (sums: readonly { plants: number }[]): number => sums.reduce((count, { plants }) => count + plants, 0);
