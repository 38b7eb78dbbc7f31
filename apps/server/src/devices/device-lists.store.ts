import type { deviceCondition, deviceFields } from '@sonnenwarte/contract/devices/device';
import type { batteryFields, emsFields, gatewayFields, meterFields } from '@sonnenwarte/contract/devices/device-lists';
import { type BatteryStatus, type State, state } from '@sonnenwarte/contract/status';
import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import { expressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type * as z from 'zod/mini';
import { dataloggerIsVisible, listedDeviceIsVisible, type Scope } from '../access/scope.ts';
import {
  listedBatteryStatusAt,
  listedEnergyAt,
  listedNowAt,
  listedStateAt,
  listedTodayAt,
  stateRank,
} from '../current-state/current-state.ts';
import { type ListedDeviceRow, listedDeviceRows } from '../device-rows/device-rows.store.ts';
import { containing, type Found, pageOf, type SortKeys, type Span, withRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** Filters of lists of devices, each kind's own among them. */
export type DeviceCondition = Omit<z.output<typeof deviceCondition>, 'kind' | 'queryDate'> & {
  readonly batteryStatus?: BatteryStatus | undefined;
  readonly meterRole?: string | undefined;
};

export interface AskedDevices {
  readonly kind: AttachedKind;
  readonly condition: DeviceCondition;
  readonly sort: { readonly field: string; readonly order: 'asc' | 'desc' };
}

const now = <T>(value: RawBuilder<T>, nowMs: number) => listedNowAt(value, nowMs);

/** Energy of today counts only up to where a history that is coming has been accounted. */
const todayWhAt = (nowMs: number) => sql<number | null>`case
  when device_listed.site_id is null or device_listed.site_id not in (select backlog.site_id from site_latest as backlog where backlog.history_percent is not null
    and backlog.local_day < (${new Date(nowMs)}::timestamptz at time zone backlog.site_zone)::date)
  then ${listedTodayAt('today_wh', nowMs)} end`;

/** A meter that says nothing of its role, or nothing known, is taken for that of the grid. */
const meterRole = sql`case when device_listed.role in ('pv', 'load', 'generator') then device_listed.role else 'grid' end`;

/** Settings of a device are for who may read them, which integrators may not. */
export const mayReadDrifts = (scope: Scope): boolean => scope.kind !== 'granted';

const commonKeys = (nowMs: number) => ({
  deviceSN: sql`device_listed.sn`,
  deviceType: sql`nullif(device_listed.model, '')`,
  plantName: sql`device_listed.plant`,
  state: stateRank(listedStateAt(nowMs)),
  updatedAtMs: sql`device_listed.ts`,
  firmware: sql`coalesce(device_listed.bms_firmware, nullif(device_listed.firmware, ''))`,
  nowW: now(sql`device_listed.power_w`, nowMs),
  drifts: sql`nullif(device_listed.drifts, 0)`,
});

const sortKeys = (nowMs: number) => {
  const common = commonKeys(nowMs);
  const ofInverters = {
    ...common,
    powerW: common.nowW,
    loadPercent: now(sql`device_listed.power_w / nullif(device_listed.rated_power_w, 0)`, nowMs),
    todayWh: todayWhAt(nowMs),
    yesterdayWh: listedEnergyAt('yesterday', nowMs),
    monthWh: listedEnergyAt('month', nowMs),
    yearWh: listedEnergyAt('year', nowMs),
    totalWh: sql`device_listed.total_wh`,
  } satisfies SortKeys<typeof deviceFields>;
  const ofBatteries = {
    ...common,
    socPercent: now(sql`device_listed.soc_percent`, nowMs),
    sohPercent: sql`device_listed.soh_percent`,
    spreadMv: now(sql`device_listed.spread_mv`, nowMs),
    cycles: sql`device_listed.cycles`,
    batteryStatus: listedBatteryStatusAt(nowMs),
  } satisfies SortKeys<typeof batteryFields>;
  const ofMeters = {
    ...common,
    meterRole,
    phases: sql`device_listed.phases`,
    ctRatio: sql`device_listed.ct_ratio`,
    importTodayWh: listedTodayAt('import_today_wh', nowMs),
    exportTodayWh: listedTodayAt('export_today_wh', nowMs),
    importWh: sql`device_listed.import_wh`,
    exportWh: sql`device_listed.export_wh`,
  } satisfies SortKeys<typeof meterFields>;
  const ofEms = {
    ...common,
    deviceCount: sql`device_listed.device_count`,
    devicesOnline: now(sql`device_listed.devices_online`, nowMs),
    strategy: now(sql`lower(nullif(device_listed.strategy, ''))`, nowMs),
    exportLimitW: now(sql`device_listed.export_limit_w`, nowMs),
    peakLimitW: now(sql`nullif(device_listed.peak_limit_w, 0)`, nowMs),
  } satisfies SortKeys<typeof emsFields>;
  const ofGateways = {
    ...common,
    relay1: now(sql`device_listed.relay1`, nowMs),
    relay2: now(sql`device_listed.relay2`, nowMs),
    sgReady: now(sql`device_listed.sg_ready`, nowMs),
    heatPumpW: now(sql`device_listed.heat_pump_w`, nowMs),
  } satisfies SortKeys<typeof gatewayFields>;
  const others = {} as Readonly<Record<string, RawBuilder<unknown>>>;
  return {
    inverter: ofInverters,
    battery: ofBatteries,
    meter: ofMeters,
    ems: ofEms,
    gateway: ofGateways,
    pile: { ...others, ...ofInverters },
    station: { ...others, ...ofInverters },
  } as Readonly<Record<AttachedKind, Readonly<Record<string, RawBuilder<unknown>>>>>;
};

/** Devices in scope that filters let through. */
export async function matchingDevices(
  db: Db,
  scope: Scope,
  kind: AttachedKind | undefined,
  condition: DeviceCondition,
  nowMs: number,
) {
  let query = db.selectFrom('device_listed').where(await listedDeviceIsVisible(db, scope));
  if (kind !== undefined) query = query.where('device_listed.kind', '=', kind);
  for (const among of [condition.state && [condition.state], condition.states]) {
    if (among) query = query.where(sql<SqlBool>`${listedStateAt(nowMs)} in (${sql.join(among)})`);
  }
  const { stationID, content, batteryStatus, meterRole: role, deviates, deviceIDs } = condition;
  if (deviates) query = query.where(sql<SqlBool>`device_listed.drifts > 0 and ${mayReadDrifts(scope)}::boolean`);
  if (deviceIDs) query = query.where(sql<SqlBool>`device_listed.device_id = any(${deviceIDs}::uuid[])`);
  if (stationID !== undefined) query = query.where('device_listed.site_id', '=', stationID);
  if (batteryStatus !== undefined)
    query = query.where(sql<SqlBool>`${listedBatteryStatusAt(nowMs)} = ${batteryStatus}`);
  if (role !== undefined) query = query.where(sql<SqlBool>`${meterRole} = ${role}`);
  if (content !== '') {
    query = query.where(sql<SqlBool>`device_listed.searched like lower(${containing(content)})`);
  }
  return query;
}

/**
 * Filters that are tried on every row: the page and the number of all are found in one pass. What is searched has an index, and where it leaves
 * nearly all, two passes at once take less than one that keeps them all.
 */
const countsWithin = ({ content, stationID: _, ...filters }: DeviceCondition): boolean =>
  content === '' && Object.values(filters).some((filter) => filter !== undefined);

/** Devices of a kind in scope. Unknown values come last in either order, devices of an equal value by serial number. */
export async function listDevices(
  db: Db,
  scope: Scope,
  { kind, condition, sort: { field, order } }: AskedDevices,
  span: Span,
  nowMs: number,
): Promise<Found<ListedDeviceRow>> {
  const { drifts, ...others } = sortKeys(nowMs)[kind];
  const keys = drifts && mayReadDrifts(scope) ? { ...others, drifts } : others;
  const id = sql`device_listed.device_id`;
  const sn = sql`device_listed.sn`;
  const isBySn = field === 'deviceSN';
  const page = await pageOf(
    (await matchingDevices(db, scope, kind, condition, nowMs)).select('device_listed.device_id as id'),
    { key: keys[field] ?? sn, apart: isBySn ? [id] : [sn, id], order, isKnown: isBySn },
    span,
    { countsWithin: countsWithin(condition) },
  );
  return withRows(page, (ids) => listedDeviceRows(db, scope, ids, nowMs));
}

/** Number of devices of a kind in scope by state. */
export async function countByState(db: Db, scope: Scope, kind: AttachedKind, nowMs: number) {
  const listed = (await matchingDevices(db, scope, kind, { content: '' }, nowMs))
    .select(listedStateAt(nowMs).as('state'))
    // The state of each is reckoned once, not for each number again.
    .offset(0);
  const numberOf = (each: State) =>
    sql<number>`(count(*) filter (where listed.state = ${sql.lit(each)}))::int`.as(each);
  const numbers = await db
    .selectFrom(listed.as('listed'))
    .select([numberOf('normal'), numberOf('alarm'), numberOf('fault'), numberOf('offline')])
    .executeTakeFirstOrThrow();
  return state.options.map((each) => ({ state: each, count: numbers[each] }));
}

/** Number of devices of a kind in scope that deviate from what was set. */
export async function countDeviating(db: Db, scope: Scope, kind: AttachedKind, nowMs: number): Promise<number> {
  const { count } = await (await matchingDevices(db, scope, kind, { content: '', deviates: true }, nowMs))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Number of devices in scope by kind. */
export const countDevicesByKind = async (db: Db, scope: Scope) =>
  db
    .selectFrom('device_listed')
    .where(await listedDeviceIsVisible(db, scope))
    .select(['device_listed.kind', sql<number>`count(*)::int`.as('count')])
    .groupBy('device_listed.kind')
    .execute();

/** Number of dataloggers in scope. */
export async function countDataloggers(db: Db, scope: Scope): Promise<number> {
  const { count } = await db
    .selectFrom('loggers')
    .where(dataloggerIsVisible(scope)(expressionBuilder<Database, 'loggers'>()))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
