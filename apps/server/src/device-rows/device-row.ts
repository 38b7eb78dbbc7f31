import { type DeviceRow, type LatestValue, strategyPhrase } from '@sonnenwarte/contract/devices/device';
import { statusCodeOf } from '@sonnenwarte/contract/status';
import { placeOfPoint, pointByName, shownValue } from '@sonnenwarte/device-protocol/points/points';
import { qualityAt } from '@sonnenwarte/energy/accounting/quality';
import { fewestDigits, withoutNoise } from '@sonnenwarte/energy/rounding';
import type { DeviceListRow, DeviceNow } from './device-rows.store.ts';

/** A device as lists show it. */
export const toDeviceRow = (device: DeviceListRow): DeviceRow => ({
  deviceID: device.id,
  deviceSN: device.sn,
  odmSN: device.odm_sn,
  moduleSN: device.logger_sn,
  kind: device.kind,
  role: device.role,
  deviceType: device.model,
  stationID: device.site_id,
  plantName: device.site_name ?? '',
  ianaTimezone: device.site_time_zone,
  status: statusCodeOf(device.state),
  state: device.state,
  hasPV: device.has_pv,
  hasBattery: device.has_battery,
  powerW: withoutNoise(device.power_w),
  socPercent: withoutNoise(device.soc_percent),
  todayWh: withoutNoise(device.today_wh),
  todayQuality: device.today_wh === null ? 'measured' : qualityAt(device.today_marks ?? 0, 0),
  totalWh: withoutNoise(device.total_wh),
  version: {
    master: device.version_master,
    slave: device.version_slave,
    manager: device.version_manager,
    afci: device.version_afci,
  },
  alarm: device.alarm,
  updatedAtMs: device.ts?.getTime() ?? null,
  intervalS: device.report_interval_s,
});

const phraseOfText = (variable: string, value: unknown): string | undefined =>
  variable === 'Ems/Strategy' && typeof value === 'string' ? strategyPhrase(value) : undefined;

/** All newest values, in the order of the catalogue; what it does not know by name. */
export const toLatestValues = (device: Pick<DeviceNow, 'kind' | 'values'>): LatestValue[] =>
  Object.entries(device.values ?? {})
    .sort(([a], [b]) => placeOfPoint(device.kind, a) - placeOfPoint(device.kind, b) || (a < b ? -1 : 1))
    .map(([variable, [value, tsMs]]) => {
      const point = pointByName(device.kind, variable);
      const told = typeof value === 'number' ? fewestDigits(value) : value;
      const phrase = typeof value === 'number' ? point?.enum?.[value] : phraseOfText(variable, value);
      return {
        variable,
        unit: point?.unit ?? '',
        value: shownValue(point, told),
        ...(phrase !== undefined && { phrase }),
        tsMs: Math.round(tsMs),
      };
    });
