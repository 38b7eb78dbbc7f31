import * as z from 'zod/mini';
import { choice, choosing } from '../choices.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line, optionalCountry, paragraph } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { factoryKeepers } from './factory-words.ts';

/** Manufacturers that are kept at once. */
export const MOST_MANUFACTURERS = 1_000;

const id = z.uuid();

export const manufacturerRow = z.object({
  manufacturerID: z.string(),
  name: z.string(),
  country: z.string(),
  contact: z.string(),
  note: z.string(),
  batches: z.int(),
  can: z.object({ edit: z.boolean(), delete: z.boolean() }),
});
export type ManufacturerRow = z.infer<typeof manufacturerRow>;

export const manufacturerFields = fieldsOf(manufacturerRow)({
  name: is.text,
  country: is.country,
  contact: unsorted(is.text),
  batches: is.count,
  note: unsorted(is.text),
});

const about = {
  name: line(120, 1),
  country: z._default(optionalCountry, ''),
  contact: z._default(line(200), ''),
  note: z._default(paragraph(1_000), ''),
};

export const manufacturerList = endpoint({
  method: 'POST',
  path: '/c/v0/factory/manufacturer/list',
  feature: 'factory',
  summary: 'Who makes devices, by page, filter and order.',
  callers: factoryKeepers,
  reads: true,
  input: z.object({ ...paging, condition: filteredBy({}), sort: sortedBy(manufacturerFields, 'name') }),
  list: { rows: 'manufacturers', key: 'manufacturerID', fields: manufacturerFields, texts: 'factory.manufacturers' },
  result: z.object({ ...paged, manufacturers: z.array(manufacturerRow) }),
});
export const exportManufacturers = exportOf(manufacturerList);

export const manufacturerChoices = endpoint({
  method: 'POST',
  path: '/c/v0/factory/manufacturer/choices',
  feature: 'factory',
  summary: 'Up to 20 manufacturers to choose from.',
  callers: factoryKeepers,
  reads: true,
  input: z.object(choosing),
  result: z.object({ choices: z.array(choice) }),
});

export const manufacturerAdd = endpoint({
  method: 'POST',
  path: '/c/v0/factory/manufacturer/add',
  feature: 'factory',
  summary: 'Adds a manufacturer.',
  callers: factoryKeepers,
  changes: ['factory'],
  input: z.object(about),
  result: z.object({ manufacturerID: z.string() }),
});

export const manufacturerEdit = endpoint({
  method: 'POST',
  path: '/c/v0/factory/manufacturer/edit',
  feature: 'factory',
  summary: 'Changes what is known of a manufacturer.',
  callers: factoryKeepers,
  changes: ['factory'],
  input: z.object({ manufacturerID: id, ...about }),
  result: z.object({}),
  names: { manufacturerID: 'manufacturer' },
});

export const manufacturerRemove = endpoint({
  method: 'POST',
  path: '/c/v0/factory/manufacturer/delete',
  feature: 'factory',
  summary: 'Deletes a manufacturer that has no batch, with the warranty terms that are for it alone.',
  callers: factoryKeepers,
  changes: ['factory'],
  input: z.object({ manufacturerID: id }),
  result: z.object({}),
  names: { manufacturerID: 'manufacturer' },
});
