import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line, plantDay } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { factoryKeepers, unitKinds } from './factory-words.ts';
import { warrantyStates } from './warranty.ts';

const id = z.uuid();
/** Owners of a plant too, of their own devices. */
const warranted = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const operators = [2, 3, 4, 255] as const satisfies readonly Level[];

/** Whether a unit was heard; what is delivered later cannot be yet. */
export const sights = ['never', 'seen', 'undelivered'] as const;
export type Sight = (typeof sights)[number];

/** Days since delivery of which a filter asks: what is younger may still be on its way. */
export const deliveredDays = [30, 60, 90, 180, 365] as const;

export const unitRow = z.object({
  sn: z.string(),
  odmSN: z.string(),
  kind: z.enum(unitKinds),
  model: z.string(),
  /** At delivery. */
  firmware: z.string(),
  batchID: z.string(),
  batch: z.string(),
  manufacturer: z.string(),
  /** Day, `YYYY-MM-DD`. */
  deliveredOn: z.nullable(z.string()),
  /** Whether it was ever heard; null, with what follows from it, for who may not tell. */
  seen: z.nullable(z.enum(sights)),
  seenMs: z.nullable(z.int()),
  /** The device or datalogger that it is, while there is one in a plant or beside them. */
  deviceID: z.nullable(z.string()),
  stationID: z.nullable(z.string()),
  plantName: z.string(),
  firmwareNow: z.string(),
  /** Null where either is not known. */
  firmwareDiffers: z.nullable(z.boolean()),
  warrantyFrom: z.nullable(z.string()),
  warrantyUntil: z.nullable(z.string()),
  /** Null, with both days, for who may not tell what was never seen and could by them. */
  warranty: z.nullable(z.enum(warrantyStates)),
  /** Its first day was set by an administrator. */
  warrantySet: z.boolean(),
});
export type UnitRow = z.infer<typeof unitRow>;

export const unitFields = fieldsOf(unitRow)({
  sn: is.serial,
  odmSN: unsorted(is.serial),
  kind: unsorted(is.choice('factory.kind', unitKinds)),
  model: unsorted(is.text),
  seen: unsorted(is.choice('factory.seen', sights)),
  seenMs: is.time,
  plantName: unsorted(is.text),
  deliveredOn: is.text,
  firmware: unsorted(is.text),
  firmwareNow: unsorted(is.text),
  batch: unsorted(is.text),
  manufacturer: unsorted(is.text),
  warrantyFrom: unsorted(is.text),
  warrantyUntil: is.text,
  warranty: unsorted(is.choice('factory.warranty', warrantyStates)),
});

export const unitList = endpoint({
  method: 'POST',
  path: '/c/v0/factory/unit/list',
  feature: 'factory',
  summary:
    'Units as they left the factory, with whether they were ever seen (`device:viewUncreated`), by page, filter and order.',
  callers: factoryKeepers,
  reads: true,
  input: z.object({
    ...paging,
    condition: filteredBy({
      kind: z.optional(z.enum(unitKinds)),
      manufacturerID: z.optional(id),
      batchID: z.optional(id),
      seen: z.optional(z.enum(sights)),
      /** Delivered more than so many days ago. */
      deliveredDays: z.optional(z.coerce.number().check(z.refine((days) => deliveredDays.some((one) => one === days)))),
      warranty: z.optional(z.enum(warrantyStates)),
    }),
    sort: sortedBy(unitFields, 'sn'),
  }),
  list: { rows: 'units', key: 'sn', fields: unitFields, texts: 'factory.units' },
  result: z.object({
    ...paged,
    units: z.array(unitRow),
    /** There are more than `total`. */
    isMore: z.boolean(),
  }),
});
export const exportUnits = exportOf(unitList);

export const unitRemove = endpoint({
  method: 'POST',
  path: '/c/v0/factory/unit/delete',
  feature: 'factory',
  summary: 'Deletes a delivered unit, such as one that was imported by mistake. A device of this number stays.',
  callers: factoryKeepers,
  changes: ['factory'],
  input: z.object({ sn: line(64, 1) }),
  result: z.object({}),
  names: { sn: 'deliveredUnit' },
});

export const unitWarranty = endpoint({
  method: 'POST',
  path: '/c/v0/factory/unit/warranty',
  feature: 'factory',
  summary:
    'Sets on which day the warranty of a unit begins, not before its delivery; null leaves that to the term of its model again.',
  callers: factoryKeepers,
  changes: ['factory'],
  input: z.object({ sn: line(64, 1), beginsOn: z.nullable(plantDay()) }),
  result: z.object({}),
  names: { sn: 'deliveredUnit' },
});

/** Where a device comes from. */
const origin = z.object({
  /** Null where it was not delivered by a batch, or the caller may not know. */
  warranty: z.nullable(z.object({ from: z.string(), until: z.string(), state: z.enum(warrantyStates) })),
  /** Of administrators only. */
  unit: z.nullable(
    z.object({
      batchID: z.string(),
      batch: z.string(),
      manufacturer: z.string(),
      deliveredOn: z.nullable(z.string()),
      firmware: z.string(),
    }),
  ),
});
export type UnitOrigin = z.infer<typeof origin>;

export const originOfDevice = endpoint({
  method: 'POST',
  path: '/c/v0/factory/unit/device',
  feature: 'factory',
  summary: 'Until when a device is warranted, for who looks after its plant or owns it; its batch for administrators.',
  callers: warranted,
  reads: true,
  input: z.object({ deviceID: id }),
  result: origin,
  names: { deviceID: 'device' },
});

export const originOfDatalogger = endpoint({
  method: 'POST',
  path: '/c/v0/factory/unit/datalogger',
  feature: 'factory',
  summary: 'Until when a datalogger is warranted; its batch for administrators.',
  callers: operators,
  reads: true,
  input: z.object({ moduleID: id }),
  result: origin,
  names: { moduleID: 'dataloggerID' },
});
