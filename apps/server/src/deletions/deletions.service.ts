import type { AuditRecordKind } from '@sonnenwarte/contract/audit/audit';
import {
  type DeletionRow,
  type DeletionSummary,
  type deletionEndpoints,
  deletionKinds,
  UNDO_DAYS,
} from '@sonnenwarte/contract/deletions/deletions';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import type { Kysely, Transaction } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { isLetPast } from '../access/codes.ts';
import { type AuditSource, recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, type Found, toRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { countsOf, type ImagedTable, noteAfter } from '../tenancy/images.ts';
import { restore } from '../tenancy/moves.ts';
import {
  type DeletionKind,
  holdDeletion,
  insertDeletion,
  listDeletions,
  markUndone,
  takenFrom,
} from './deletions.store.ts';
import { restoreHistory } from './history-removal.ts';

type Deletions = typeof deletionEndpoints;

export const UNDO_MS = UNDO_DAYS * 86_400_000;

const codeOf = {
  organisation: 'organization:delete',
  account: 'member:delete',
  member: 'member:delete',
  site: 'site:delete',
  datalogger: 'datalogger:delete',
  history: 'device:clearHistory',
} as const satisfies Record<DeletionKind, PermissionCode>;

/** Codes without which the names of what was deleted are not told; plants are seen by every administrator. */
const shownWith = {
  organisation: ['organization:query'],
  account: ['member:query'],
  member: ['member:query'],
  site: [],
  datalogger: [],
  history: [],
} as const satisfies Record<DeletionKind, readonly PermissionCode[]>;

/** A history is that of a device. */
export const recordKindOf = (kind: DeletionKind): AuditRecordKind => (kind === 'history' ? 'device' : kind);

/** An account that took its organisation with it needs what deleting it needed. */
const mayUndo = ({ codes }: Actor, kind: DeletionKind, { organisations }: Pick<DeletionSummary, 'organisations'>) =>
  codes.has(codeOf[kind]) && (organisations === 0 || codes.has('organization:delete'));

/** How many records were deleted and how many moved elsewhere. */
export async function summaryOf(db: Kysely<Database>, change: string): Promise<DeletionSummary> {
  const counts = await countsOf(db, change);
  const count = (table: ImagedTable, deleted: boolean) =>
    counts.find((each) => each.table === table && each.isDeletion === deleted)?.count ?? 0;
  return {
    organisations: count('organisations', true),
    accounts: count('accounts', true),
    sites: count('sites', true),
    movedAccounts: count('accounts', false),
    movedSites: count('sites', false),
  };
}

export interface DeletionToRecord {
  readonly kind: DeletionKind;
  readonly recordId: string;
  readonly recordName: string;
  readonly organisationPath: readonly string[];
  /** Whose rows were noted as they were. */
  readonly change: string;
}

/** Notes a deletion with what it changed, so that an administrator can undo it for 30 days. */
export async function recordDeletion(
  tx: Transaction<Database>,
  from: AuditSource,
  deletion: DeletionToRecord,
  nowMs = Date.now(),
): Promise<{ deletionID: string; undoUntilMs: number }> {
  const undoUntilMs = nowMs + UNDO_MS;
  const deletionID = deletion.change;
  await noteAfter(tx, deletionID);
  await insertDeletion(tx, {
    ...deletion,
    id: deletionID,
    deletedBy: from.actor?.accountId ?? null,
    deletedByName: from.actor?.username ?? '',
    deletedAt: new Date(nowMs),
    undoUntil: new Date(undoUntilMs),
    summary: await summaryOf(tx, deletionID),
  });
  return { deletionID, undoUntilMs };
}

export async function deletionList(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  input: Asked<Deletions['list']>,
  { actor }: CallContext,
): Promise<Found<DeletionRow>> {
  const kinds = deletionKinds.filter((kind) => isLetPast(actor, shownWith[kind]));
  const none: DeletionSummary = { organisations: 0, accounts: 0, sites: 0, movedAccounts: 0, movedSites: 0 };
  return toRows(await listDeletions(db, kinds, input, nowMs()), (row) => {
    const summary = { ...none, ...row.summary };
    return {
      id: row.id,
      kind: row.kind,
      name: row.record_name,
      deletedBy: row.deleted_by_name,
      deletedMs: row.deleted_at.getTime(),
      undoUntilMs: row.undo_until.getTime(),
      summary,
      can: { undo: mayUndo(actor, row.kind, summary) },
    };
  });
}

interface Undone {
  readonly summary: DeletionSummary;
  readonly takenDataloggers: string[];
}

/** Undoes a deletion as a whole, or not at all. */
export async function undoDeletion(
  stores: Uses<'db' | 'nowMs'>,
  { id }: Parsed<Deletions['undo']>,
  context: CallContext,
): Promise<Result<Deletions['undo']>> {
  const { takenDataloggers } = await undone(stores, id, context, ({ kind }, summary) => {
    if (!mayUndo(context.actor, kind, summary)) throw new CallError('noPermission');
  });
  return { takenDataloggers };
}

/** Undoes a deletion of plants by the caller, who still looks after the place where they were. */
export const undoOwnDeletion = (stores: Uses<'db' | 'nowMs'>, id: string, context: CallContext): Promise<Undone> =>
  undone(stores, id, context, ({ kind, deleted_by, path }) => {
    const { accountId, organisationID } = context.actor;
    if (kind !== 'site' || deleted_by !== accountId || !path.includes(organisationID))
      throw new CallError('deletionNotFound');
  });

type Held = NonNullable<Awaited<ReturnType<typeof holdDeletion>>>;

function undone(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  id: string,
  context: CallContext,
  judge: (deletion: Held, summary: DeletionSummary) => void,
): Promise<Undone> {
  const now = nowMs();
  return inTransaction(db, async (tx) => {
    const deletion = found(await holdDeletion(tx, id, now), 'deletionNotFound');
    const summary = await summaryOf(tx, id);
    judge(deletion, summary);
    if (deletion.kind === 'history') await restoreHistory(tx, id, now);
    else await restore(tx, id);
    await markUndone(tx, id, new Date(now));
    const takenDataloggers = await takenFrom(tx, id);
    await recordAudit(tx, context, {
      log: 'operation',
      action: 'deletions.undo',
      recordKind: recordKindOf(deletion.kind),
      recordId: deletion.record_id,
      recordName: deletion.record_name,
      organisationPath: deletion.path,
      after: { ...summary, ...(takenDataloggers.length > 0 && { takenDataloggers }) },
    });
    return { summary, takenDataloggers };
  });
}
