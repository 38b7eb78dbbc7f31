import { MOST_BELOW_LOGGER, type TreeDevice, type TreeLogger } from '@sonnenwarte/contract/devices/device-tree';
import type { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import { toDeviceRow } from '../device-rows/device-row.ts';
import type { ListedDeviceRow } from '../device-rows/device-rows.store.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inOrderOf } from '../stores/lists.ts';
import { meterRoleOf, toEmsRow } from './device-lists.service.ts';
import { devicesBelow, loggerRows, loggersOfTree } from './device-tree.store.ts';

type Tree = (typeof deviceEndpoints)['tree'];

function toTreeDevice(device: ListedDeviceRow, loggerIsOnline: boolean): TreeDevice {
  const row = toDeviceRow(device);
  const { exportLimitW, strategy } = toEmsRow(device);
  return {
    deviceID: row.deviceID,
    deviceSN: row.deviceSN,
    kind: row.kind,
    deviceType: row.deviceType,
    meterRole: row.kind === 'meter' ? meterRoleOf(device) : null,
    state: row.state,
    alarm: loggerIsOnline ? row.alarm : null,
    nowW: withoutNoise(device.power_w),
    todayWh: row.todayWh,
    socPercent: row.socPercent,
    exportLimitW,
    strategy,
    firmware: device.bms_firmware ?? device.version_master,
    updatedAtMs: row.updatedAtMs,
    intervalS: row.intervalS,
    ianaTimezone: row.ianaTimezone,
  };
}

/** Dataloggers and what is below them. */
export async function treeOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { condition: { kind = 'inverter', ...condition }, pageSize, currentPage }: Parsed<Tree>,
  { scope }: Scoped,
): Promise<Result<Tree>> {
  const atMs = nowMs();
  const { ids, total } = await loggersOfTree(db, scope, { kind, condition, pageSize, currentPage }, atMs);
  const [loggers, below] =
    ids.length === 0
      ? [[], []]
      : await Promise.all([loggerRows(db, ids, atMs), devicesBelow(db, scope, ids, MOST_BELOW_LOGGER, atMs)]);
  const modules = inOrderOf(ids, loggers).map((logger): TreeLogger => {
    const own = below.filter(({ loggerId }) => loggerId === logger.id);
    return {
      moduleSN: logger.sn,
      moduleType: logger.type,
      deviceType: logger.model,
      stationID: logger.site_id,
      plantName: logger.site_name ?? '',
      isOnline: logger.is_online === true,
      signalDbm: logger.rssi_dbm,
      firmware: logger.firmware,
      lastSeenMs: logger.last_seen_at?.getTime() ?? null,
      intervalS: logger.report_interval_s,
      deviceCount: own[0]?.ofLogger ?? 0,
      devices: own.map(({ row }) => toTreeDevice(row, logger.is_online === true)),
    };
  });
  return { pageSize, currentPage, total, modules };
}
