import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import { levels } from '../levels.ts';
import { paged, paging, sortedBy } from '../lists.ts';
import { batteryStatus } from '../status.ts';
import { deviceCondition, listedDeviceRow } from './device.ts';

const amount = z.nullable(z.number());
const { state, states, content, stationID, deviates, deviceIDs } = deviceCondition.shape;
/** Filters of the list of any kind. */
const filters = { state, states, content, stationID, deviates, deviceIDs };

/** What lists of all kinds tell. */
const common = {
  deviceSN: is.serial,
  state: is.state,
  deviceType: is.text,
  plantName: is.text,
  alarm: is.own,
  drifts: is.count,
  moduleSN: unsorted(is.serial),
  odmSN: unsorted(is.serial),
  updatedAtMs: is.time,
} as const;

/** A battery. Power in W, positive while it discharges; what it is now is `null` while it does not report. */
export const batteryRow = z.extend(listedDeviceRow, {
  batteryStatus: z.nullable(batteryStatus),
  nowW: amount,
  sohPercent: amount,
  /** Highest less lowest voltage of its cells. */
  spreadMv: amount,
  cycles: amount,
  /** Of its management, else its own. */
  firmware: z.string(),
});
export type BatteryRow = z.infer<typeof batteryRow>;
export const batteryFields = fieldsOf(batteryRow)({
  ...common,
  socPercent: is.percent,
  sohPercent: is.percent,
  spreadMv: is.millivolts,
  cycles: is.count,
  batteryStatus: is.choice('devices.batteryStatus', batteryStatus.options),
  nowW: is.power,
  firmware: is.text,
});

export const meterRoles = ['grid', 'pv', 'load', 'generator'] as const;
const meterRole = z.enum(meterRoles);

/** A meter. Power in W, positive while the plant imports; energies as it counts them itself, in Wh. */
export const meterRow = z.extend(listedDeviceRow, {
  /** One that does not say what it measures is taken for that of the grid. */
  meterRole,
  nowW: amount,
  phases: amount,
  ctRatio: amount,
  importTodayWh: amount,
  exportTodayWh: amount,
  importWh: amount,
  exportWh: amount,
  firmware: z.string(),
});
export type MeterRow = z.infer<typeof meterRow>;
export const meterFields = fieldsOf(meterRow)({
  ...common,
  meterRole: is.choice('devices.meterRole', meterRoles),
  phases: is.count,
  ctRatio: is.count,
  nowW: is.power,
  importTodayWh: is.energy,
  exportTodayWh: is.energy,
  importWh: is.energy,
  exportWh: is.energy,
  firmware: is.text,
});

/** An EMS unit: what it controls, by what strategy and within which limits, W. */
export const emsRow = z.extend(listedDeviceRow, {
  deviceCount: amount,
  devicesOnline: amount,
  strategy: z.string(),
  exportLimitW: amount,
  peakLimitW: amount,
  firmware: z.string(),
});
export type EmsRow = z.infer<typeof emsRow>;
export const emsFields = fieldsOf(emsRow)({
  ...common,
  deviceCount: is.count,
  devicesOnline: is.count,
  strategy: is.text,
  exportLimitW: is.power,
  peakLimitW: is.power,
  firmware: is.text,
});

export const relayStates = ['closed', 'open'] as const;
const relay = z.nullable(z.enum(relayStates));
export const gridStates = ['on', 'off'] as const;
export const sgReadyStates = [1, 2, 3, 4] as const;

/** A smart gateway: its relays, what it tells the heat pump, and whether the inverters of its plant are on the grid. */
export const gatewayRow = z.extend(listedDeviceRow, {
  relay1: relay,
  relay2: relay,
  /** By the grid relays of the inverters of its plant that report; `null` where none tells it. */
  grid: z.nullable(z.enum(gridStates)),
  sgReady: z.nullable(z.literal(sgReadyStates)),
  heatPumpW: amount,
  firmware: z.string(),
});
export type GatewayRow = z.infer<typeof gatewayRow>;
export const gatewayFields = fieldsOf(gatewayRow)({
  ...common,
  relay1: is.choice('devices.relay', relayStates),
  relay2: is.choice('devices.relay', relayStates),
  grid: unsorted(is.choice('devices.grid', gridStates)),
  sgReady: is.choice('devices.sgReady', sgReadyStates),
  heatPumpW: is.power,
  firmware: is.text,
});

export const batteryList = endpoint({
  method: 'POST',
  path: '/c/v0/device/battery/list',
  feature: 'devices',
  summary: 'Batteries in scope (of an integrator: those granted to it), by page, filter and order.',
  callers: levels,
  reads: true,
  list: { rows: 'devices', key: 'deviceID', fields: batteryFields },
  input: z.object({
    ...paging,
    condition: z._default(z.object({ ...filters, batteryStatus: z.optional(batteryStatus) }), { content: '' }),
    sort: sortedBy(batteryFields, 'state'),
  }),
  result: z.object({ ...paged, devices: z.array(batteryRow) }),
});
export const exportBatteryList = exportOf(batteryList);

export const meterList = endpoint({
  method: 'POST',
  path: '/c/v0/meter/list',
  feature: 'devices',
  summary: 'Meters in scope (of an integrator: those granted to it), by page, filter and order.',
  callers: levels,
  reads: true,
  list: { rows: 'devices', key: 'deviceID', fields: meterFields },
  input: z.object({
    ...paging,
    condition: z._default(z.object({ ...filters, meterRole: z.optional(meterRole) }), { content: '' }),
    sort: sortedBy(meterFields, 'state'),
  }),
  result: z.object({ ...paged, devices: z.array(meterRow) }),
});
export const exportMeterList = exportOf(meterList);

export const emsList = endpoint({
  method: 'POST',
  path: '/c/v0/device/ems/list',
  feature: 'devices',
  summary: 'EMS units in scope (of an integrator: those granted to it), by page, filter and order.',
  callers: levels,
  reads: true,
  list: { rows: 'devices', key: 'deviceID', fields: emsFields },
  input: z.object({
    ...paging,
    condition: z._default(z.object(filters), { content: '' }),
    sort: sortedBy(emsFields, 'state'),
  }),
  result: z.object({ ...paged, devices: z.array(emsRow) }),
});
export const exportEmsList = exportOf(emsList);

export const gatewayList = endpoint({
  method: 'POST',
  path: '/c/v0/device/gateway/list',
  feature: 'devices',
  summary: 'Smart gateways in scope (of an integrator: those granted to it), by page, filter and order.',
  callers: levels,
  reads: true,
  list: { rows: 'devices', key: 'deviceID', fields: gatewayFields },
  input: z.object({
    ...paging,
    condition: z._default(z.object(filters), { content: '' }),
    sort: sortedBy(gatewayFields, 'state'),
  }),
  result: z.object({ ...paged, devices: z.array(gatewayRow) }),
});
export const exportGatewayList = exportOf(gatewayList);
