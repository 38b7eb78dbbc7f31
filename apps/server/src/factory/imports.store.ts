import type { UnitKind } from '@sonnenwarte/contract/factory/factory-words';
import { MOST_TOLD_UNIT_PROBLEMS, type UnitProblem } from '@sonnenwarte/contract/factory/imports';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { UNITS_AT_ONCE } from './reckoning.store.ts';
import type { UnitFileRow } from './units-file.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/** What becomes of a row: a unit that is not there yet, one with other values, one as it is there, or a problem. */
export type Verdict = 'fresh' | 'changed' | 'same' | UnitProblem;

export interface WaitingImport {
  readonly id: string;
  readonly batch_id: string;
  readonly rows: number;
}

/** Leaves the newest files of an account that wait. */
export const forgetOldest = (db: Db, accountId: string, left: number) =>
  sql`delete from unit_imports where id in (
    select id from unit_imports where account_id = ${accountId} order by read_at desc, id offset ${left})`.execute(db);

export const beginImport = async (db: Db, accountId: string, batchId: string, at: Date): Promise<string> =>
  (
    await db
      .insertInto('unit_imports')
      .values({ account_id: accountId, batch_id: batchId, read_at: at })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

export async function stageRows(db: Db, importId: string, rows: readonly UnitFileRow[]): Promise<void> {
  await sql`insert into unit_import_rows (import_id, line, sn, odm_sn, model, firmware, delivered_on, wrong)
    select ${importId}, r.* from json_to_recordset(${JSON.stringify(rows)}::json)
      as r (line integer, sn text, odm_sn text, model text, firmware text, delivered_on date, wrong text)`.execute(db);
}

export const endStaging = (db: Db, importId: string, rows: number) =>
  db.updateTable('unit_imports').set({ rows }).where('id', '=', importId).execute();

export const waitingImport = (db: Db, accountId: string, id: string): Promise<WaitingImport | undefined> =>
  db
    .selectFrom('unit_imports')
    .select(['id', 'batch_id', 'rows'])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();

export const forgetImport = (db: Db, id: string) => db.deleteFrom('unit_imports').where('id', '=', id).execute();

/** Files that nobody has imported. */
export const forgetImports = (db: Db, readBefore: Date) =>
  db.deleteFrom('unit_imports').where('read_at', '<', readBefore).execute();

/** One file at a time is imported, so that no other changes what its rows are compared with. */
export const holdImports = (tx: Tx) =>
  sql`select pg_advisory_xact_lock(hashtextextended('factory import', 0))`.execute(tx);

/** Lines that one statement looks at, in their order. */
async function* spansOf(db: Db, importId: string): AsyncGenerator<readonly [after: number, through: number]> {
  for (let after = -1; ; ) {
    const { rows } = await sql<{ through: number | null }>`select max(line) as through from (
      select line from unit_import_rows where import_id = ${importId} and line > ${after}
      order by line limit ${UNITS_AT_ONCE}) lines`.execute(db);
    const through = rows[0]?.through ?? null;
    if (through === null) return;
    yield [after, through];
    after = through;
  }
}

/** What a row `r` says, and where it says nothing its batch as it is now. */
const asImported = (batchId: string) => sql`select coalesce(nullif(r.model, ''), now.model) as model,
  coalesce(nullif(r.firmware, ''), now.firmware) as firmware, coalesce(r.delivered_on, now.delivered_on) as delivered_on
  from device_batches now where now.id = ${batchId}`;

/** Compares the rows of a file with what is there now, and notes what would become of each. */
export async function judgeRows(
  db: Db,
  { id, batch_id }: WaitingImport,
  kind: UnitKind,
): Promise<ReadonlyMap<Verdict, number>> {
  const thing =
    kind === 'logger'
      ? sql`select 'logger' as kind, model from loggers where loggers.sn = r.sn`
      : sql`select case when kind_guessed then '' else kind end as kind, model from devices
          where upper(devices.sn) collate "C" = r.sn and deleted_at is null limit 1`;
  for await (const [after, through] of spansOf(db, id)) {
    await sql`update unit_import_rows r set verdict = j.verdict, detail = j.detail from (
      select r.line, v.verdict, coalesce(case v.verdict when 'twice' then f.line::text when 'elsewhere' then b.number
        when 'otherKind' then t.kind when 'otherModel' then t.model end, '') as detail
      from unit_import_rows r
      left join lateral (select min(line) as line from unit_import_rows f
        where f.import_id = r.import_id and f.sn = r.sn and f.wrong = '') f on true
      cross join lateral (${asImported(batch_id)}) w
      left join delivered_units u on u.sn = r.sn
      left join device_batches b on b.id = u.batch_id
      left join lateral (${thing}) t on true
      cross join lateral (select case
        when r.wrong <> '' then r.wrong
        when f.line < r.line then 'twice'
        when u.batch_id <> ${batch_id} then 'elsewhere'
        when t.kind <> '' and t.kind <> ${kind} then 'otherKind'
        when t.model <> '' and lower(t.model) <> lower(w.model) then 'otherModel'
        when u.sn is null then 'fresh'
        when (u.odm_sn, u.model, u.firmware, u.delivered_on) is distinct from (r.odm_sn, w.model, w.firmware, w.delivered_on)
          then 'changed'
        else 'same' end as verdict) v
      where r.import_id = ${id} and r.line > ${after} and r.line <= ${through}) j
    where r.import_id = ${id} and r.line = j.line and (r.verdict, r.detail) is distinct from (j.verdict, j.detail)`.execute(
      db,
    );
  }
  const { rows } = await sql<{ verdict: Verdict; count: number }>`
    select verdict, count(*)::int as count from unit_import_rows where import_id = ${id} group by verdict`.execute(db);
  return new Map(rows.map(({ verdict, count }) => [verdict, count]));
}

const isWrong = sql<SqlBool>`unit_import_rows.verdict not in ('fresh', 'changed', 'same')`;

export interface WrongRow {
  readonly line: number;
  readonly sn: string;
  readonly verdict: UnitProblem;
  readonly detail: string;
}

/** Rows that cannot be imported, behind a line. */
export const wrongRows = (db: Db, importId: string, after = -1, most = MOST_TOLD_UNIT_PROBLEMS): Promise<WrongRow[]> =>
  db
    .selectFrom('unit_import_rows')
    .select(['line', 'sn', sql<UnitProblem>`verdict`.as('verdict'), 'detail'])
    .where('import_id', '=', importId)
    .where('line', '>', after)
    .where(isWrong)
    .orderBy('line')
    .limit(most)
    .execute();

/** Makes units of the rows that are fresh, and gives those that have changed their new values. */
export async function importRows(tx: Tx, { id, batch_id }: WaitingImport): Promise<void> {
  for await (const [after, through] of spansOf(tx, id)) {
    const ofSpan = sql<SqlBool>`r.import_id = ${id} and r.line > ${after} and r.line <= ${through}`;
    const values = sql`cross join lateral (${asImported(batch_id)}) w`;
    await sql`insert into delivered_units (sn, odm_sn, batch_id, model, firmware, delivered_on)
      select r.sn, r.odm_sn, ${batch_id}::uuid, w.model, w.firmware, w.delivered_on from unit_import_rows r ${values}
      where ${ofSpan} and r.verdict = 'fresh' order by r.sn`.execute(tx);
    await sql`update delivered_units u set odm_sn = r.odm_sn, model = w.model, firmware = w.firmware, delivered_on = w.delivered_on
      from unit_import_rows r ${values} where ${ofSpan} and r.verdict = 'changed' and u.sn = r.sn`.execute(tx);
  }
}
