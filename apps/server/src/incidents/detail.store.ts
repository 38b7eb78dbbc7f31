import { type Kysely, sql } from 'kysely';
import { incidentIsVisible, type Scope } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** Steps in the life of an incident that is in scope, newest first; one more than asked for where there are more. */
/** Kinds of entries that nobody wrote. */
const OF_ITSELF = ['raised', 'returned', 'cleared', 'closed'];

/** The newest entries of an incident, with how many there are; without `withPeople` those alone that nobody wrote. */
export const entriesOf = (db: Db, id: string, most: number, withPeople: boolean) =>
  db
    .selectFrom('incident_entries')
    .select(['id', 'at', 'kind', 'actor', 'text', 'until', 'cause'])
    .select(sql<number>`(count(*) over ())::int`.as('total'))
    .where('incident_id', '=', id)
    .$if(!withPeople, (query) => query.where('kind', 'in', OF_ITSELF))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();

export const spellsOf = (db: Db, id: string, most: number) =>
  db
    .selectFrom('alarms')
    .select(['since', 'until'])
    .where('incident_id', '=', id)
    .orderBy('since', 'desc')
    .limit(most)
    .execute();

/** What an incident and those that it explains cost, by local days, the newest first. */
export const lossesByDay = (db: Db, id: string, most: number) =>
  db
    .selectFrom('incident_losses')
    .innerJoin('incidents', 'incidents.id', 'incident_losses.incident_id')
    .where((eb) => eb.or([eb('incidents.id', '=', id), eb('incidents.cause_id', '=', id)]))
    .groupBy('incident_losses.day')
    .select([
      sql<string>`incident_losses.day::text`.as('day'),
      sql<number>`sum(incident_losses.wh)`.as('wh'),
      sql<
        string | null
      >`case when count(*) = count(incident_losses.money) and count(distinct incident_losses.currency) = 1
        then sum(incident_losses.money) end`.as('money'),
    ])
    .orderBy('incident_losses.day', 'desc')
    .limit(most)
    .execute();

/** What people found incidents of a code to be, the commonest first. Counts of the whole platform: no plant is named. */
export const causesFound = (db: Db, code: number, most: number) =>
  db
    .selectFrom('incidents')
    .select(['cause', sql<number>`count(*)::int`.as('count')])
    .where('code', '=', code)
    .where('cause', '<>', '')
    .groupBy('cause')
    .orderBy('count', 'desc')
    .orderBy('cause')
    .limit(most)
    .execute();

/** What explains an incident, if that is in scope. */
export const explaining = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('incidents')
    .select(['incidents.id', 'incidents.code', 'incidents.since'])
    .where('incidents.id', '=', id)
    .where(incidentIsVisible(scope))
    .executeTakeFirst();

/** The same of the same subject before. */
export const sameBefore = (
  db: Db,
  { id, subject, code, since }: { id: string; subject: string; code: number; since: Date },
  most: number,
) =>
  db
    .selectFrom('incidents')
    .select(['id', 'since', 'until'])
    .where('subject', '=', subject)
    .where('code', '=', code)
    .where('id', '<>', id)
    .where('since', '<=', since)
    .orderBy('since', 'desc')
    .limit(most)
    .execute();

/** Points, of those named, that a device has told. */
export async function toldOf(db: Db, deviceId: string, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from device_latest, unnest(${names}::text[]) as name
    where device_id = ${deviceId} and jsonb_exists(device_latest.values, name)`.execute(db);
  return new Set(rows.map(({ name }) => name));
}
