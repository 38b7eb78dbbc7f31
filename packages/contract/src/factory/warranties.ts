import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line, paragraph } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { factoryKeepers, unitKinds } from './factory-words.ts';
import { MOST_LATEST_MONTHS, MOST_WARRANTY_MONTHS, warrantyBegins } from './warranty.ts';

/** Warranty terms that are kept at once. */
export const MOST_WARRANTIES = 2_000;

const id = z.uuid();

export const warrantyRow = z.object({
  warrantyID: z.string(),
  model: z.string(),
  /** Null: of all kinds. */
  kind: z.nullable(z.enum(unitKinds)),
  /** Null: of all manufacturers. */
  manufacturerID: z.nullable(z.string()),
  manufacturer: z.string(),
  months: z.int(),
  begins: z.enum(warrantyBegins),
  latestMonths: z.nullable(z.int()),
  note: z.string(),
  changedMs: z.int(),
});
export type WarrantyRow = z.infer<typeof warrantyRow>;

export const warrantyFields = fieldsOf(warrantyRow)({
  model: is.text,
  kind: unsorted(is.choice('factory.kind', unitKinds)),
  manufacturer: is.text,
  months: is.count,
  begins: is.choice('factory.begins', warrantyBegins),
  latestMonths: unsorted(is.count),
  note: unsorted(is.text),
  changedMs: is.time,
});

const about = {
  model: line(64, 1),
  kind: z._default(z.nullable(z.enum(unitKinds)), null),
  manufacturerID: z._default(z.nullable(id), null),
  months: z.int().check(z.gte(1), z.lte(MOST_WARRANTY_MONTHS)),
  begins: z.enum(warrantyBegins),
  latestMonths: z._default(z.nullable(z.int().check(z.gte(0), z.lte(MOST_LATEST_MONTHS))), null),
  note: z._default(paragraph(1_000), ''),
};

export const warrantyList = endpoint({
  method: 'POST',
  path: '/c/v0/factory/warranty/list',
  feature: 'factory',
  summary: 'For how long models are warranted and with what that begins, by page, filter and order.',
  callers: factoryKeepers,
  reads: true,
  input: z.object({ ...paging, condition: filteredBy({}), sort: sortedBy(warrantyFields, 'model') }),
  list: { rows: 'warranties', key: 'warrantyID', fields: warrantyFields, texts: 'factory.warranties' },
  result: z.object({ ...paged, warranties: z.array(warrantyRow) }),
});
export const exportWarranties = exportOf(warrantyList);

export const warrantyAdd = endpoint({
  method: 'POST',
  path: '/c/v0/factory/warranty/add',
  feature: 'factory',
  summary: 'Sets the warranty of a model. What names a manufacturer or a kind goes before what is for all.',
  callers: factoryKeepers,
  changes: ['factory'],
  input: z.object(about),
  result: z.object({ warrantyID: z.string() }),
});

export const warrantyEdit = endpoint({
  method: 'POST',
  path: '/c/v0/factory/warranty/edit',
  feature: 'factory',
  summary: 'Changes the warranty of a model; all its units are reckoned anew.',
  callers: factoryKeepers,
  changes: ['factory'],
  input: z.object({ warrantyID: id, ...about }),
  result: z.object({}),
  names: { warrantyID: 'modelWarranty' },
});

export const warrantyRemove = endpoint({
  method: 'POST',
  path: '/c/v0/factory/warranty/delete',
  feature: 'factory',
  summary: 'Deletes the warranty of a model.',
  callers: factoryKeepers,
  changes: ['factory'],
  input: z.object({ warrantyID: id }),
  result: z.object({}),
  names: { warrantyID: 'modelWarranty' },
});
