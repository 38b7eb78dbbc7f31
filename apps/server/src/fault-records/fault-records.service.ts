import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { faultRecordEndpoints } from '@sonnenwarte/contract/fault-records/fault-records';
import { decodeFaultRecord } from '@sonnenwarte/device-protocol/fault-records/fault-record';
import { alarms } from '@sonnenwarte/device-protocol/points/alarms';
import { alarmName } from '../exports/alarm-name.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, FileAnswer, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import { askForList, askForRecords } from './asking.ts';
import { holdRecords, tellOfRecords } from './fetching.store.ts';
import { listOf } from './lists.store.ts';
import { recordFile } from './record-files.ts';
import {
  contentOf,
  countUnderWay,
  deviceInScope,
  devicesToChoose,
  fellowsOf,
  plantsToChoose,
  recordById,
  recordsById,
  recordsFound,
} from './records.store.ts';
import { toContent, toRecordRow } from './shown-record.ts';

type Calls = typeof faultRecordEndpoints;

/** Of one device, what may be on its way at once. */
const MOST_UNDER_WAY = 20;

/** Fault records in scope, for a page as for a file. */
export async function recordListOf(
  { db }: Uses<'db'>,
  input: Asked<Calls['list']>,
  { scope, actor, language }: CallContext,
) {
  const sought = input.condition.content.trim().toLocaleLowerCase();
  const codes =
    sought === ''
      ? []
      : alarms.flatMap(({ code }) =>
          `${code} ${alarmName(code, language)}`.toLocaleLowerCase().includes(sought) ? [code] : [],
        );
  return toRows(await recordsFound(db, scope, input, codes), (row) => toRecordRow(row, actor));
}

/** A record with what it holds. */
export async function recordDetailOf(
  { db }: Uses<'db'>,
  { id }: Parsed<Calls['detail']>,
  { scope, actor }: CallContext,
): Promise<Result<Calls['detail']>> {
  const row = found(await recordById(db, scope, id), 'faultRecordNotFound');
  const [bytes, fellows] = await Promise.all([
    row.state === 'stored' ? contentOf(db, id) : undefined,
    fellowsOf(db, scope, row),
  ]);
  return {
    record: toRecordRow(row, actor),
    content: bytes === undefined ? null : toContent(decodeFaultRecord(bytes), row.kind),
    fellows: fellows.map((fellow) => ({
      recordID: fellow.id,
      deviceSN: fellow.sn,
      plantName: fellow.site_name ?? '',
      ianaTimezone: fellow.time_zone ?? 'UTC',
      code: fellow.code,
      occurredMs: fellow.occurred_at.getTime(),
      of: fellow.of,
    })),
  };
}

/** What a device said last of its records. */
export async function listingOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { deviceID }: Parsed<Calls['listing']>,
  { scope }: Scoped,
): Promise<Result<Calls['listing']>> {
  const device = found(await deviceInScope(db, scope, deviceID), 'deviceNotFound');
  const said = await listOf(db, deviceID);
  return {
    deviceSN: device.sn,
    ianaTimezone: device.time_zone ?? 'UTC',
    isAsked: said?.asked_until !== null && said !== undefined && said.asked_until.getTime() > nowMs(),
    failure: said === undefined || said.failure === '' ? null : said.failure,
    deviceCode: said?.device_code ?? null,
    listedMs: said?.listed_at?.getTime() ?? null,
    listed: said?.listed ?? 0,
  };
}

export const devicesOf = async (
  { db }: Uses<'db'>,
  sought: Parsed<Calls['devices']>,
  { scope }: Scoped,
): Promise<Result<Calls['devices']>> => ({ choices: await devicesToChoose(db, scope, sought) });

export const plantsOf = async (
  { db }: Uses<'db'>,
  sought: Parsed<Calls['plants']>,
  { scope }: Scoped,
): Promise<Result<Calls['plants']>> => ({ choices: await plantsToChoose(db, scope, sought) });

/** Asks a device which records it keeps; one that is being asked is not asked twice. */
export async function refreshOf(
  { db, commands, nowMs }: Uses<'db' | 'commands' | 'nowMs'>,
  { deviceID }: Parsed<Calls['refresh']>,
  context: CallContext,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const device = found(await deviceInScope(tx, context.scope, deviceID), 'deviceNotFound');
    await tx.selectFrom('devices').select('id').where('id', '=', deviceID).forNoKeyUpdate().execute();
    const said = await listOf(tx, deviceID);
    const now = nowMs();
    if (said !== undefined && said.asked_until !== null && said.asked_until.getTime() > now) return;
    await tellOfRecords(tx);
    await askForList(tx, device, { commands, nowMs: now, orderedBy: context.actor.accountId, from: context });
  });
}

/** Asks devices for records; what is under way or here already is left as it is. */
export function fetchOf(
  { db, commands, nowMs }: Uses<'db' | 'commands' | 'nowMs'>,
  { ids }: Parsed<Calls['fetchRecords']>,
  context: CallContext,
): Promise<Result<Calls['fetchRecords']>> {
  return inTransaction(db, async (tx) => {
    const wanted = [...new Set(ids)];
    const visible = await recordsById(tx, context.scope, wanted);
    if (visible.length < wanted.length) throw new CallError('faultRecordNotFound');
    const held = await holdRecords(tx, wanted);
    if (held.length < wanted.length) throw new CallError('faultRecordNotFound');
    const isThere = new Map(visible.map(({ id, on_device }) => [id, on_device]));
    const toAsk = held.filter(({ state }) => state === 'kept' || state === 'failed');
    if (toAsk.some(({ id }) => isThere.get(id) !== true)) throw new CallError('faultRecordGone');
    const underWay = await countUnderWay(
      tx,
      toAsk.map(({ device_id }) => device_id),
    );
    for (const { device_id } of toAsk) {
      const count = (underWay.get(device_id) ?? 0) + 1;
      if (count > MOST_UNDER_WAY) throw new CallError('tooManyFaultRecordsAsked', { most: MOST_UNDER_WAY });
      underWay.set(device_id, count);
    }
    if (toAsk.length > 0) await tellOfRecords(tx);
    const { accountId: orderedBy } = context.actor;
    const asked = await askForRecords(tx, toAsk, { commands, nowMs: nowMs(), orderedBy, from: context });
    return { asked };
  });
}

/** A record as a file. */
export async function downloadOf(
  { db }: Uses<'db'>,
  { id, format }: Parsed<Calls['download']>,
  { scope, language }: CallContext,
): Promise<FileAnswer> {
  const row = found(await recordById(db, scope, id), 'faultRecordNotFound');
  const bytes = row.state === 'stored' ? await contentOf(db, id) : undefined;
  if (bytes === undefined) throw new CallError('faultRecordNotStored');
  return recordFile(decodeFaultRecord(bytes), row, format, language);
}
