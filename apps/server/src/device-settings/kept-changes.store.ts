import { type Kysely, type RawBuilder, sql } from 'kysely';
import { partsOf } from '../in-slices.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** Changes of a setting that a device made by itself and that are kept, the newest. */
export const MOST_OF_DEVICE = 500;
const ROWS_AT_ONCE = 5_000;
const SETTINGS_AT_ONCE = 50;
const CHANGES_AT_ONCE = 200;
const STATE = 'device-settings.looked-through';

/** Of what nobody ordered, in words that the partial indexes have too. */
const byThemselves = sql`c.account_id is null and c.source in ('device', 'plan')`;

interface Setting {
  readonly subject_id: string;
  readonly name: string;
}

/** How far changes have been looked through: by their numbers as they come, and by their times as they grow old. */
interface Looked {
  readonly id: string;
  readonly old: { readonly at: string; readonly id: string };
}

const START: Looked = { id: '0', old: { at: '-infinity', id: '0' } };

/**
 * Takes away changes of settings that nobody ordered: of those that a device made by itself all but the newest of each setting, and of those and what plans
 * of the portal wrote what is older than a time. The first and the last of each kind stay, so that it is known since when and by what a setting is as it is;
 * what people ordered stays altogether. Only settings of which something is new, or has grown old since the last time, are looked at.
 */
export async function forgetChanges(db: Db, beforeMs: number, ending: AbortSignal): Promise<void> {
  const before = new Date(beforeMs);
  let looked = await lookedUntil(db);
  for (const next of [sliceOfNew, sliceOfOld]) {
    for (;;) {
      const slice = await next(db, looked, before);
      for (const settings of partsOf(slice.settings, SETTINGS_AT_ONCE)) {
        while (!ending.aborted && (await forgetOf(db, settings, before)) > 0);
      }
      if (ending.aborted) return;
      looked = slice.looked;
      await noteLooked(db, looked);
      if (slice.isLast) break;
    }
  }
}

interface Slice {
  readonly settings: readonly Setting[];
  readonly looked: Looked;
  readonly isLast: boolean;
}

const settingsOf = (rows: readonly Setting[]): Setting[] => [
  ...new Map(rows.map((row) => [`${row.subject_id} ${row.name}`, row])).values(),
];

/** Settings of which changes are new. */
async function sliceOfNew(db: Db, looked: Looked): Promise<Slice> {
  const { rows } = await sql<Setting & { id: string; is_own: boolean }>`
    select c.id, c.subject_id, c.name, ${byThemselves} as is_own from setting_changes c where c.id > ${looked.id}::bigint
    order by c.id limit ${ROWS_AT_ONCE}`.execute(db);
  return {
    settings: settingsOf(rows.filter(({ is_own }) => is_own)),
    looked: { ...looked, id: String(rows.at(-1)?.id ?? looked.id) },
    isLast: rows.length < ROWS_AT_ONCE,
  };
}

/** Settings of which changes have grown older than a time. */
async function sliceOfOld(db: Db, looked: Looked, before: Date): Promise<Slice> {
  const { rows } = await sql<Setting & { id: string; time: string }>`
    select c.id, c.subject_id, c.name, c.at::text as time from setting_changes c
    where ${byThemselves} and c.at < ${before} and (c.at, c.id) > (${looked.old.at}::timestamptz, ${looked.old.id}::bigint)
    order by c.at, c.id limit ${ROWS_AT_ONCE}`.execute(db);
  const last = rows.at(-1);
  return {
    settings: settingsOf(rows),
    looked: { ...looked, old: last === undefined ? looked.old : { at: last.time, id: String(last.id) } },
    isLast: rows.length < ROWS_AT_ONCE,
  };
}

/** Takes away the oldest of what is too much of some settings; answers how many rows. */
async function forgetOf(db: Db, settings: readonly Setting[], before: Date): Promise<number> {
  const of = sql`c.subject_id = s.subject_id and c.name = s.name and c.source = k.source and ${byThemselves}`;
  const end = (order: RawBuilder<unknown>) =>
    sql`(select c.id from setting_changes c where ${of} order by ${order} limit 1)`;
  const { numAffectedRows } = await sql`
    delete from setting_changes where id in (
      select o.id from unnest(${settings.map(({ subject_id }) => subject_id)}::uuid[], ${settings.map(({ name }) => name)}::text[])
        as s (subject_id, name)
      cross join (values ('device'), ('plan')) as k (source)
      cross join lateral (
        select c.id from setting_changes c
        where ${of}
          and (c.at < ${before} or (k.source = 'device' and (c.at, c.id) <= (
            select c.at, c.id from setting_changes c where ${of} order by c.at desc, c.id desc offset ${MOST_OF_DEVICE} limit 1)))
          and c.id <> ${end(sql`c.at, c.id`)} and c.id <> ${end(sql`c.at desc, c.id desc`)}
        order by c.at, c.id limit ${CHANGES_AT_ONCE}) as o)`.execute(db);
  return Number(numAffectedRows ?? 0);
}

async function lookedUntil(db: Db): Promise<Looked> {
  const row = await db.selectFrom('process_state').select('value').where('name', '=', STATE).executeTakeFirst();
  return (row?.value as Looked | undefined) ?? START;
}

async function noteLooked(db: Db, looked: Looked): Promise<void> {
  const value = JSON.stringify(looked);
  await db
    .insertInto('process_state')
    .values({ name: STATE, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at: new Date() }))
    .execute();
}
