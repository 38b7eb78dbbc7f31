import type { Kysely } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { deviceStateAt } from '../current-state/current-state.ts';
import { visibleDevices } from '../device-rows/device-rows.store.ts';
import type { Database } from '../stores/schema.ts';

/** The device of an id, if it is in scope. */
export const visibleDevice = (db: Kysely<Database>, scope: Scope, id: string) =>
  db
    .selectFrom('devices')
    .select(['devices.id', 'devices.kind', 'devices.logger_id'])
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
