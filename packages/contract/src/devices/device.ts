import * as z from 'zod/mini';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import { quality, state, statusCode } from '../status.ts';

export const deviceKind = z.enum(['inverter', 'battery', 'meter', 'ems', 'gateway', 'pile', 'station']);
export type DeviceKind = z.infer<typeof deviceKind>;

export const activeAlarm = z.object({ code: z.int(), level: z.int(), sinceMs: z.int() });

/** A device as lists show it. Powers in W, energies in Wh, `null` = not measured. */
export const deviceRow = z.object({
  deviceID: z.string(),
  deviceSN: z.string(),
  odmSN: z.string(),
  moduleSN: z.string(),
  kind: deviceKind,
  /** What a meter measures: grid, pv, load, generator; empty for other kinds. */
  role: z.string(),
  deviceType: z.string(),
  stationID: z.nullable(z.string()),
  plantName: z.string(),
  /** Of the plant. */
  ianaTimezone: z.nullable(z.string()),
  status: statusCode,
  state,
  hasPV: z.boolean(),
  hasBattery: z.boolean(),
  powerW: z.nullable(z.number()),
  socPercent: z.nullable(z.number()),
  todayWh: z.nullable(z.number()),
  /** How `todayWh` came about; `totalWh` is the device's counter as it stands. */
  todayQuality: quality,
  totalWh: z.nullable(z.number()),
  version: z.object({ master: z.string(), slave: z.string(), manager: z.string(), afci: z.string() }),
  alarm: z.nullable(activeAlarm),
  /** Time of its newest value; null where none has come. */
  updatedAtMs: z.nullable(z.int()),
  intervalS: z.int(),
});
export type DeviceRow = z.infer<typeof deviceRow>;

export const deviceFields = fieldsOf(deviceRow)({
  deviceSN: is.serial,
  state: is.state,
  deviceType: is.text,
  plantName: is.text,
  powerW: is.power,
  todayWh: { ...is.energy, quality: 'todayQuality' },
  totalWh: is.energy,
  alarm: is.own,
  version: is.own,
  moduleSN: unsorted(is.serial),
  odmSN: unsorted(is.serial),
  updatedAtMs: is.time,
});

/** Newest value of a point with its own time; `unit` as in the catalogue of points. */
export const latestValue = z.object({
  variable: z.string(),
  unit: z.string(),
  value: z.union([z.number(), z.string(), z.boolean()]),
  /** Key of the phrase that names the value, where the point is an enumeration. */
  phrase: z.optional(z.string()),
  tsMs: z.int(),
});
export type LatestValue = z.infer<typeof latestValue>;
