import { areOnePlane, stringRows } from '@sonnenwarte/contract/devices/string-rows';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { stationPoints } from '@sonnenwarte/device-protocol/points/points-station';
import { roundedTo } from '@sonnenwarte/energy/rounding';
import { toLatestValues } from '../device-rows/device-row.ts';
import { type DeviceNow, devicesNowOfSite } from '../device-rows/device-rows.store.ts';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { siteFrame } from './sites.store.ts';

type Conditions = (typeof siteEndpoints)['conditions'];
type Told = Result<Conditions>;

const weatherPoints: ReadonlySet<string> = new Set(stationPoints.map(({ name }) => name));
/** Older values say nothing of now. */
const INTERVALS_UNTIL_LATE = 2;

const isOfNow = ({ state, ts, report_interval_s: intervalS }: DeviceNow, nowMs: number): boolean =>
  state !== 'offline' && ts !== null && nowMs - ts.getTime() <= INTERVALS_UNTIL_LATE * intervalS * 1_000;

const seenOf = (device: DeviceNow) => ({
  deviceID: device.id,
  deviceSN: device.sn,
  updatedAtMs: device.ts?.getTime() ?? null,
  intervalS: device.report_interval_s,
  offline: device.state === 'offline',
});

function stationOf(device: DeviceNow): Told['stations'] {
  const values = toLatestValues(device).filter(({ variable }) => weatherPoints.has(variable));
  if (values.length === 0) return [];
  return [
    {
      ...seenOf(device),
      values,
    },
  ];
}

const told = (value: number | null): number | null => (value === null ? null : roundedTo(value, 3));

function stringsOf(device: DeviceNow, isOnePlane: boolean): Told['inverters'] {
  const rows = stringRows(toLatestValues(device), { isOnePlane });
  if (rows.length < 2) return [];
  const strings = rows.map((row) => ({ ...row, powerW: told(row.powerW), percent: told(row.percent) }));
  return [{ ...seenOf(device), strings }];
}

const weakStringsOf = (device: DeviceNow, isOnePlane: boolean): Told['weakStrings'] =>
  stringRows(toLatestValues(device), { isOnePlane }).flatMap(({ kind, n, percent, weak }) =>
    weak && percent !== null
      ? [{ deviceID: device.id, deviceSN: device.sn, kind, n, percent: roundedTo(percent, 3) }]
      : [],
  );

/** What a plant's weather stations measure now, and the strings of its inverters with those that are weak. */
export async function siteConditionsOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationID }: Parsed<Conditions>,
  { scope }: Scoped,
): Promise<Told> {
  const now = nowMs();
  const site = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  const devices = await devicesNowOfSite(db, scope, site.id, ['inverter', 'station'], now);
  const isOnePlane = areOnePlane(site.arrays ?? []);
  const ofKind = (wanted: DeviceNow['kind']): DeviceNow[] => devices.filter(({ kind }) => kind === wanted);
  return {
    stations: ofKind('station').flatMap(stationOf),
    weakStrings: ofKind('inverter')
      .filter((device) => isOfNow(device, now))
      .flatMap((device) => weakStringsOf(device, isOnePlane)),
    inverters: ofKind('inverter').flatMap((device) => stringsOf(device, isOnePlane)),
  };
}
