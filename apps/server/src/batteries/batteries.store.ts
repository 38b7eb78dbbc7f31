import type { ClickHouseClient } from '@clickhouse/client';
import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import type { Kysely } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { deviceStateAt } from '../current-state/current-state.ts';
import { visibleDevices } from '../device-rows/device-rows.store.ts';
import type { Database } from '../stores/schema.ts';
import { rawTableOf, toldOf } from '../stores/telemetry-tables.ts';

/** The device of an id, if it is in scope. */
export const visibleDevice = (db: Kysely<Database>, scope: Scope, id: string) =>
  db
    .selectFrom('devices')
    .leftJoin('sites', 'sites.id', 'devices.site_id')
    .select(['devices.id', 'devices.key', 'devices.kind', 'devices.logger_id', 'sites.time_zone'])
    .where(visibleDevices(scope))
    .where('devices.id', '=', id)
    .executeTakeFirst();

/** Newest values of a battery, or of the first battery beside an inverter on its datalogger. */
export function batteryLatest(
  db: Kysely<Database>,
  device: { id: string; kind: string; logger_id: string },
  nowMs: number,
) {
  const batteries = db
    .selectFrom('devices')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .leftJoin('device_latest', 'device_latest.device_id', 'devices.id')
    .select([
      'device_latest.values',
      'device_latest.power_w',
      'device_latest.soc_percent',
      deviceStateAt(nowMs).as('state'),
    ])
    .where('devices.kind', '=', 'battery')
    .where('devices.deleted_at', 'is', null)
    .orderBy('devices.sn')
    .limit(1);
  const chosen =
    device.kind === 'battery'
      ? batteries.where('devices.id', '=', device.id)
      : batteries.where('devices.logger_id', '=', device.logger_id);
  return chosen.executeTakeFirst();
}

export interface AgingDay {
  readonly day: string;
  readonly soh: number | null;
  readonly cycles: number | null;
  readonly spread: number | null;
}

const told = (name: string): string => {
  const point = pointByName('battery', name);
  if (point === undefined) throw new Error(`the catalogue has no point ${name}`);
  return toldOf('battery', point);
};

/** What each plant-local day of a battery told last of its age, from a moment on; V of cells. */
export async function agingDays(
  telemetry: ClickHouseClient,
  key: number,
  timeZone: string,
  fromMs: number,
): Promise<AgingDay[]> {
  const answer = await telemetry.query({
    query: `SELECT toString(toDate(ts, {zone: String})) AS day, argMaxIf(soh, ts, isFinite(soh)) AS last_soh, countIf(isFinite(soh)) AS sohs,
        argMaxIf(cycles, ts, isFinite(cycles)) AS last_cycles, countIf(isFinite(cycles)) AS counts,
        maxIf(spread, isFinite(spread)) AS widest, countIf(isFinite(spread)) AS spreads
      FROM (SELECT ts, ${told('Bat/Soh')} AS soh, ${told('Bat/Cycles')} AS cycles,
        ${told('Bat/CellVoltageMax')} - ${told('Bat/CellVoltageMin')} AS spread FROM ${rawTableOf('battery').name}
        WHERE device = {device: UInt32} AND ts >= fromUnixTimestamp64Milli({from: Int64}))
      GROUP BY day ORDER BY day`,
    query_params: { zone: timeZone, device: key, from: fromMs },
    format: 'JSONEachRow',
  });
  const rows = await answer.json<Record<string, string | number>>();
  const known = (value: string | number | undefined, count: string | number | undefined): number | null =>
    Number(count) > 0 ? Number(value) : null;
  return rows.map((row) => ({
    day: String(row.day),
    soh: known(row.last_soh, row.sohs),
    cycles: known(row.last_cycles, row.counts),
    spread: known(row.widest, row.spreads),
  }));
}
