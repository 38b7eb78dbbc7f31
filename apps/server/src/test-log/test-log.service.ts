import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import {
  type MessageEntry,
  type MessageRow,
  messageKinds,
  type testLogEndpoints,
} from '@sonnenwarte/contract/test-log/test-log';
import { deviceKinds, pointByName } from '@sonnenwarte/device-protocol/points/points';
import { recordAudit } from '../audit/audit.ts';
import { entryAbout } from '../audit/entry-about.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { type Asked, type Found, toRows } from '../stores/lists.ts';
import {
  addRecording,
  deleteRecording,
  holdRecordings,
  makeRoom,
  messageById,
  messagesOf,
  prolong,
  recordingsNow,
  type StoredMessage,
  stopRecording,
  visibleDatalogger,
} from './test-log.store.ts';

type Calls = typeof testLogEndpoints;

const HOUR_MS = 3_600_000;
const SUMMED_UP = 3;
const LONGEST_SUMMARY = 160;

/** Recorded messages, for a page as for a file, which has their bytes, too. */
export async function messagesFound(
  { db }: Uses<'db'>,
  input: Asked<Calls['messages']>,
  { scope }: Scoped,
): Promise<Found<MessageEntry>> {
  const isFile = !('currentPage' in input);
  return toRows(await messagesOf(db, scope, input, isFile), toEntry);
}

export async function messageOf(
  { db }: Uses<'db'>,
  { id }: Parsed<Calls['message']>,
  { scope }: Scoped,
): Promise<MessageEntry> {
  return toEntry(found(await messageById(db, scope, id), 'messageNotFound'));
}

function toEntry(stored: StoredMessage): MessageEntry {
  const { values = [], text = '' } = stored.readable;
  return {
    ...toRow(stored),
    hex: stored.payload.toString('hex'),
    cutBytes: stored.withheld ? 0 : Math.max(0, stored.size - stored.payload.length),
    text,
    values: values.map(([name, value]) => ({ name, value, unit: unitOf(name) })),
  };
}

const isKind = (kind: string): kind is MessageRow['kind'] => messageKinds.some((each) => each === kind);

function toRow(stored: StoredMessage): MessageRow {
  const { values = [], text = '' } = stored.readable;
  const first = values.slice(0, SUMMED_UP).map(([name, value]) => `${name} ${value}`.trim());
  return {
    id: Number(stored.id),
    atMs: stored.at.getTime(),
    direction: stored.direction,
    kind: isKind(stored.kind) ? stored.kind : 'other',
    dataloggerSN: stored.sn,
    deviceSN: stored.device_sn,
    sizeBytes: stored.size,
    refusedFor: stored.refused_for,
    summary: (text === '' ? first.join(' · ') : text).slice(0, LONGEST_SUMMARY).toWellFormed(),
    withheld: stored.withheld,
  };
}

const unitsOfNames = { bool: '', enum: '', bitfield: '', text: '', '1': '', degC: '°C', kOhm: 'kΩ', 'W/m2': 'W/m²' };

function unitOf(name: string): string {
  for (const kind of deviceKinds) {
    const unit = pointByName(kind, name)?.unit;
    if (unit !== undefined) return unit in unitsOfNames ? unitsOfNames[unit as keyof typeof unitsOfNames] : unit;
  }
  return '';
}

export async function recordingsOf(
  { db }: Uses<'db'>,
  _: unknown,
  { scope }: Scoped,
): Promise<Result<Calls['recordings']>> {
  const rows = await recordingsNow(db, scope);
  return {
    recordings: rows.map((row) => ({
      id: row.id,
      dataloggerSN: row.sn,
      plantName: row.site_name ?? '',
      startedBy: row.started_by,
      startedAtMs: row.started_at.getTime(),
      untilMs: row.until.getTime(),
      endedAtMs: row.ended_at?.getTime() ?? null,
      end: row.end_reason,
      messages: row.messages,
      bytes: Number(row.bytes),
    })),
  };
}

/** Begins a recording, or moves the end of the one that runs. */
export async function recordDatalogger(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { dataloggerSN, hours }: Parsed<Calls['record']>,
  context: CallContext,
): Promise<Result<Calls['record']>> {
  const until = new Date(nowMs() + hours * HOUR_MS);
  return db.transaction().execute(async (tx) => {
    const { sn } = found(await visibleDatalogger(tx, context.scope, dataloggerSN), 'dataloggerNotFound');
    await holdRecordings(tx);
    let recording = await prolong(tx, sn, until);
    if (recording === undefined) {
      if (!(await makeRoom(tx))) throw new CallError('tooManyRecordings');
      recording = await addRecording(tx, sn, until, context.actor.username);
    }
    await recordAudit(tx, context, {
      ...entryOf(context, sn),
      action: 'test-log.record',
      after: { until: until.toISOString() },
    });
    return recording;
  });
}

export async function endRecording(
  { db }: Uses<'db'>,
  { id }: Parsed<Calls['stop']>,
  context: CallContext,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { sn } = found(await stopRecording(tx, context.scope, id), 'recordingNotFound');
    await recordAudit(tx, context, { ...entryOf(context, sn), action: 'test-log.stop' });
  });
}

export async function removeRecording(
  { db }: Uses<'db'>,
  { id }: Parsed<Calls['remove']>,
  context: CallContext,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { sn, messages } = found(await deleteRecording(tx, context.scope, id), 'recordingNotFound');
    await recordAudit(tx, context, { ...entryOf(context, sn), action: 'test-log.delete', before: { messages } });
  });
}

const entryOf = ({ actor }: CallContext, sn: string) =>
  entryAbout('datalogger', { id: sn, name: sn, path: actor.organisationPath });
