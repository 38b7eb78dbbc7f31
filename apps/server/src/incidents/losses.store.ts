import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { DATALOGGER_OFFLINE, DEVICE_OFFLINE } from './explains.ts';
import { countChildren } from './fold.store.ts';
import type { Costing } from './losses.ts';

type Db = Kysely<Database>;

export interface DueSite {
  site_id: string;
  time_zone: string;
  /** Of something that was heard nothing is known yet: it was never reckoned, or its days were not when it was. */
  is_fresh: boolean;
}

/** Plants of which something stands, or was over lately, that were looked at before a time, the longest ago first. */
export async function dueSites(db: Db, lookedBefore: Date, overSince: Date, most: number): Promise<DueSite[]> {
  const { rows } = await sql<DueSite>`
    select i.site_id, s.time_zone, bool_or(i.reckoned_at is null or (i.own_wh is null and i.code not in (${DATALOGGER_OFFLINE}, ${DEVICE_OFFLINE}))) as is_fresh
    from (
      select site_id, reckoned_at, own_wh, code from incidents where reckoned_at is null and site_id is not null
      union all select site_id, reckoned_at, own_wh, code from incidents where state in ('open', 'acknowledged') and reckoned_at < ${lookedBefore}
      union all select site_id, reckoned_at, own_wh, code from incidents where state in ('cleared', 'closed') and until > ${overSince} and reckoned_at < ${lookedBefore}
    ) i join sites s on s.id = i.site_id
    where s.deleted_at is null
    group by i.site_id, s.time_zone order by min(coalesce(i.reckoned_at, 'epoch')), i.site_id limit ${most}`.execute(
    db,
  );
  return rows;
}

/** Incidents of some plants that stood at or after a time, by plant. */
export async function costingAt(db: Db, siteIds: readonly string[], from: Date): Promise<Map<string, Costing[]>> {
  const { rows } = await sql<{
    id: string;
    site_id: string;
    code: number;
    level: number;
    device: string | null;
    since: Date;
    until: Date | null;
  }>`
    select i.id, i.site_id, i.code, i.level, d.sn as device, i.since, i.until
    from incidents i left join devices d on d.id = i.device_id
    where i.site_id = any(${siteIds}::uuid[]) and (i.until is null or i.until > ${from})
    order by i.since, i.id`.execute(db);
  const bySite = new Map<string, Costing[]>();
  for (const { id, site_id, code, level, device, since, until } of rows) {
    const list = bySite.get(site_id) ?? [];
    list.push({ id, code, level, device, sinceMs: since.getTime(), untilMs: until?.getTime() ?? null });
    bySite.set(site_id, list);
  }
  return bySite;
}

export interface DayLoss {
  incident: string;
  day: string;
  wh: number;
  money: string | null;
  currency: string;
}

/** Keeps what the incidents of some plants have cost from a day on, in place of what was kept of that time, with the sums. */
export async function writeLosses(
  db: Db,
  { ids, first, losses, at }: { ids: readonly string[]; first: string; losses: readonly DayLoss[]; at: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // In the order in which others take them.
    await sql`select id from incidents where site_id = any(${ids}::uuid[]) and (state <> 'closed' or until > ${first}::date) order by id for update`.execute(
      tx,
    );
    await sql`
      delete from incident_losses l using incidents i
      where i.id = l.incident_id and i.site_id = any(${ids}::uuid[]) and l.day >= ${first}::date`.execute(tx);
    await sql`
      insert into incident_losses (incident_id, day, wh, money, currency)
      select incident, day, wh, money, currency
      from json_to_recordset(${JSON.stringify(losses)}::json) as t (incident uuid, day date, wh float8, money numeric, currency text)`.execute(
      tx,
    );
    await sql`
      update incidents i set reckoned_at = ${at}, own_wh = t.wh, own_money = t.money, lost_wh = t.wh, lost_money = t.money, currency = coalesce(t.currency, '')
      from (
        select i.id, sum(l.wh) as wh, case when count(l.money) = count(*) and count(distinct l.currency) = 1 then sum(l.money) end as money,
          max(l.currency) as currency
        from incidents i left join incident_losses l on l.incident_id = i.id
        where i.site_id = any(${ids}::uuid[]) and (i.state <> 'closed' or i.until > ${first}::date or i.reckoned_at is null)
        group by i.id
      ) t
      where i.id = t.id`.execute(tx);
    const { rows } = await sql<{ id: string }>`
      select distinct cause_id as id from incidents where site_id = any(${ids}::uuid[]) and cause_id is not null
      union select id from incidents where site_id = any(${ids}::uuid[]) and children > 0`.execute(tx);
    await countChildren(
      tx,
      rows.map(({ id }) => id),
    );
  });
}
