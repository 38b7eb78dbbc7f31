import type { AuditAction } from '@sonnenwarte/contract/audit/actions';
import type { AuditLog, AuditRecordKind } from '@sonnenwarte/contract/audit/audit';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { partsOf } from '../in-slices.ts';
import { sealKeysOf } from '../stores/database.ts';
import type { Database } from '../stores/schema.ts';
import { CHAIN_START, sealedHash } from './chain.ts';

/** Who did it and from where: the context of a call, or of a job of the server (no actor). */
export interface AuditSource {
  readonly actor?: Actor | undefined;
  readonly address?: string;
  readonly userAgent?: string;
  readonly requestId?: string;
}

export interface AuditEntry {
  readonly log: AuditLog;
  /** `feature.verb`, e.g. `organisations.disable`; named by the phrase `audit.action.<feature>.<verb>`. */
  readonly action: AuditAction;
  readonly recordKind: AuditRecordKind;
  readonly recordId: string;
  readonly recordName: string;
  /** Path of the organisation to which the record belongs: who may read the entry. */
  readonly organisationPath: readonly string[];
  /** Changed fields only, without secrets. */
  readonly before?: Readonly<Record<string, unknown>> | null;
  readonly after?: Readonly<Record<string, unknown>> | null;
  /** Name of the actor where there is no session, e.g. the name given at a failed sign-in. */
  readonly actorName?: string;
}

interface Head {
  id: number;
  hash: string;
}

const HEAD = 'audit.head';

/**
 * Appends an entry to the chain. Called within the transaction of the change, as its last statement: the head of the
 * chain is locked until that transaction ends.
 */
export async function recordAudit(tx: Transaction<Database>, from: AuditSource, entry: AuditEntry): Promise<void> {
  await recordAudits(tx, from, [entry]);
}

/** Appends several entries at once. */
export const recordAudits = (
  tx: Transaction<Database>,
  from: AuditSource,
  entries: readonly AuditEntry[],
): Promise<void> =>
  recordAuditsFrom(
    tx,
    entries.map((entry) => ({ from, entry })),
  );

/** Entries of one statement: its parameters are limited, and other work has its turn in between. */
const ENTRIES_AT_ONCE = 100;

/** Appends however many entries. */
export async function recordInParts(
  tx: Transaction<Database>,
  from: AuditSource,
  entries: readonly AuditEntry[],
): Promise<void> {
  for (const part of partsOf(entries, ENTRIES_AT_ONCE)) await recordAudits(tx, from, part);
}

/** Appends several entries at once, of several who did it. */
export async function recordAuditsFrom(
  tx: Transaction<Database>,
  records: readonly { readonly from: AuditSource; readonly entry: AuditEntry }[],
): Promise<void> {
  if (records.length === 0) return;
  const key = sealKeysOf(tx).current;
  let head = await lockHead(tx);
  head = { ...head, id: await lastTaken(tx, head.id) };
  const rows = records.map(({ from, entry }) => {
    const { actor } = from;
    const id = head.id + 1;
    const at = new Date();
    const chained = {
      id,
      at: at.toISOString(),
      log: entry.log,
      action: entry.action,
      actorAccountId: actor ? (actor.viewAs?.byAccountId ?? actor.accountId) : null,
      actor: oneLine(entry.actorName ?? actor?.viewAs?.byUsername ?? actor?.username ?? ''),
      actorLevel: actor?.level ?? null,
      organisationPath: entry.organisationPath,
      recordKind: entry.recordKind,
      recordId: entry.recordId,
      recordName: oneLine(entry.recordName),
      before: plainJson(entry.before),
      after: plainJson(entry.after),
      address: oneLine(from.address ?? ''),
      userAgent: oneLine(from.userAgent ?? ''),
      requestId: from.requestId ?? '',
    };
    const previous = Buffer.from(head.hash, 'hex');
    const hash = sealedHash(key, previous, chained);
    head = { id, hash: hash.toString('hex') };
    return {
      id: String(id),
      at,
      log: entry.log,
      action: entry.action,
      actor_account_id: chained.actorAccountId,
      actor: chained.actor,
      actor_level: chained.actorLevel,
      organisation_path: [...entry.organisationPath],
      record_kind: entry.recordKind,
      record_id: entry.recordId,
      record_name: chained.recordName,
      before: chained.before === null ? null : JSON.stringify(chained.before),
      after: chained.after === null ? null : JSON.stringify(chained.after),
      address: chained.address,
      user_agent: chained.userAgent,
      request_id: chained.requestId,
      previous_hash: previous,
      hash,
      seal: key.id,
    };
  });
  await tx.insertInto('audit_log').values(rows).execute();
  await tx
    .updateTable('process_state')
    .set({ value: JSON.stringify(head), updated_at: new Date() })
    .where('name', '=', HEAD)
    .execute();
}

async function lockHead(tx: Transaction<Database>): Promise<Head> {
  const held = await heldHead(tx);
  if (held) return held;
  await tx
    .insertInto('process_state')
    .values({ name: HEAD, value: JSON.stringify({ id: 0, hash: CHAIN_START.toString('hex') }) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const made = await heldHead(tx);
  if (!made) throw new Error('the audit log has no head');
  return made;
}

/**
 * The number after which the next is free. It is the head's, unless somebody has written into the log past the chain: what
 * they wrote stays there to be found, and keeps nobody from working.
 */
async function lastTaken(tx: Transaction<Database>, headId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select a.id from audit_log a where a.id >= ${headId} and not exists (select from audit_log b where b.id = a.id + 1)
    order by a.id limit 1`.execute(tx);
  return Math.max(headId, Number(rows[0]?.id ?? headId));
}

async function heldHead(tx: Transaction<Database>): Promise<Head | undefined> {
  const row = await tx
    .selectFrom('process_state')
    .select('value')
    .where('name', '=', HEAD)
    .forUpdate()
    .executeTakeFirst();
  return row?.value as Head | undefined;
}

/** The newest entry that the chain must end with. */
export async function auditHead(db: Kysely<Database>): Promise<{ id: number; hash: string }> {
  const row = await db.selectFrom('process_state').select('value').where('name', '=', HEAD).executeTakeFirst();
  return (row?.value as Head | undefined) ?? { id: 0, hash: CHAIN_START.toString('hex') };
}

/** As PostgreSQL gives it back: dates as text, nothing undefined, no character that it cannot keep. */
const plainJson = (value: Readonly<Record<string, unknown>> | null | undefined): unknown =>
  value === null || value === undefined ? null : (JSON.parse(JSON.stringify(value, storable)) as unknown);

const storable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : value;

/** Control characters would let one entry look like two in a text of the log. */
const oneLine = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .slice(0, 256)
    .toWellFormed();

/** Path of an organisation, for the entries about what belongs to it. */
export async function pathOfOrganisation(db: Kysely<Database>, organisationID: string): Promise<string[]> {
  const row = await db
    .selectFrom('organisations')
    .select(sql<string[]>`path::text[]`.as('path'))
    .where('id', '=', organisationID)
    .executeTakeFirst();
  return row?.path ?? [];
}
