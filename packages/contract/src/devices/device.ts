import * as z from 'zod/mini';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import { searchText } from '../lists.ts';
import { quality, state, states, statusCode } from '../status.ts';

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

/** Devices that a list lets be chosen one by one. */
export const MOST_CHOSEN_DEVICES = 2_000;

export const deviceCondition = z.object({
  state: z.optional(state),
  states: z.optional(states),
  content: z._default(searchText, ''),
  kind: z.optional(deviceKind),
  stationID: z.optional(z.uuid()),
  /** Only those of which settings have drifted: the device says of them something else than is meant. */
  deviates: z.optional(z.literal(true)),
  /** Only these, as they were chosen one by one. */
  deviceIDs: z.optional(z.array(z.uuid()).check(z.minLength(1), z.maxLength(MOST_CHOSEN_DEVICES))),
  /** Accepted from clients of this API family and not used: `begin` and `end` 0. */
  queryDate: z.optional(z.object({ begin: z.number(), end: z.number() })),
});

/** A device in the list of its kind. */
export const listedDeviceRow = z.extend(deviceRow, {
  /** Settings that it has changed by itself; `null` where it has none, or who asks may not read them. */
  drifts: z.nullable(z.int()),
});
export type ListedDeviceRow = z.infer<typeof listedDeviceRow>;

/** An inverter. Energies as they are accounted, in Wh, by the days of its plant. */
export const inverterRow = z.extend(listedDeviceRow, {
  /** Power now against what it is built for; `null` where either is not known. */
  loadPercent: z.nullable(z.number()),
  yesterdayWh: z.nullable(z.number()),
  yesterdayQuality: quality,
  /** Of the running month and year, today included. */
  monthWh: z.nullable(z.number()),
  monthQuality: quality,
  yearWh: z.nullable(z.number()),
  yearQuality: quality,
});
export type InverterRow = z.infer<typeof inverterRow>;

export const deviceFields = fieldsOf(inverterRow)({
  deviceSN: is.serial,
  state: is.state,
  deviceType: is.text,
  plantName: is.text,
  powerW: is.power,
  loadPercent: is.percent,
  todayWh: { ...is.energy, quality: 'todayQuality' },
  yesterdayWh: { ...is.energy, quality: 'yesterdayQuality' },
  monthWh: { ...is.energy, quality: 'monthQuality' },
  yearWh: { ...is.energy, quality: 'yearQuality' },
  totalWh: is.energy,
  drifts: is.count,
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

const strategyPhrases: Readonly<Record<string, string>> = {
  'self-use': 'points.modeSelfUse',
  'feed-in-priority': 'points.modeFeedInPriority',
  backup: 'points.modeBackup',
  'battery-support': 'points.modeBatterySupport',
  'peak-shaving': 'points.modePeakShaving',
};

/** Key of the phrase for a strategy that an EMS unit calls as one of the work modes; any other stays as the unit has it. */
export const strategyPhrase = (told: string): string | undefined =>
  strategyPhrases[
    told
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_]+/g, '-')
  ];
