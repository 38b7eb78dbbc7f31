import type { AuditAction } from '@sonnenwarte/contract/audit/actions';
import { answered, clockIn } from '@sonnenwarte/contract/work-orders/due-times';
import { isOpen, moved, type OrderMove } from '@sonnenwarte/contract/work-orders/order-states';
import type { Transaction } from 'kysely';
import { type AuditSource, recordAudit } from '../audit/audit.ts';
import { CallError } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';
import {
  entriesWritten,
  type NewEntry,
  type Person,
  tellNoted,
  tellOrders,
  writeEntry,
  writeOrder,
} from './acts.store.ts';
import { pathOfInternal } from './internal.ts';
import { clockOf } from './orders.service.ts';
import type { OrderFound } from './orders.store.ts';
import { eventOfEntry, tellPeople } from './told-to-people.ts';

type Tx = Transaction<Database>;

/** A thread is as long as people read. */
const MOST_ENTRIES = 2_000;

export interface Change {
  readonly action: AuditAction;
  readonly entry: Omit<NewEntry, 'orderId' | 'at' | 'by' | 'isAsker' | 'state'>;
  readonly move?: OrderMove | undefined;
  /** Left out where it stays as it is. */
  readonly waiting?: boolean | undefined;
  /** What it says is an answer to whoever asked. */
  readonly answers?: boolean;
  readonly set?: Parameters<typeof writeOrder>[2];
  readonly after?: Readonly<Record<string, unknown>>;
  /** What goes along with its entry. */
  readonly besides?: (entryId: string) => Promise<unknown>;
}

/** Does one thing with an order that is held: its state, its clock, the entry of its thread, the log, and word to open pages. Answers the entry's id. */
export async function applyChange(
  tx: Tx,
  order: OrderFound,
  by: Person | undefined,
  change: Change,
  nowMs: number,
  from: AuditSource,
): Promise<string> {
  const { action, entry, move, answers = false, set, after, besides } = change;
  const state = move === undefined ? order.state : moved(order.state, move);
  if (state === undefined) throw new CallError('workOrderElsewhere');
  if (entry.text !== undefined && (await entriesWritten(tx, order.id)) >= MOST_ENTRIES)
    throw new CallError('workOrderFull');
  const waiting = isOpen(state) && (change.waiting ?? order.waiting);
  const clockTold = answers ? answered(clockOf(order), nowMs) : clockOf(order);
  const clock = clockIn(clockTold, state, waiting, nowMs);
  const at = new Date(nowMs);
  const isInternal = entry.internal === true;
  const isReopened = move === 'reopen';
  await writeOrder(tx, order.id, {
    state,
    waiting,
    answer_due_at: new Date(clock.answerDueMs),
    solution_due_at: new Date(clock.solutionDueMs),
    answered_at: clock.answeredAtMs === null ? null : new Date(clock.answeredAtMs),
    still_since: clock.stillSinceMs === null ? null : new Date(clock.stillSinceMs),
    still_ms: clock.stillMs,
    touched_at: at,
    ...(!isInternal && { updated_at: at }),
    ...(move === 'solve' && { solved_at: at }),
    ...(move === 'close' && { closed_at: at }),
    ...(isReopened && { solved_at: null, closed_at: null, stars: null }),
    ...set,
  });
  const isAsker = by !== undefined && by.accountId === order.asked_by;
  const written = { orderId: order.id, at, by, isAsker } as const;
  const entryId = await writeEntry(tx, {
    ...entry,
    ...written,
    ...((state !== order.state || isReopened) && { state }),
  });
  if (waiting !== order.waiting && entry.kind !== 'waiting' && entry.kind !== 'resumed' && isOpen(state)) {
    await writeEntry(tx, { ...written, kind: waiting ? 'waiting' : 'resumed' });
  }
  await besides?.(entryId);
  await (isInternal ? tellNoted(tx, order) : tellOrders(tx));
  const event = eventOfEntry(entry.kind);
  if (event !== undefined) {
    const told = { orderId: order.id, event, byAccountId: by?.accountId ?? null, isInternal };
    await tellPeople(tx, told, { title: order.title, number: order.number, at });
  }
  await recordAudit(tx, from, {
    log: 'operation',
    action,
    recordKind: 'workOrder',
    recordId: order.id,
    recordName: order.number,
    organisationPath: isInternal ? pathOfInternal(order) : order.way,
    ...(state !== order.state && { before: { state: order.state } }),
    after: { ...(state !== order.state && { state }), ...after },
  });
  return entryId;
}
