import * as z from 'zod/mini';
import { choice, choosing } from '../choices.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line, paragraph, plantDay } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { factoryKeepers, unitKinds } from './factory-words.ts';

/** Batches that are kept at once. */
export const MOST_BATCHES = 20_000;

const id = z.uuid();

export const batchRow = z.object({
  batchID: z.string(),
  number: z.string(),
  manufacturerID: z.string(),
  manufacturer: z.string(),
  kind: z.enum(unitKinds),
  model: z.string(),
  firmware: z.string(),
  /** Days, `YYYY-MM-DD`. */
  madeOn: z.nullable(z.string()),
  deliveredOn: z.nullable(z.string()),
  note: z.string(),
  units: z.int(),
  /** Units that were heard at least once, and those that were delivered and were not; null for who may not tell them apart. */
  seen: z.nullable(z.int()),
  neverSeen: z.nullable(z.int()),
  /** Days from delivery until half of its units had been heard; null while fewer have. */
  halfSeenDays: z.nullable(z.int()),
  /** Devices and dataloggers of it that have a fault or an alarm now. */
  troubled: z.int(),
  /** Burn-in runs that name it; it cannot be deleted before them. */
  runs: z.int(),
});
export type BatchRow = z.infer<typeof batchRow>;

export const batchFields = fieldsOf(batchRow)({
  number: is.text,
  manufacturer: is.text,
  kind: is.choice('factory.kind', unitKinds),
  model: is.text,
  firmware: unsorted(is.text),
  madeOn: is.text,
  deliveredOn: is.text,
  units: unsorted(is.count),
  seen: unsorted(is.count),
  neverSeen: unsorted(is.count),
  halfSeenDays: unsorted(is.count),
  troubled: unsorted(is.count),
  note: unsorted(is.text),
});

const day = z._default(z.nullable(plantDay()), null);
const about = {
  manufacturerID: id,
  number: line(64, 1),
  model: line(64, 1),
  firmware: z._default(line(64), ''),
  madeOn: day,
  deliveredOn: day,
  note: z._default(paragraph(1_000), ''),
};

export const batchList = endpoint({
  method: 'POST',
  path: '/c/v0/factory/batch/list',
  feature: 'factory',
  summary: 'Batches of devices with how many of their units were seen, by page, filter and order.',
  callers: factoryKeepers,
  reads: true,
  input: z.object({
    ...paging,
    condition: filteredBy({
      kind: z.optional(z.enum(unitKinds)),
      manufacturerID: z.optional(id),
      batchID: z.optional(id),
    }),
    sort: sortedBy(batchFields, 'deliveredOn', 'desc'),
  }),
  list: { rows: 'batches', key: 'batchID', fields: batchFields, texts: 'factory.batches' },
  result: z.object({ ...paged, batches: z.array(batchRow) }),
});
export const exportBatches = exportOf(batchList);

export const batchChoices = endpoint({
  method: 'POST',
  path: '/c/v0/factory/batch/choices',
  feature: 'factory',
  summary: 'Up to 20 batches to choose from, the newest first.',
  callers: factoryKeepers,
  reads: true,
  input: z.object(choosing),
  result: z.object({ choices: z.array(choice) }),
});

export const batchAdd = endpoint({
  method: 'POST',
  path: '/c/v0/factory/batch/add',
  feature: 'factory',
  summary: 'Adds a batch, into which the serial numbers of its units are imported.',
  callers: factoryKeepers,
  changes: ['factory'],
  input: z.object({ ...about, kind: z.enum(unitKinds) }),
  result: z.object({ batchID: z.string() }),
  names: { manufacturerID: 'manufacturer' },
});

export const batchEdit = endpoint({
  method: 'POST',
  path: '/c/v0/factory/batch/edit',
  feature: 'factory',
  summary:
    'Changes a batch. Units that had its model, firmware or day of delivery follow; its kind stays once it has units.',
  callers: factoryKeepers,
  changes: ['factory'],
  input: z.object({ batchID: id, ...about, kind: z.enum(unitKinds) }),
  result: z.object({}),
  names: { batchID: 'deviceBatch', manufacturerID: 'manufacturer' },
});

export const batchRemove = endpoint({
  method: 'POST',
  path: '/c/v0/factory/batch/delete',
  feature: 'factory',
  summary:
    'Deletes a batch with its delivered units; `units` is how many of them the caller was told of. Devices stay as they are; so does a batch that burn-in runs name.',
  callers: factoryKeepers,
  changes: ['factory'],
  input: z.object({ batchID: id, units: z.int().check(z.gte(0)) }),
  result: z.object({}),
  names: { batchID: 'deviceBatch' },
});
