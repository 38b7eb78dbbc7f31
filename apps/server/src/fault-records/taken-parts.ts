import { MOST_STORED } from '@sonnenwarte/contract/fault-records/fault-record';
import {
  decodeFaultRecord,
  type FaultRecord,
  FaultRecordError,
} from '@sonnenwarte/device-protocol/fault-records/fault-record';
import { assembled, type RecordPart } from '@sonnenwarte/device-protocol/fault-records/record-parts';
import type { Transaction } from 'kysely';
import type { CommandChannel } from '../commands/orders.ts';
import type { Database } from '../stores/schema.ts';
import { mendGap } from './asking.ts';
import {
  addPart,
  forgetBeyond,
  type HeldRecord,
  holdFetched,
  noteWhole,
  partNumbers,
  partsOfRecord,
  receive,
  store,
  tellOfRecords,
} from './fetching.store.ts';

type Tx = Transaction<Database>;

export interface Taking {
  readonly commands: Pick<CommandChannel, 'order'>;
  readonly nowMs: number;
  /** How long the next part may take. */
  readonly waitMs: number;
}

/**
 * Takes parts of a record that is being fetched from a device, where they fit what the device said of it. Once all are there it is stored, where it is that
 * record in every bit, or asked for again.
 */
export async function takeParts(
  tx: Tx,
  deviceId: string,
  parts: readonly RecordPart[],
  { commands, nowMs, waitMs }: Taking,
): Promise<void> {
  const record = await holdFetched(tx, deviceId, parts[0]?.index ?? 0);
  if (record === undefined) return;
  const { taken, sha256, count } = await takeFitting(tx, record, parts);
  if (taken === 0) return;
  await tellOfRecords(tx);
  const there = await partNumbers(tx, record.id);
  if (there.length < count) {
    await receive(tx, record.id, there.length, new Date(nowMs + waitMs));
    return;
  }
  const bytes = assembled(await partsOfRecord(tx, record.id), record.size, sha256);
  const decoded = bytes && decodedOf(bytes, record);
  if (bytes === undefined || decoded === undefined) {
    await mendGap(tx, { ...record, part_count: count }, 'damaged', { commands, nowMs });
    return;
  }
  await store(tx, record.id, bytes, decoded, new Date(nowMs));
  await forgetBeyond(tx, deviceId, MOST_STORED);
}

async function takeFitting(tx: Tx, record: HeldRecord, parts: readonly RecordPart[]) {
  let { sha256 } = record;
  let count = record.part_count ?? 0;
  let taken = 0;
  for (const part of parts) {
    if (part.size !== record.size) continue;
    if (sha256 === '') {
      ({ sha256, count } = part);
      await noteWhole(tx, record.id, sha256, count);
    }
    if (part.sha256 !== sha256 || part.count !== count) continue;
    await addPart(tx, record.id, part.number, part.data);
    taken += 1;
  }
  return { taken, sha256, count };
}

/** The record, where its bytes are the one that was asked for. */
function decodedOf(bytes: Uint8Array, { record_index, occurred_at, code }: HeldRecord): FaultRecord | undefined {
  try {
    const record = decodeFaultRecord(bytes);
    const isThat = record.index === record_index && record.timeMs === occurred_at.getTime() && record.code === code;
    return isThat ? record : undefined;
  } catch (error) {
    if (error instanceof FaultRecordError) return undefined;
    throw error;
  }
}
