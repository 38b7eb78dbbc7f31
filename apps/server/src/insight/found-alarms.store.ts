import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';
import type { FoundAlarm } from './found-alarms.ts';

/** What the newest ended day of a plant shows. */
export interface FoundOfSite {
  readonly siteId: string;
  readonly found: readonly FoundAlarm[];
  /** Codes of which the day tells whether they hold. */
  readonly judged: readonly number[];
  readonly dayMs: number;
}

/** Begins the alarms that days of some plants show, and ends those of these codes that they show no more, as their day began. */
export async function keepFound(db: Kysely<Database>, sites: readonly FoundOfSite[]): Promise<void> {
  const found = sites.flatMap(({ siteId, found: alarms }) =>
    alarms.map(({ code, device, sinceMs }) => ({ site: siteId, code, device, since: new Date(sinceMs) })),
  );
  const judged = sites.flatMap(({ siteId, judged: codes, dayMs }) =>
    codes.map((code) => ({ site: siteId, code, day: new Date(dayMs) })),
  );
  const shown = sql`json_to_recordset(${JSON.stringify(found)}::json) as f (site uuid, code int, device text, since timestamptz)`;
  await sql`
    update alarms a set until = greatest(a.since, j.day), folded = false
    from json_to_recordset(${JSON.stringify(judged)}::json) as j (site uuid, code int, day timestamptz)
    where a.site_id = j.site and a.code = j.code and a.source = 'portal' and a.until is null
      and not exists (select from ${shown} left join devices d on d.sn = f.device and d.site_id = f.site
        where f.site = a.site_id and f.code = a.code and d.id is not distinct from a.device_id)`.execute(db);
  if (found.length === 0) return;
  await sql`
    insert into alarms (device_id, site_id, code, level, since, source)
    select d.id, f.site, f.code, 2, f.since, 'portal'
    from ${shown} left join devices d on d.sn = f.device and d.site_id = f.site and d.deleted_at is null
    where f.device is null or d.id is not null
    on conflict do nothing`.execute(db);
}
