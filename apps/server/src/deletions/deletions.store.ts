import type { deletionFields, list } from '@sonnenwarte/contract/deletions/deletions';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { idsOf } from '../tenancy/images.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type ListInput = Asked<typeof list>;
export type DeletionKind = Database['deletions']['kind'];

const openDeletions = (db: Db, nowMs: number) =>
  db
    .selectFrom('deletions')
    .where('undone_at', 'is', null)
    .where('cutting_at', 'is', null)
    .where('cut_off_at', 'is', null)
    .where('undo_until', '>', new Date(nowMs));

const sortKeys = {
  name: sql`lower(record_name)`,
  kind: sql`kind`,
  deletedBy: sql`lower(deleted_by_name)`,
  deletedMs: sql`deleted_at`,
  undoUntilMs: sql`undo_until`,
} satisfies SortKeys<typeof deletionFields>;

/** Deletions of some kinds that can still be undone. */
export function listDeletions(db: Db, kinds: readonly DeletionKind[], input: ListInput, nowMs: number) {
  const { condition, sort } = input;
  let query = openDeletions(db, nowMs).where(sql<SqlBool>`kind = any(${kinds}::text[])`);
  if (condition.content !== '') query = query.where('record_name', 'ilike', containing(condition.content));
  if (condition.kind !== undefined) query = query.where('kind', '=', condition.kind);
  return pageOf(
    query.select(['id', 'kind', 'record_name', 'deleted_by_name', 'deleted_at', 'undo_until', 'summary']),
    { key: sortKeys[sort.field], apart: [sql`id`], order: sort.order },
    input,
  );
}

/** A deletion that can still be undone, held until the transaction ends. */
export const holdDeletion = (tx: Tx, id: string, nowMs: number) =>
  openDeletions(tx, nowMs)
    .select([
      'id',
      'kind',
      'record_id',
      'record_name',
      'deleted_by',
      sql<string[]>`organisation_path::text[]`.as('path'),
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const markUndone = (tx: Tx, id: string, at: Date) =>
  tx.updateTable('deletions').set({ undone_at: at }).where('id', '=', id).execute();

/** Serial numbers that plants of a deletion do not get back, and from now on do not miss either. */
export async function takenFrom(tx: Tx, change: string): Promise<string[]> {
  const { rows } = await sql<{ sn: string }>`
    with gone as (delete from taken_loggers where site_id in (${idsOf(change, 'sites')}) returning site_id, logger_id)
    select loggers.sn from gone join loggers on loggers.id = gone.logger_id
    where loggers.site_id is distinct from gone.site_id order by loggers.sn`.execute(tx);
  return rows.map(({ sn }) => sn);
}

export interface NewDeletion {
  /** Of the change that it is. */
  readonly id: string;
  readonly kind: DeletionKind;
  readonly recordId: string;
  readonly recordName: string;
  readonly organisationPath: readonly string[];
  readonly deletedBy: string | null;
  readonly deletedByName: string;
  readonly deletedAt: Date;
  readonly undoUntil: Date;
  readonly summary: Readonly<Record<string, number>>;
}

export async function insertDeletion(tx: Tx, deletion: NewDeletion): Promise<void> {
  await tx
    .insertInto('deletions')
    .values({
      id: deletion.id,
      kind: deletion.kind,
      record_id: deletion.recordId,
      record_name: deletion.recordName,
      organisation_path: [...deletion.organisationPath],
      deleted_by: deletion.deletedBy,
      deleted_by_name: deletion.deletedByName,
      deleted_at: deletion.deletedAt,
      undo_until: deletion.undoUntil,
      summary: JSON.stringify(deletion.summary),
      undone_at: null,
      purged_at: null,
      cut_off_at: null,
      cutting_at: null,
    })
    .execute();
}
