import type { deletionEndpoints } from '@sonnenwarte/contract/deletions/deletions';
import type { Parsed } from '@sonnenwarte/contract/endpoint';
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { containing, onPage, totalOf } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type ListInput = Parsed<typeof deletionEndpoints.list>;
export type DeletionKind = Database['deletions']['kind'];

const openDeletions = (db: Db, nowMs: number) =>
  db
    .selectFrom('deletions')
    .where('undone_at', 'is', null)
    .where('cutting_at', 'is', null)
    .where('cut_off_at', 'is', null)
    .where('undo_until', '>', new Date(nowMs));

function sortKey(field: ListInput['sort']['field']): RawBuilder<unknown> {
  switch (field) {
    case 'name':
      return sql`lower(record_name)`;
    case 'kind':
      return sql`kind`;
    case 'deletedBy':
      return sql`lower(deleted_by_name)`;
    case 'deletedMs':
      return sql`deleted_at`;
    case 'undoUntilMs':
      return sql`undo_until`;
  }
}

/** A page of the deletions of some kinds that can still be undone. */
export async function listDeletions(db: Db, kinds: readonly DeletionKind[], input: ListInput, nowMs: number) {
  const { condition, sort } = input;
  let query = openDeletions(db, nowMs).where(sql<SqlBool>`kind = any(${kinds}::text[])`);
  if (condition.content !== '') query = query.where('record_name', 'ilike', containing(condition.content));
  if (condition.kind !== undefined) query = query.where('kind', '=', condition.kind);
  const [rows, total] = await Promise.all([
    query
      .select(['id', 'kind', 'record_name', 'deleted_by_name', 'deleted_at', 'undo_until', 'summary'])
      .orderBy(sortKey(sort.field), sort.order)
      .orderBy('id')
      .$call(onPage(input))
      .execute(),
    totalOf(query),
  ]);
  return { rows, total };
}

/** A deletion that can still be undone, held until the transaction ends. */
export const holdDeletion = (tx: Tx, id: string, nowMs: number) =>
  openDeletions(tx, nowMs)
    .select(['id', 'kind', 'record_id', 'record_name', sql<string[]>`organisation_path::text[]`.as('path')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const markUndone = (tx: Tx, id: string, at: Date) =>
  tx.updateTable('deletions').set({ undone_at: at }).where('id', '=', id).execute();

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
