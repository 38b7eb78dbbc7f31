import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import { type Level, levels } from '../levels.ts';
import { paged, paging, searchText, sortedBy } from '../lists.ts';
import { auditActionNames } from './actions.ts';

const auditors = [4, 255] as const satisfies readonly Level[];
const administrators = [255] as const satisfies readonly Level[];

/** account: sign-ins, passwords, sessions, keys. operation: changes of records. platform: what the server itself does. */
export const auditLog = z.enum(['account', 'operation', 'platform']);
export type AuditLog = z.infer<typeof auditLog>;

/** What an entry can be about. */
export const auditRecordKinds = [
  'account',
  'organisation',
  'department',
  'permissionGroup',
  'member',
  'session',
  'apiKey',
  'channel',
  'deletion',
  'migration',
  'site',
  'device',
  'datalogger',
  'preset',
  'group',
  'announcement',
  'alarmRule',
  'workOrder',
  'answerTemplate',
  'document',
  'brand',
  'manufacturer',
  'deviceBatch',
  'deliveredUnit',
  'modelWarranty',
  'burnInPlan',
  'burnInRun',
  'platform',
] as const;
export type AuditRecordKind = (typeof auditRecordKinds)[number];

const level = z.literal([...levels]);
const timeMs = z.int().check(z.gte(0), z.lte(8.64e15));

/** An entry as lists show it. */
export const auditRow = z.object({
  id: z.int(),
  atMs: z.int(),
  log: auditLog,
  action: z.string(),
  /** User name at that time, or the name that was given where nobody signed in; empty for the server itself. */
  actor: z.string(),
  actorLevel: z.nullable(z.int()),
  recordKind: z.string(),
  recordID: z.string(),
  recordName: z.string(),
  address: z.string(),
  userAgent: z.string(),
  /** Browser and system of the user agent; empty where it does not say. */
  device: z.string(),
  requestID: z.string(),
});
export type AuditRow = z.infer<typeof auditRow>;

const values = z.nullable(z.record(z.string(), z.unknown()));

/** An entry with the changed fields before and after, and its place in the chain. */
export const auditEntry = z.extend(auditRow, {
  before: values,
  after: values,
  /** Hex. */
  hash: z.string(),
  previousHash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** Of an entry; `before` and `after` are in files only. */
export const auditFields = fieldsOf(auditEntry)({
  action: is.own,
  atMs: is.time,
  actor: unsorted(is.text),
  actorLevel: is.own,
  recordKind: is.own,
  recordName: unsorted(is.text),
  recordID: unsorted(is.text),
  before: is.own,
  after: is.own,
  address: unsorted(is.text),
  userAgent: unsorted(is.text),
  requestID: unsorted(is.text),
});
const listing = { rows: 'entries', key: 'id', fields: auditFields } as const;

export const auditContentType = is.choice('audit.contentType', [1, 2, 3, 4]);

/** `contentType` 1 who, 2 record by name or whole id, 3 address or whole request id, 4 what changed, 0 any of 1 to 3; `to` is exclusive. */
export const auditCondition = z.object({
  contentType: z._default(z.int().check(z.gte(0), z.lte(4)), 0),
  content: z._default(searchText, ''),
  action: z.optional(z.enum(auditActionNames)),
  recordKind: z.optional(z.enum(auditRecordKinds)),
  level: z.optional(level),
  address: z.optional(line(45)),
  fromMs: z.optional(timeMs),
  toMs: z.optional(timeMs),
});

const logInput = z.object({
  ...paging,
  condition: z._default(auditCondition, { contentType: 0, content: '' }),
  sort: sortedBy(auditFields, 'atMs', 'desc'),
});
const logPage = z.object({ ...paged, entries: z.array(auditRow) });

export const accountLog = endpoint({
  method: 'POST',
  path: '/c/v0/log/account/list',
  feature: 'audit',
  summary: 'Sign-ins, passwords, sessions and keys; of a distributor: in its own tree; by page, filter and order.',
  callers: auditors,
  code: 'log:view',
  reads: true,
  list: listing,
  input: logInput,
  result: logPage,
});

export const operationLog = endpoint({
  method: 'POST',
  path: '/c/v0/log/operation/list',
  feature: 'audit',
  summary: 'Changes of records; of a distributor: in its own tree; by page, filter and order.',
  callers: auditors,
  code: 'log:view',
  reads: true,
  list: listing,
  input: logInput,
  result: logPage,
});

export const platformLog = endpoint({
  method: 'POST',
  path: '/c/v0/log/platform/list',
  feature: 'audit',
  summary: 'What the server itself did, by page, filter and order.',
  callers: administrators,
  code: 'log:view',
  reads: true,
  list: listing,
  input: logInput,
  result: logPage,
});

export const exportAccountLog = exportOf(accountLog);
export const exportOperationLog = exportOf(operationLog);
export const exportPlatformLog = exportOf(platformLog);

export const detail = endpoint({
  method: 'GET',
  path: '/c/v0/log/detail',
  feature: 'audit',
  summary: 'One entry of a log with what was before and after.',
  callers: auditors,
  code: 'log:view',
  input: z.object({ id: z.coerce.number().check(z.int(), z.gte(1)) }),
  result: auditEntry,
});

export const auditEndpoints = {
  accountLog,
  operationLog,
  platformLog,
  exportAccountLog,
  exportOperationLog,
  exportPlatformLog,
  detail,
};
