import type { InverterRow, ListedDeviceRow as ListedRow } from '@sonnenwarte/contract/devices/device';
import type { BatteryRow, EmsRow, GatewayRow, MeterRow } from '@sonnenwarte/contract/devices/device-lists';
import { meterRoles, sgReadyStates } from '@sonnenwarte/contract/devices/device-lists';
import type { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import { qualityAt } from '@sonnenwarte/energy/accounting/quality';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import type { Scope } from '../access/scope.ts';
import { toCounts } from '../current-state/state-counts.ts';
import { toDeviceRow } from '../device-rows/device-row.ts';
import type { ListedDeviceRow } from '../device-rows/device-rows.store.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { type Asked, type Found, type Span, toRows } from '../stores/lists.ts';
import {
  type AskedDevices,
  countByState,
  countDataloggers,
  countDeviating,
  countDevicesByKind,
  listDevices,
  mayReadDrifts,
} from './device-lists.store.ts';

type Devices = typeof deviceEndpoints;
type Works = Uses<'db' | 'nowMs'>;

/** Kinds of devices that have settings of their own. */
const kindsWithSettings: readonly AttachedKind[] = ['inverter', 'ems', 'meter'];

/** What is told of now: nothing of a device that does not report. */
const nowOf = <T>({ state }: ListedDeviceRow, value: T): T | null => (state === 'offline' ? null : value);

const toListedRow = (device: ListedDeviceRow): ListedRow => ({ ...toDeviceRow(device), drifts: device.drifts || null });

export function toInverterRow(device: ListedDeviceRow): InverterRow {
  const { power_w: powerW, rated_power_w: ratedW, energy_marks: marks, today_marks: todayMarks } = device;
  const isKnown = powerW !== null && ratedW !== null && ratedW > 0;
  const ofToday = device.holds_today ? (todayMarks ?? 0) & 3 : 0;
  const ofYesterday = device.knows_yesterday ? marks : ofToday;
  const withToday = marks | (ofToday << 2) | (ofToday << 4);
  const qualityOf = (wh: number | null, all: number, place: number) =>
    wh === null ? 'measured' : qualityAt(all, place);
  return {
    ...toListedRow(device),
    loadPercent: isKnown ? withoutNoise((100 * powerW) / ratedW) : null,
    yesterdayWh: withoutNoise(device.yesterday_wh),
    yesterdayQuality: qualityOf(device.yesterday_wh, ofYesterday, 0),
    monthWh: withoutNoise(device.month_wh),
    monthQuality: qualityOf(device.month_wh, withToday, 1),
    yearWh: withoutNoise(device.year_wh),
    yearQuality: qualityOf(device.year_wh, withToday, 2),
  };
}

export const toBatteryRow = (device: ListedDeviceRow): BatteryRow => ({
  ...toListedRow(device),
  batteryStatus: device.battery_status,
  nowW: withoutNoise(device.power_w),
  sohPercent: withoutNoise(device.soh_percent),
  spreadMv: withoutNoise(nowOf(device, device.spread_mv)),
  cycles: withoutNoise(device.cycles),
  firmware: device.bms_firmware ?? device.version_master,
});

/** A meter that says nothing of its role, or nothing known, is taken for that of the grid. */
export const meterRoleOf = ({ role }: Pick<ListedDeviceRow, 'role'>): MeterRow['meterRole'] =>
  meterRoles.find((known) => known === role) ?? 'grid';

export const toMeterRow = (device: ListedDeviceRow): MeterRow => ({
  ...toListedRow(device),
  meterRole: meterRoleOf(device),
  nowW: withoutNoise(device.power_w),
  phases: device.phases,
  ctRatio: withoutNoise(device.ct_ratio),
  importTodayWh: withoutNoise(device.import_today_wh),
  exportTodayWh: withoutNoise(device.export_today_wh),
  importWh: withoutNoise(device.import_wh),
  exportWh: withoutNoise(device.export_wh),
  firmware: device.version_master,
});

/** A peak limit of nought is none. */
export const toEmsRow = (device: ListedDeviceRow): EmsRow => ({
  ...toListedRow(device),
  deviceCount: withoutNoise(device.device_count),
  devicesOnline: withoutNoise(nowOf(device, device.devices_online)),
  strategy: nowOf(device, device.strategy) ?? '',
  exportLimitW: withoutNoise(nowOf(device, device.export_limit_w)),
  peakLimitW: withoutNoise(nowOf(device, device.peak_limit_w === 0 ? null : device.peak_limit_w)),
  firmware: device.version_master,
});

const relayOf = (isClosed: boolean | null): GatewayRow['relay1'] =>
  isClosed === null ? null : isClosed ? 'closed' : 'open';

export const toGatewayRow = (device: ListedDeviceRow): GatewayRow => ({
  ...toListedRow(device),
  relay1: relayOf(nowOf(device, device.relay1)),
  relay2: relayOf(nowOf(device, device.relay2)),
  grid: device.plant_is_on_grid === null ? null : device.plant_is_on_grid ? 'on' : 'off',
  sgReady: sgReadyStates.find((known) => known === nowOf(device, device.sg_ready)) ?? null,
  heatPumpW: withoutNoise(nowOf(device, device.heat_pump_w)),
  firmware: device.version_master,
});

/** Settings that have drifted are told to who may read settings. */
const readableRows = <Row extends ListedRow>(scope: Scope, found: Found<Row>): Found<Row> =>
  mayReadDrifts(scope) ? found : { ...found, rows: found.rows.map((row) => ({ ...row, drifts: null })) };

/** Pages of a kind's list and its file, through one function. */
const listOf =
  <Row extends ListedRow>(kind: AttachedKind, toRow: (device: ListedDeviceRow) => Row) =>
  async (
    { db, nowMs }: Works,
    { condition, sort, ...span }: Omit<AskedDevices, 'kind'> & Span,
    { scope }: Scoped,
  ): Promise<Found<Row>> =>
    readableRows(scope, toRows(await listDevices(db, scope, { kind, condition, sort }, span, nowMs()), toRow));

/** Inverters, or devices of another kind as if they were. */
export const deviceList = async (
  { db, nowMs }: Works,
  { condition: { kind = 'inverter', ...condition }, sort, ...span }: Asked<Devices['list']>,
  { scope }: Scoped,
): Promise<Found<InverterRow>> =>
  readableRows(scope, toRows(await listDevices(db, scope, { kind, condition, sort }, span, nowMs()), toInverterRow));

export const batteryListOf = listOf('battery', toBatteryRow);
export const meterListOf = listOf('meter', toMeterRow);
export const emsListOf = listOf('ems', toEmsRow);
export const gatewayListOf = listOf('gateway', toGatewayRow);

/** How many devices of a kind are in scope, by state. */
export const statusAllOf = async (
  { db, nowMs }: Works,
  { kind }: Parsed<Devices['statusAll']>,
  { scope }: Scoped,
): Promise<Result<Devices['statusAll']>> => {
  const atMs = nowMs();
  const isKnown = kindsWithSettings.includes(kind) && mayReadDrifts(scope);
  const [counted, deviating] = await Promise.all([
    countByState(db, scope, kind, atMs),
    isKnown ? countDeviating(db, scope, kind, atMs) : null,
  ]);
  return { ...toCounts(counted), deviating };
};

/** How many devices of each kind that has a list are in scope. */
export async function kindCountsOf(
  { db }: Uses<'db'>,
  _: unknown,
  { scope }: Scoped,
): Promise<Result<Devices['kindCounts']>> {
  const [devices, module] = await Promise.all([countDevicesByKind(db, scope), countDataloggers(db, scope)]);
  const of = (kind: AttachedKind): number => devices.find((each) => each.kind === kind)?.count ?? 0;
  return {
    inverter: of('inverter'),
    module,
    battery: of('battery'),
    ems: of('ems'),
    gateway: of('gateway'),
    meter: of('meter'),
  };
}
