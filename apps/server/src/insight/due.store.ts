import { localDay } from '@sonnenwarte/energy/calendar';
import { type Kysely, sql } from 'kysely';
import type { WrittenDays } from '../accounting/site-rollups.ts';
import { partsOf } from '../in-slices.ts';
import { dayBefore } from '../sites/plant-days.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** A day is taken to be told in full so long after it ended. */
const GRACE_MS = 2 * 3_600_000;
/** Days that are reckoned first where nothing was before, and after a pause. */
const FIRST_DAYS = 8;
/** Days that are kept, and filled in where telemetry goes back that far. */
const MOST_DAYS = 800;
/** What changes again and again, as while a history comes, waits until it has been still for so long. */
const STILL_MS = 60_000;
const ROWS_AT_ONCE = 1_000;

export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);

/** The newest day of a zone's clock that has ended and is told in full. */
export const endedDay = (nowMs: number, zone: string): string => dayBefore(localDay(nowMs - GRACE_MS, zone));

/** Notes days of which sums were written though they had ended: they are held against what they could have given anew. */
export async function noteWrittenDays(db: Db, written: WrittenDays, nowMs: number): Promise<void> {
  const due: { id: string; day: string }[] = [];
  for (const [{ id, zone }, days] of written) {
    const today = localDay(nowMs, zone);
    const oldest = daysBefore(today, MOST_DAYS);
    for (const day of days) if (day < today && day >= oldest) due.push({ id, day });
  }
  for (const part of partsOf(due, ROWS_AT_ONCE)) {
    await sql`insert into insight_due (site_id, day, noted_at)
      select told.id, told.day, ${new Date(nowMs)}
      from unnest(${part.map(({ id }) => id)}::uuid[], ${part.map(({ day }) => day)}::date[]) as told (id, day)
      join sites on sites.id = told.id
      on conflict (site_id, day) do update set noted_at = excluded.noted_at`.execute(db);
  }
}

/** One zone after the other by its index, whatever the number of plants. */
const zones = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ zone: string }>`with recursive zones as (
      (select time_zone as zone from sites where deleted_at is null order by time_zone limit 1)
      union all
      select (select time_zone from sites where deleted_at is null and time_zone > zones.zone order by time_zone limit 1)
      from zones where zones.zone is not null)
    select zone from zones where zone is not null`.execute(db);
  return rows.map(({ zone }) => zone);
};

const noteZone = (db: Db, zone: string, days: readonly string[]) =>
  sql`insert into insight_due (site_id, day, noted_at)
    select sites.id, days.day, 'epoch' from sites, unnest(${days}::date[]) as days (day)
    where sites.time_zone = ${zone} and sites.deleted_at is null
    on conflict (site_id, day) do nothing`.execute(db);

/** Notes the days that have ended since, for all plants of each zone in which one has; where nothing was before, those of a week. */
export async function noteEndedDays(db: Db, nowMs: number): Promise<void> {
  const turns = await db
    .selectFrom('insight_turns')
    .select(['time_zone', sql<string>`day::text`.as('day')])
    .execute();
  const turned = new Map(turns.map(({ time_zone, day }) => [time_zone, day]));
  for (const zone of await zones(db)) {
    const ended = endedDay(nowMs, zone);
    const last = turned.get(zone);
    if (last !== undefined && last >= ended) continue;
    const days = Array.from({ length: FIRST_DAYS }, (_, back) => daysBefore(ended, back)).filter(
      (day) => last === undefined || day > last,
    );
    await db.transaction().execute(async (tx) => {
      await noteZone(tx, zone, days);
      await tx
        .insertInto('insight_turns')
        .values({ time_zone: zone, day: ended, filled_to: days.at(-1) ?? ended })
        .onConflict((conflict) => conflict.column('time_zone').doUpdateSet({ day: ended }))
        .execute();
    });
  }
}

/** Notes the day before the first of a zone whose past is not filled in yet; false where there is none. */
export async function noteFormerDay(
  db: Db,
  nowMs: number,
  firstRecorded: () => Promise<string | null>,
): Promise<boolean> {
  const next = await db
    .selectFrom('insight_turns')
    .select(['time_zone', sql<string>`filled_to::text`.as('filled_to')])
    .where('is_filled', '=', false)
    .orderBy('filled_to', 'desc')
    .orderBy('time_zone')
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return false;
  const day = dayBefore(next.filled_to);
  const first = await firstRecorded();
  const isOver = first === null || day < first || day < daysBefore(localDay(nowMs, next.time_zone), MOST_DAYS);
  await db.transaction().execute(async (tx) => {
    if (!isOver) await noteZone(tx, next.time_zone, [day]);
    await tx
      .updateTable('insight_turns')
      .set(isOver ? { is_filled: true } : { filled_to: day })
      .where('time_zone', '=', next.time_zone)
      .execute();
  });
  return true;
}

/** A plant of which a day is due. */
export interface Due {
  id: string;
  notedAt: Date;
  latitude: number | null;
  longitude: number | null;
}

/** The newest day of one zone that is due, and the plants of which it is. */
export async function nextDue(
  db: Db,
  nowMs: number,
): Promise<{ day: string; zone: string; plants: Due[] } | undefined> {
  const before = new Date(nowMs - STILL_MS);
  const newest = await db
    .selectFrom('insight_due')
    .innerJoin('sites', 'sites.id', 'insight_due.site_id')
    .select([sql<string>`insight_due.day::text`.as('day'), 'sites.time_zone as zone'])
    .where('insight_due.noted_at', '<=', before)
    .orderBy('insight_due.day', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest === undefined) return undefined;
  const plants = await db
    .selectFrom('insight_due')
    .innerJoin('sites', 'sites.id', 'insight_due.site_id')
    .select(['sites.id', 'insight_due.noted_at as notedAt', 'sites.latitude', 'sites.longitude'])
    .where('insight_due.day', '=', newest.day)
    .where('insight_due.noted_at', '<=', before)
    .where('sites.time_zone', '=', newest.zone)
    .execute();
  return { ...newest, plants };
}

/** Takes plants off a day that was reckoned, but for those that have changed since they were read. */
export const doneWith = (db: Db, day: string, plants: readonly Due[]) =>
  sql`delete from insight_due using unnest(${plants.map(({ id }) => id)}::uuid[],
      ${plants.map(({ notedAt }) => notedAt.toISOString())}::timestamptz[]) as done (id, noted_at)
    where insight_due.site_id = done.id and insight_due.day = ${day}::date and insight_due.noted_at = done.noted_at`.execute(
    db,
  );

/** Has a day of some plants reckoned again. */
export const noteAgain = (db: Db, day: string, ids: readonly string[]) =>
  sql`insert into insight_due (site_id, day, noted_at) select id, ${day}::date, 'epoch'
    from unnest(${ids}::uuid[]) as id on conflict (site_id, day) do nothing`.execute(db);

/** Leaves a day of some plants until later. */
export const putBack = (db: Db, day: string, due: readonly Due[], untilMs: number) =>
  db
    .updateTable('insight_due')
    .set({ noted_at: new Date(untilMs) })
    .where('day', '=', day)
    .where(sql<boolean>`site_id = any(${due.map(({ id }) => id)}::uuid[])`)
    .execute();

/** Which of some plants have a day since another that is due. */
export async function dueSince(db: Db, ids: readonly string[], day: string): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('insight_due')
    .select('site_id')
    .distinct()
    .where(sql<boolean>`site_id = any(${ids}::uuid[])`)
    .where('day', '>=', day)
    .execute();
  return new Set(rows.map(({ site_id }) => site_id));
}
