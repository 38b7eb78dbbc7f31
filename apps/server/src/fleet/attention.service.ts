import type { Result } from '@sonnenwarte/contract/endpoint';
import { type fleetEndpoints, MOST_TROUBLED } from '@sonnenwarte/contract/fleet/fleet';
import { troubled } from '@sonnenwarte/contract/status';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { silenceOf } from '../sites/site-alarms.service.ts';
import { heardDataloggers, worstAlarms } from '../sites/site-alarms.store.ts';
import { listSites, type SiteListRow } from '../sites/sites.store.ts';

/** Plants in scope that are not normal, the worst first, each with its worst alarm or why it is silent. */
export async function fleetAttention(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  _: unknown,
  { scope }: Scoped,
): Promise<Result<typeof fleetEndpoints.attention>> {
  const now = nowMs();
  const { total, rows } = await listSites(
    db,
    scope,
    {
      currentPage: 1,
      pageSize: MOST_TROUBLED,
      condition: { status: 0, contentType: 0, content: '', states: [...troubled] },
      sort: { field: 'state', order: 'asc' },
    },
    now,
  );
  const offline = rows.filter(({ state }) => state === 'offline').map(({ id }) => id);
  const [alarms, heard] = await Promise.all([
    worstAlarms(
      db,
      scope,
      rows.map(({ id }) => id),
    ),
    heardDataloggers(db, scope, offline, now),
  ]);
  return { total, plants: rows.map((row) => toTroubled(row)) };

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
    };
  }
}
