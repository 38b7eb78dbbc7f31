import * as z from 'zod/mini';
import { deviceKind } from '../devices/device.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line } from '../fields.ts';
import { inFormat } from '../formats.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import { languages } from '../languages.ts';
import type { Level } from '../levels.ts';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES } from '../limits.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';

const readers = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const keepers = [255] as const satisfies readonly Level[];

/** Documents that are kept at once. */
export const MOST_DOCUMENTS = 5_000;
/** Models that one document can name. */
export const MOST_MODELS = 50;

export const documentTypes = [
  'userManual',
  'installation',
  'quickGuide',
  'dataSheet',
  'certificate',
  'warranty',
  'other',
] as const;
export type DocumentType = (typeof documentTypes)[number];

/** What a document is about: devices of a kind, or dataloggers. */
export const documentProducts = [...deviceKind.options, 'datalogger'] as const;
export type DocumentProduct = (typeof documentProducts)[number];

const id = z.uuid();

/** An address that is opened in a window of its own; may be empty. */
const webLink = inFormat('url', line(500).check(z.regex(/^(?:https:\/\/[^\s/]+\S*)?$/i)));

/** Of how many devices a document is found is counted up to this many. */
export const MOST_COUNTED_DEVICES = 1_000;

export const documentRow = z.object({
  documentID: z.string(),
  type: z.enum(documentTypes),
  name: z.string(),
  language: z.enum(languages),
  /** Null: of devices of all kinds. */
  product: z.nullable(z.enum(documentProducts)),
  /** Empty: of all models of that kind. */
  models: z.array(z.string()),
  videoLink: z.string(),
  bytes: z.int(),
  sentMs: z.int(),
  /** Devices and dataloggers whose document it is, counted up to `MOST_COUNTED_DEVICES`; null for who does not keep the documents. */
  devices: z.nullable(z.int()),
});
export type DocumentRow = z.infer<typeof documentRow>;

export const documentFields = fieldsOf(documentRow)({
  name: is.text,
  type: is.choice('documents.type', documentTypes),
  language: is.own,
  product: is.own,
  models: is.own,
  devices: is.own,
  bytes: is.own,
  videoLink: unsorted(is.text),
  sentMs: is.time,
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/device/document/list',
  feature: 'documents',
  summary: 'Manuals and other documents of devices.',
  callers: readers,
  reads: true,
  input: z.object({
    ...paging,
    condition: filteredBy({
      types: z.optional(z.array(z.enum(documentTypes)).check(z.maxLength(documentTypes.length))),
      languages: z.optional(z.array(z.enum(languages)).check(z.maxLength(languages.length))),
      products: z.optional(z.array(z.enum(documentProducts)).check(z.maxLength(documentProducts.length))),
    }),
    sort: sortedBy(documentFields, 'name'),
  }),
  list: { rows: 'documents', key: 'documentID', fields: documentFields },
  result: z.object({ ...paged, documents: z.array(documentRow) }),
});
export const exportList = exportOf(list);

const ofDevice = z.object({ documents: z.array(documentRow) });

export const deviceDocuments = endpoint({
  method: 'POST',
  path: '/c/v0/device/document/device',
  feature: 'documents',
  summary:
    'The documents of a device: of its model, of its kind and of all kinds, those in the caller’s language first.',
  callers: readers,
  reads: true,
  input: z.object({ deviceID: id }),
  result: ofDevice,
  names: { deviceID: 'device' },
});

export const dataloggerDocuments = endpoint({
  method: 'POST',
  path: '/c/v0/device/document/datalogger',
  feature: 'documents',
  summary: 'The documents of a datalogger, as those of a device.',
  callers: readers,
  reads: true,
  input: z.object({ moduleID: id }),
  result: ofDevice,
  names: { moduleID: 'dataloggerID' },
});

export const file = endpoint({
  method: 'POST',
  path: '/c/v0/device/document/file',
  feature: 'documents',
  summary: 'The PDF of a document, also of one that the caller has just uploaded.',
  callers: readers,
  reads: true,
  file: true,
  ready: true,
  input: z.object({ documentID: id }),
  result: z.null(),
  names: { documentID: 'document' },
});

export const upload = endpoint({
  method: 'POST',
  path: '/c/v0/device/document/upload',
  feature: 'documents',
  summary: `Takes a PDF (by its content, at most 30 MB) for a document that is added within a day; ${MAX_UPLOAD_FILES} of an account wait at most.`,
  callers: keepers,
  changes: [],
  upload: { mostBytes: MAX_UPLOAD_BYTES, tooLarge: 'fileTooLarge', isPatient: true },
  input: z.object({}),
  result: z.object({ documentID: z.string(), bytes: z.int() }),
});

export const takeBack = endpoint({
  method: 'POST',
  path: '/c/v0/device/document/upload/remove',
  feature: 'documents',
  summary: 'Takes back a file that the caller has uploaded and that is no document yet.',
  callers: keepers,
  changes: ['documents'],
  input: z.object({ documentID: id }),
  result: z.object({}),
  names: { documentID: 'uploadedDocument' },
});

const about = {
  name: line(120, 1),
  type: z.enum(documentTypes),
  language: z.enum(languages),
  product: z.optional(z.nullable(z.enum(documentProducts))),
  models: z._default(z.array(line(64, 1)).check(z.maxLength(MOST_MODELS)), []),
  videoLink: z._default(webLink, ''),
};

export const add = endpoint({
  method: 'POST',
  path: '/c/v0/device/document/add',
  feature: 'documents',
  summary: 'Makes documents of uploaded files, all or none.',
  callers: keepers,
  changes: ['documents'],
  input: z.object({
    documents: z.array(z.object({ documentID: id, ...about })).check(z.minLength(1), z.maxLength(MAX_UPLOAD_FILES)),
  }),
  result: z.object({}),
});

export const edit = endpoint({
  method: 'POST',
  path: '/c/v0/device/document/edit',
  feature: 'documents',
  summary: 'Changes what a document is called and what it is about; its file stays.',
  callers: keepers,
  changes: ['documents'],
  input: z.object({ documentID: id, ...about }),
  result: z.object({}),
  names: { documentID: 'document' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/device/document/delete',
  feature: 'documents',
  summary: 'Deletes a document with its file.',
  callers: keepers,
  changes: ['documents'],
  input: z.object({ documentID: id }),
  result: z.object({}),
  names: { documentID: 'document' },
});

export const documentEndpoints = {
  list,
  exportList,
  deviceDocuments,
  dataloggerDocuments,
  file,
  upload,
  takeBack,
  add,
  edit,
  remove,
} as const;
