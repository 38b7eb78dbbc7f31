import { randomUUID } from 'node:crypto';
import { afterEvent } from '@sonnenwarte/contract/fault-records/record-moves';
import { RecordName } from '@sonnenwarte/device-protocol/fault-records/record-parts';
import type { Transaction } from 'kysely';
import type { AuditSource } from '../audit/audit.ts';
import type { CommandChannel, CommandOrder } from '../commands/orders.ts';
import type { Database } from '../stores/schema.ts';
import { askAgain, dropParts, fail, type HeldRecord, partNumbers } from './fetching.store.ts';
import { noteListAsked } from './lists.store.ts';

type Tx = Transaction<Database>;

/** The order of a command is over after ten minutes, and the answer to it has come soon after. */
const ASKED_FOR_MS = 15 * 60_000;

export interface Asker {
  readonly commands: Pick<CommandChannel, 'order'>;
  readonly nowMs: number;
  /** Account that wants it; null: the portal itself. */
  readonly orderedBy: string | null;
  readonly from?: AuditSource;
}

const orderOf = (
  { device_id, logger_id }: Pick<HeldRecord, 'device_id' | 'logger_id'>,
  orderedBy: string | null,
  batchID: string,
  content: CommandOrder['content'],
): CommandOrder => ({
  loggerID: logger_id,
  deviceID: device_id,
  kind: 'action',
  content,
  source: orderedBy === null ? 'portal' : 'hand',
  orderedBy,
  batchID,
});

/** Asks devices for held records, as the last statement of a transaction; how many of them could be asked for. */
export async function askForRecords(
  tx: Tx,
  records: readonly HeldRecord[],
  { commands, nowMs, orderedBy, from }: Asker,
): Promise<number> {
  const orders: CommandOrder[] = [];
  for (const record of records) {
    const next = afterEvent(record, 'ask');
    if (next === undefined) continue;
    const batchId = randomUUID();
    await dropParts(tx, record.id);
    const dueAt = new Date(nowMs + ASKED_FOR_MS);
    await askAgain(tx, record.id, { rounds: next.rounds, batchId, dueAt, parts: 0 });
    await tx.updateTable('fault_records').set({ asked_by: orderedBy }).where('id', '=', record.id).execute();
    const parameters = { [RecordName.requestIndex]: record.record_index };
    orders.push(orderOf(record, orderedBy, batchId, { action: 'FaultRecordRead', parameters }));
  }
  await commands.order(tx, orders, from);
  return orders.length;
}

/** Asks a device for what is missing of a held record, all of it where what came was damaged; gives up after some rounds. */
export async function mendGap(
  tx: Tx,
  record: HeldRecord,
  why: 'silent' | 'damaged',
  { commands, nowMs }: Omit<Asker, 'orderedBy'>,
): Promise<void> {
  const next = afterEvent(record, 'gap');
  if (next === undefined) return;
  if (next.state === 'failed') return fail(tx, record.id, why, null);
  if (why === 'damaged') await dropParts(tx, record.id);
  const there = await partNumbers(tx, record.id);
  const batchId = randomUUID();
  const dueAt = new Date(nowMs + ASKED_FOR_MS);
  await askAgain(tx, record.id, { rounds: next.rounds, batchId, dueAt, parts: there.length });
  const missing = Array.from({ length: record.part_count ?? 0 }, (_, number) => number).filter(
    (number) => !there.includes(number),
  );
  const parameters = {
    [RecordName.requestIndex]: record.record_index,
    ...(there.length > 0 && { [RecordName.requestParts]: missing.join(',') }),
  };
  await commands.order(tx, [orderOf(record, record.asked_by, batchId, { action: 'FaultRecordRead', parameters })]);
}

/** Asks a device which records it keeps, as the last statement of a transaction. */
export async function askForList(
  tx: Tx,
  device: Pick<HeldRecord, 'device_id' | 'logger_id'>,
  { commands, nowMs, orderedBy, from }: Asker,
): Promise<void> {
  const batchId = randomUUID();
  await noteListAsked(tx, device.device_id, batchId, new Date(nowMs + ASKED_FOR_MS));
  await commands.order(tx, [orderOf(device, orderedBy, batchId, { action: 'FaultRecordList' })], from);
}
