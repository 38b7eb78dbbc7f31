import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { text } from '../fields.ts';
import { levels } from '../levels.ts';
import { paged, paging, searchText, sortedBy } from '../lists.ts';
import { counts, state, states, statusCode } from '../status.ts';
import { activeAlarm, deviceFields, deviceKind, deviceRow, latestValue } from './device.ts';

const deviceID = z.uuid();

export const deviceCondition = z.object({
  state: z.optional(state),
  states: z.optional(states),
  content: z._default(searchText, ''),
  kind: z.optional(deviceKind),
  stationID: z.optional(z.uuid()),
  /** Accepted from clients of this API family and not used: `begin` and `end` 0. */
  queryDate: z.optional(z.object({ begin: z.number(), end: z.number() })),
});

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
  result: z.object({ ...paged, devices: z.array(deviceRow) }),
});

export const exportList = exportOf(list);

export const statusAll = endpoint({
  method: 'GET',
  path: '/c/v0/device/status/all',
  feature: 'devices',
  summary: 'Number of inverters in scope by state.',
  callers: levels,
  input: z.object({}),
  result: counts,
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

export const deviceEndpoints = { list, exportList, statusAll, addressbook, variables, real, historyRaw, earnings };
