import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { type Level, levels } from '../levels.ts';
import { deviceStatus } from './status.ts';

const plantLevels = [1, 2, 3, 4, 255] as const satisfies readonly Level[];

/** Pages of the open API have any size; ours end at 100 rows. */
const page = {
  currentPage: z.int().check(z.gte(1), z.lte(1_000_000)),
  pageSize: z.int().check(z.gte(1), z.lte(100)),
};

const paged = { currentPage: z.int(), pageSize: z.int(), total: z.int() };

const contact = z.object({ name: z.string(), email: z.string(), phone: z.string() });

export const accessCount = endpoint({
  method: 'GET',
  path: '/op/v0/user/getAccessCount',
  feature: 'open-api',
  summary: 'Calls that the key has on a day, and how many of them are left today (UTC). Is not counted itself.',
  callers: levels,
  auth: 'apiKey',
  input: z.object({}),
  result: z.object({ total: z.int(), remaining: z.int() }),
});

export const plantList = endpoint({
  method: 'POST',
  path: '/op/v0/plant/list',
  feature: 'open-api',
  summary: 'Plants in scope, by name.',
  callers: plantLevels,
  auth: 'apiKey',
  reads: true,
  input: z.object(page),
  result: z.object({
    ...paged,
    data: z.array(z.object({ stationID: z.string(), name: z.string(), ianaTimezone: z.string() })),
  }),
});

export const plantDetail = endpoint({
  method: 'GET',
  path: '/op/v0/plant/detail',
  feature: 'open-api',
  summary: 'One plant.',
  callers: plantLevels,
  auth: 'apiKey',
  input: z.object({ id: z.uuid() }),
  result: z.object({
    stationName: z.string(),
    /** ISO 3166-1 alpha-2. */
    country: z.string(),
    city: z.string(),
    address: z.string(),
    postcode: z.string(),
    /** Plant-local, `YYYY-MM-DD HH:MM:SS <abbreviation>+HHMM`. */
    createDate: z.string(),
    /** kW. */
    capacity: z.number(),
    timezone: z.string(),
    user: contact,
    installer: contact,
    modules: z.array(z.object({ moduleSN: z.string(), deviceSN: z.string() })),
  }),
  names: { id: 'site' },
});

export const deviceList = endpoint({
  method: 'POST',
  path: '/op/v0/device/list',
  feature: 'open-api',
  summary: 'Inverters in scope, by serial number.',
  callers: levels,
  auth: 'apiKey',
  reads: true,
  input: z.object(page),
  result: z.object({
    ...paged,
    data: z.array(
      z.object({
        deviceSN: z.string(),
        moduleSN: z.string(),
        stationID: z.string(),
        stationName: z.string(),
        status: deviceStatus,
        hasPV: z.boolean(),
        hasBattery: z.boolean(),
        deviceType: z.string(),
        productType: z.string(),
      }),
    ),
  }),
});

export const openApiEndpoints = { accessCount, plantList, plantDetail, deviceList } as const;
