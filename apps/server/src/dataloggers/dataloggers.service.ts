import type {
  DataloggerRow,
  DataloggerState,
  dataloggerEndpoints,
} from '@sonnenwarte/contract/dataloggers/dataloggers';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { expressionBuilder } from 'kysely';
import { auditIsVisible } from '../access/scope.ts';
import { found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { type Asked, type Found, toRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import {
  alarmsOfDatalogger,
  countByState,
  type DataloggerDetailRow,
  dataloggerDetail,
  devicesBehindOne,
  listDataloggers,
  pastOfDatalogger,
  type Sight,
} from './datalogger-list.store.ts';
import { signalOf } from './signal.store.ts';

type Calls = typeof dataloggerEndpoints;

const ONLINE = 1;
const OFFLINE = 2;
/** Levels that have the page of a datalogger. */
const OPERATOR = 2;
const ADMIN = 255;

export const sightOf = ({ scope, actor }: Pick<CallContext, 'scope' | 'actor'>): Sight => ({
  scope,
  seesUncreated: actor.codes.has('device:viewUncreated'),
});

const toRow =
  (level: number) =>
  (row: DataloggerDetailRow): DataloggerRow => {
    const isOperator = level >= OPERATOR;
    return {
      moduleID: row.id,
      moduleSN: row.sn,
      moduleType: row.type,
      model: row.model,
      plantName: row.site_name ?? '',
      stationID: row.site_id,
      state: row.state,
      communication: row.is_online ? ONLINE : OFFLINE,
      quarantined: row.quarantined,
      signal: row.rssi_dbm,
      ip: row.ip,
      version: row.firmware,
      hardware: row.hardware,
      uplink: row.uplink === '' ? null : row.uplink,
      lastSeenMs: row.last_seen_at?.getTime() ?? null,
      intervalS: row.report_interval_s,
      children: row.children,
      childrenHeard: row.children_heard,
      pending: row.pending,
      can: {
        look: isOperator,
        bind: row.site_id === null && !row.quarantined,
        unbind: isOperator && row.site_id !== null,
        delete: level === ADMIN && !row.quarantined,
        adopt: level === ADMIN && row.quarantined,
        refuse: level === ADMIN && row.quarantined,
        renewPassword: isOperator && !row.quarantined,
      },
    };
  };

/** Dataloggers in scope. */
export async function dataloggerList(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  input: Asked<Calls['list']>,
  context: CallContext,
): Promise<Found<DataloggerRow>> {
  return toRows(await listDataloggers(db, sightOf(context), input, nowMs()), toRow(context.actor.level));
}

/** How many are in which state. */
export async function dataloggerCounts(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  _: Parsed<Calls['counts']>,
  context: CallContext,
): Promise<Result<Calls['counts']>> {
  const states: Record<DataloggerState, number> = { offline: 0, quarantined: 0, struggling: 0, free: 0, online: 0 };
  for (const { state, count } of await countByState(db, sightOf(context), nowMs())) states[state] = count;
  return { total: Object.values(states).reduce((sum, count) => sum + count, 0), states };
}

/** One datalogger, with what hangs behind it. */
export async function dataloggerOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { moduleID }: Parsed<Calls['detail']>,
  context: CallContext,
): Promise<Result<Calls['detail']>> {
  const now = nowMs();
  const row = found(await dataloggerDetail(db, sightOf(context), moduleID, now), 'dataloggerNotFound');
  const [devices, alarms, past] = await Promise.all([
    devicesBehindOne(db, row.id, now),
    alarmsOfDatalogger(db, row.id),
    pastOfDatalogger(db, auditIsVisible(context.scope)(expressionBuilder<Database, 'audit_log'>()), row.id),
  ]);
  const formerUntilMs = row.former_token_until?.getTime() ?? 0;
  return {
    module: toRow(context.actor.level)(row),
    organisation: row.organisation ?? '',
    ianaTimezone: row.site_zone ?? 'UTC',
    profile: row.profile,
    clockZone: row.time_zone,
    bornMs: row.born_at?.getTime() ?? null,
    createdMs: row.created_at.getTime(),
    credential: row.has_password ? 'own' : row.provisioned_by === null ? 'none' : 'provisioning',
    formerUntilMs: formerUntilMs > now ? formerUntilMs : null,
    devices: devices.map((device) => ({
      deviceID: device.id,
      deviceSN: device.sn,
      kind: device.kind,
      model: device.model,
      state: device.state,
      lastSeenMs: device.last_seen_at?.getTime() ?? null,
    })),
    alarms: alarms.map(({ code, level, since }) => ({ code, level, sinceMs: since.getTime() })),
    history: past.map(({ at, action, actor, before, after }) => ({
      atMs: at.getTime(),
      action,
      actor,
      plant: plantIn(after) || plantIn(before),
    })),
  };
}

function plantIn(fields: unknown): string {
  const plant = (fields as { plant?: unknown } | null)?.plant;
  return typeof plant === 'string' ? plant : '';
}

/** Its signal over a while. */
export async function dataloggerSignal(
  { db, nowMs, telemetry }: Uses<'db' | 'nowMs' | 'telemetry'>,
  { moduleID, hours }: Parsed<Calls['signal']>,
  context: CallContext,
): Promise<Result<Calls['signal']>> {
  const endMs = nowMs();
  const row = found(await dataloggerDetail(db, sightOf(context), moduleID, endMs), 'dataloggerNotFound');
  const startMs = endMs - Number(hours) * 3_600_000;
  return { startMs, endMs, ...(await signalOf(telemetry, row.key, startMs, endMs)) };
}
