import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportFormats, exportOf } from '../exports.ts';
import { plantDay, text } from '../fields.ts';
import { levels } from '../levels.ts';
import { paged, paging, sortedBy } from '../lists.ts';
import { batteryStatus, counts, state, statusCode } from '../status.ts';
import {
  activeAlarm,
  deviceCondition,
  deviceFields,
  deviceKind,
  deviceRow,
  inverterRow,
  latestValue,
} from './device.ts';
import {
  batteryList,
  emsList,
  exportBatteryList,
  exportEmsList,
  exportGatewayList,
  exportMeterList,
  gatewayList,
  meterList,
} from './device-lists.ts';
import { tree } from './device-tree.ts';

const deviceID = z.uuid();

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/device/list',
  feature: 'devices',
  summary: 'Inverters in scope (of an integrator: those granted to it), by page, filter and order.',
  callers: levels,
  reads: true,
  list: { rows: 'devices', key: 'deviceID', fields: deviceFields },
  input: z.object({
    ...paging,
    condition: z._default(deviceCondition, { content: '' }),
    sort: sortedBy(deviceFields, 'state'),
  }),
  result: z.object({ ...paged, devices: z.array(inverterRow) }),
});

export const exportList = exportOf(list);

export const statusAll = endpoint({
  method: 'GET',
  path: '/c/v0/device/status/all',
  feature: 'devices',
  summary:
    'Number of devices of a kind in scope by state, and of those whose settings have drifted; of inverters unless said otherwise.',
  callers: levels,
  input: z.object({ kind: z._default(deviceKind, 'inverter') }),
  /** `deviating` is `null` where the kind has no settings, or who asks may not read them. */
  result: z.extend(counts, { deviating: z.nullable(z.int()) }),
});

/** Kinds of devices that have a list, in the order in which they are offered; `module` is a datalogger. */
export const listedKinds = ['inverter', 'module', 'battery', 'ems', 'gateway', 'meter'] as const;
export type ListedKind = (typeof listedKinds)[number];

export const kindCounts = endpoint({
  method: 'GET',
  path: '/c/v0/device/kinds',
  feature: 'devices',
  summary: 'Number of devices in scope by kind; `module` counts dataloggers.',
  callers: levels,
  input: z.object({}),
  result: z.object({
    inverter: z.int(),
    module: z.int(),
    battery: z.int(),
    ems: z.int(),
    gateway: z.int(),
    meter: z.int(),
  }),
});

export const addressbook = endpoint({
  method: 'GET',
  path: '/c/v0/device/addressbook',
  feature: 'devices',
  summary: 'Identity of a device: plant, datalogger, place, versions.',
  callers: levels,
  input: z.object({ deviceID }),
  result: z.object({
    deviceSN: z.string(),
    plantName: z.string(),
    moduleSN: z.string(),
    deviceType: z.string(),
    status: statusCode,
    state,
    country: z.string(),
    countryCode: z.string(),
    city: z.string(),
    address: z.string(),
    feedinDate: z.string(),
    hardwareVersion: z.string(),
    softVersion: z.object({ master: z.string(), slave: z.string(), manager: z.string(), afci: z.string() }),
    protocolVersion: z.string(),
  }),
  names: { deviceID: 'device' },
});

export const variables = endpoint({
  method: 'GET',
  path: '/c/v1/device/variables',
  feature: 'devices',
  summary: 'Points that a device has reported.',
  callers: levels,
  input: z.object({ deviceID }),
  result: z.object({ variables: z.array(z.object({ variable: z.string(), name: z.string(), unit: z.string() })) }),
  names: { deviceID: 'device' },
});

export const real = endpoint({
  method: 'GET',
  path: '/c/v0/device/real',
  feature: 'devices',
  summary: 'Newest values of a device and its active alarms.',
  callers: levels,
  input: z.object({ deviceID }),
  result: z.object({ device: deviceRow, values: z.array(latestValue), alarms: z.array(activeAlarm) }),
  names: { deviceID: 'device' },
});

export const historyRaw = endpoint({
  method: 'POST',
  path: '/c/v0/device/history/raw',
  feature: 'devices',
  summary:
    'Samples of chosen points of a device over an hour or a plant-local day, from the time given, as the device told them.',
  callers: levels,
  reads: true,
  input: z.object({
    deviceID,
    variables: z.array(text(64)).check(z.minLength(1), z.maxLength(24)),
    timespan: z.enum(['hour', 'day']),
    beginDate: z.object({
      year: z.int().check(z.gte(2000), z.lte(2100)),
      month: z.int().check(z.gte(1), z.lte(12)),
      day: z.int().check(z.gte(1), z.lte(31)),
      hour: z._default(z.int().check(z.gte(0), z.lte(23)), 0),
      minute: z._default(z.int().check(z.gte(0), z.lte(59)), 0),
      second: z._default(z.int().check(z.gte(0), z.lte(59)), 0),
    }),
  }),
  result: z.array(
    z.object({
      variable: z.string(),
      name: z.string(),
      unit: z.string(),
      data: z.array(z.object({ time: z.string(), tsMs: z.int(), value: z.union([z.number(), z.string()]) })),
    }),
  ),
  large: true,
  names: { deviceID: 'device' },
});

export const exportHistory = endpoint({
  method: 'POST',
  path: '/c/v0/device/history/raw/export',
  feature: 'devices',
  summary: 'All samples of a device over a plant-local day, as it told them, as a CSV or XLSX file.',
  callers: levels,
  reads: true,
  file: true,
  input: z.object({ deviceID, date: plantDay(), format: z._default(z.enum(exportFormats), 'csv') }),
  result: z.null(),
  names: { deviceID: 'device' },
});

export const surroundings = endpoint({
  method: 'GET',
  path: '/c/v0/device/surroundings',
  feature: 'devices',
  summary: 'What a device stands beside: its datalogger, the arrays of its plant, and the battery of an inverter.',
  callers: levels,
  input: z.object({ deviceID }),
  result: z.object({
    moduleOnline: z.boolean(),
    arrays: z.array(z.object({ azimuthDeg: z.number(), inclinationDeg: z.number(), kwp: z.number() })),
    /** Of the inverter alone on its datalogger; `null` where there is none, or where it is not known whose it is. W, positive while it discharges. */
    battery: z.nullable(
      z.object({
        powerW: z.nullable(z.number()),
        socPercent: z.nullable(z.number()),
        batteryStatus,
        updatedAtMs: z.nullable(z.int()),
      }),
    ),
  }),
  names: { deviceID: 'device' },
});

const earned = z.object({
  generation: z.nullable(z.number()).check(z.describe("kWh at the inverters' AC terminals, as in reports.")),
  earnings: z.nullable(z.number()),
});

export const earnings = endpoint({
  method: 'GET',
  path: '/c/v0/device/earnings',
  feature: 'devices',
  summary: 'Power now, generation and earnings of the plant of an inverter, by period.',
  callers: levels,
  input: z.object({ deviceID }),
  result: z.object({
    currency: z.string(),
    /** kW. */
    power: z.nullable(z.number()),
    systemCapacity: z.number(),
    today: earned,
    month: earned,
    year: earned,
    cumulate: earned,
  }),
  names: { deviceID: 'device' },
});

export const deviceEndpoints = {
  list,
  exportList,
  batteryList,
  exportBatteryList,
  emsList,
  exportEmsList,
  gatewayList,
  exportGatewayList,
  meterList,
  exportMeterList,
  tree,
  statusAll,
  kindCounts,
  addressbook,
  variables,
  real,
  historyRaw,
  exportHistory,
  surroundings,
  earnings,
};
