import * as z from 'zod/mini';
import { deviceKind } from '../devices/device.ts';
import { endpoint } from '../endpoint.ts';
import { unitKinds } from '../factory/factory-words.ts';
import { sights } from '../factory/units.ts';
import { level, line } from '../fields.ts';
import { levels } from '../levels.ts';
import { enabledState } from '../organisations/organisations.ts';
import { state } from '../status.ts';

export const searchedKinds = ['plants', 'devices', 'orders', 'people'] as const;
export type SearchedKind = (typeof searchedKinds)[number];

const worstAlarm = z.nullable(z.object({ code: z.int(), sinceMs: z.int() }));

export const foundPlant = z.object({
  stationID: z.string(),
  name: z.string(),
  city: z.string(),
  country: z.string(),
  /** kWp. */
  systemCapacity: z.number(),
  state,
  pvPowerW: z.nullable(z.number()),
  /** The worst of its devices. */
  alarm: worstAlarm,
});
export type FoundPlant = z.infer<typeof foundPlant>;

export const foundDevice = z.object({
  /** `null` for a datalogger. */
  deviceID: z.nullable(z.string()),
  sn: z.string(),
  kind: z.enum([...deviceKind.options, 'datalogger']),
  model: z.string(),
  stationID: z.nullable(z.string()),
  plantName: z.string(),
  state,
  powerW: z.nullable(z.number()),
  /** Time of its newest value; of a datalogger, when it was last heard. */
  updatedAtMs: z.nullable(z.int()),
  alarm: worstAlarm,
});
export type FoundDevice = z.infer<typeof foundDevice>;

export const foundOrder = z.object({
  orderID: z.string(),
  number: z.string(),
  title: z.string(),
  plantName: z.string(),
});
export type FoundOrder = z.infer<typeof foundOrder>;

export const foundPerson = z.object({
  id: z.string(),
  user: z.string(),
  name: z.string(),
  level,
  organisation: z.string(),
  state: enabledState,
});
export type FoundPerson = z.infer<typeof foundPerson>;

/** A unit that has left the factory, or will, and was never heard of. */
export const foundUnit = z.object({
  sn: z.string(),
  kind: z.enum(unitKinds),
  model: z.string(),
  batch: z.string(),
  seen: z.enum(sights),
});
export type FoundUnit = z.infer<typeof foundUnit>;

/** The best matches of a kind; `more` where there are others. */
const found = <Row extends z.ZodMiniType>(row: Row) => z.object({ rows: z.array(row), more: z.boolean() });

export const find = endpoint({
  method: 'GET',
  path: '/c/v0/search/find',
  feature: 'search',
  summary:
    'The best matches for a text among plants by name, devices and dataloggers by serial number, delivered units that were never heard of, work orders by number or title, and people, as far as the caller sees them. Where no serial number matches, the devices of the first plant.',
  callers: levels,
  input: z.object({
    content: line(64, 1),
    /** Only this kind, and more of it. */
    kind: z.optional(z.enum(searchedKinds)),
  }),
  result: z.object({
    plants: found(foundPlant),
    devices: z.extend(found(foundDevice), {
      /** Name of the plant whose devices these are, where they were not found by their own number. */
      ofPlant: z.nullable(z.string()),
    }),
    /** Among the devices; empty for callers who may not tell what was never heard of. */
    units: found(foundUnit),
    /** By number or title. */
    orders: found(foundOrder),
    /** Empty for callers without user management. */
    people: found(foundPerson),
  }),
});

export const searchEndpoints = { find };
