import {
  MOST_RECORDED_BYTES,
  MOST_RECORDED_MESSAGES,
  MOST_REFUSED_OF_DATALOGGER,
} from '@sonnenwarte/contract/test-log/test-log';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';
import type { Readable } from './readable.ts';

type Db = Kysely<Database>;

export interface NewMessage {
  readonly recordingId: string | null;
  readonly sn: string;
  readonly deviceSn: string;
  readonly atMs: number;
  readonly direction: 'up' | 'down';
  readonly kind: string;
  readonly size: number;
  readonly payload: Buffer;
  readonly readable: Readable;
  readonly isWithheld: boolean;
  refusedFor: string;
}

export const runningRecordings = (db: Db) =>
  db
    .selectFrom('message_recordings')
    .select(['id', 'sn', 'until', 'messages', 'bytes'])
    .where('ended_at', 'is', null)
    .execute();

/**
 * Writes messages, as far as their recordings are still there, and counts them; gives back their numbers in this order, undefined for those that were
 * left out.
 */
export async function writeMessages(db: Db, messages: readonly NewMessage[]): Promise<(string | undefined)[]> {
  return db.transaction().execute(async (tx) => {
    const wanted = [...new Set(messages.flatMap(({ recordingId }) => recordingId ?? []))].sort();
    const there = await tx
      .selectFrom('message_recordings')
      .select('id')
      .where(sql<boolean>`id = any(${wanted}::uuid[])`)
      .orderBy('id')
      .forUpdate()
      .execute();
    const ids = new Set(there.map(({ id }) => id));
    const isKept = ({ recordingId }: NewMessage) => recordingId === null || ids.has(recordingId);
    const kept = messages.filter(isKept);
    if (kept.length === 0) return messages.map(() => undefined);
    const rows = await tx
      .insertInto('recorded_messages')
      .values(
        kept.map((message) => ({
          recording_id: message.recordingId,
          sn: message.sn,
          device_sn: message.deviceSn,
          at: new Date(message.atMs),
          direction: message.direction,
          kind: message.kind,
          size: message.size,
          payload: message.payload,
          readable: JSON.stringify(message.readable),
          refused_for: message.refusedFor,
          withheld: message.isWithheld,
        })),
      )
      .returning('id')
      .execute();
    for (const id of ids) {
      const own = kept.filter(({ recordingId }) => recordingId === id);
      const bytes = own.reduce((sum, { payload }) => sum + payload.length, 0);
      await sql`update message_recordings set messages = messages + ${own.length}::int, bytes = bytes + ${bytes}::bigint
        where id = ${id}`.execute(tx);
    }
    const numbers = rows.map(({ id }) => id).values();
    return messages.map((message) => (isKept(message) ? numbers.next().value : undefined));
  });
}

export const noteRefused = (db: Db, id: string, reason: string) =>
  db.updateTable('recorded_messages').set({ refused_for: reason }).where('id', '=', id).execute();

/** Ends recordings whose time is over or that are full. */
export const endDue = (db: Db) =>
  sql`update message_recordings set ended_at = now(),
      end_reason = case when until <= now() then 'time' else 'full' end
    where ended_at is null and (until <= now() or messages >= ${MOST_RECORDED_MESSAGES} or bytes >= ${MOST_RECORDED_BYTES})`.execute(
    db,
  );

/** Of each of these dataloggers only the newest refused messages stay. */
export const dropOldRefused = (db: Db, sns: readonly string[]) =>
  sql`delete from recorded_messages old using (
      select id, row_number() over (partition by sn order by id desc) as place from recorded_messages
      where recording_id is null and sn = any(${sns}::text[])) ranked
    where old.id = ranked.id and ranked.place > ${MOST_REFUSED_OF_DATALOGGER}`.execute(db);

/** Of all dataloggers together this many. */
export const dropRefusedBeyond = (db: Db, most: number) =>
  sql`delete from recorded_messages where recording_id is null and id <= (
    select id from recorded_messages where recording_id is null order by id desc offset ${most} limit 1)`.execute(db);
