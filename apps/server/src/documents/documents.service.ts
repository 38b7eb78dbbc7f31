import { Readable } from 'node:stream';
import { type DocumentRow, type documentEndpoints, MOST_DOCUMENTS } from '@sonnenwarte/contract/documents/documents';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { MAX_UPLOAD_FILES } from '@sonnenwarte/contract/limits';
import { type AuditEntry, recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, FileAnswer } from '../http/serve.ts';
import type { ReceivedFile } from '../http/serve-upload.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import {
  countListed,
  countsOfDevices,
  countUnlisted,
  type DocumentFacts,
  deleteDocument,
  documentById,
  documentsFound,
  documentsOfDatalogger,
  documentsOfDevice,
  dropUnlisted,
  holdUploadsOf,
  keepFile,
  listDocument,
  partsOf,
  readableDocument,
  type StoredDocument,
  updateDocument,
} from './documents.store.ts';
import { isPdf } from './pdf.ts';

type Calls = typeof documentEndpoints;
type Used = Uses<'db' | 'nowMs'>;
type Counts = Awaited<ReturnType<typeof countsOfDevices>>;

const KEEPER = 255;

const toRow = (row: StoredDocument, counts: Counts | undefined): DocumentRow => ({
  documentID: row.id,
  type: row.type,
  name: row.name,
  language: row.language,
  product: row.product,
  models: row.models,
  videoLink: row.video_link,
  bytes: row.bytes,
  sentMs: row.sent_at.getTime(),
  devices: counts?.get(row.id) ?? null,
});

/** Documents, for a page as for a file; whoever keeps them is told how many devices each is found from. */
export async function documentList({ db }: Uses<'db'>, input: Asked<Calls['list']>, { actor }: CallContext) {
  const listed = await documentsFound(db, input);
  const counts = actor.level === KEEPER ? await countsOfDevices(db, listed.rows) : undefined;
  return toRows(listed, (row) => toRow(row, counts));
}

const rowsOf = (rows: readonly StoredDocument[]) => ({ documents: rows.map((row) => toRow(row, undefined)) });

export async function deviceDocuments(
  { db }: Uses<'db'>,
  { deviceID }: Parsed<Calls['deviceDocuments']>,
  { scope, language }: CallContext,
): Promise<Result<Calls['deviceDocuments']>> {
  return rowsOf(found(await documentsOfDevice(db, scope, deviceID, language), 'deviceNotFound'));
}

export async function dataloggerDocuments(
  { db }: Uses<'db'>,
  { moduleID }: Parsed<Calls['dataloggerDocuments']>,
  { scope, language }: CallContext,
): Promise<Result<Calls['dataloggerDocuments']>> {
  return rowsOf(found(await documentsOfDatalogger(db, scope, moduleID, language), 'dataloggerNotFound'));
}

export async function documentFile(
  { db }: Uses<'db'>,
  { documentID }: Parsed<Calls['file']>,
  { actor }: CallContext,
): Promise<FileAnswer> {
  const { id, name } = found(await readableDocument(db, actor.accountId, documentID), 'documentNotFound');
  return {
    name: `${name === '' ? id : name}.pdf`,
    contentType: 'application/pdf',
    body: Readable.from(partsOf(db, id)),
  };
}

/** Keeps a file until it is made a document. */
export async function takeDocument(
  { db, nowMs }: Used,
  _: Parsed<Calls['upload']>,
  { actor }: CallContext,
  { bytes }: ReceivedFile,
): Promise<Result<Calls['upload']>> {
  if (!isPdf(bytes)) throw new CallError('documentUnreadable');
  return inTransaction(db, async (tx) => {
    await holdUploadsOf(tx, actor.accountId);
    if ((await countUnlisted(tx, actor.accountId)) >= MAX_UPLOAD_FILES) throw new CallError('tooManyUploads');
    return { documentID: await keepFile(tx, actor.accountId, bytes, new Date(nowMs())), bytes: bytes.length };
  });
}

export async function takeBackDocument(
  { db }: Uses<'db'>,
  { documentID }: Parsed<Calls['takeBack']>,
  { actor }: CallContext,
): Promise<void> {
  if (!(await dropUnlisted(db, actor.accountId, documentID))) throw new CallError('documentNotFound');
}

const factsOf = ({
  name,
  type,
  language,
  product = null,
  models,
  videoLink,
}: Omit<Parsed<Calls['edit']>, 'documentID'>): DocumentFacts => ({
  name,
  type,
  language,
  product,
  models: [...new Map(models.map((model) => [model.toLowerCase(), model])).values()],
  video_link: videoLink,
});

const told = ({ name, type, language, product, models, video_link }: DocumentFacts): Record<string, unknown> => ({
  name,
  type,
  language,
  product,
  models: models.join(', '),
  videoLink: video_link,
});

const record = (
  tx: Parameters<typeof recordAudit>[0],
  context: CallContext,
  action: 'documents.add' | 'documents.edit' | 'documents.delete',
  [id, name]: readonly [string, string],
  change: Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> =>
  recordAudit(tx, context, {
    log: 'operation',
    action,
    recordKind: 'document',
    recordId: id,
    recordName: name,
    organisationPath: context.actor.organisationPath,
    ...change,
  });

export const addDocuments = (
  { db, nowMs }: Used,
  { documents }: Parsed<Calls['add']>,
  context: CallContext,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { accountId } = context.actor;
    await holdUploadsOf(tx, accountId);
    if ((await countListed(tx)) + documents.length > MOST_DOCUMENTS) throw new CallError('tooManyDocuments');
    for (const { documentID, ...about } of documents) {
      const facts = factsOf(about);
      if (!(await listDocument(tx, accountId, documentID, facts, new Date(nowMs()))))
        throw new CallError('documentNotFound');
      await record(tx, context, 'documents.add', [documentID, facts.name], { after: told(facts) });
    }
  });

export const editDocument = (
  { db }: Used,
  { documentID, ...about }: Parsed<Calls['edit']>,
  context: CallContext,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const before = found(await documentById(tx, documentID), 'documentNotFound');
    const facts = factsOf(about);
    await updateDocument(tx, documentID, facts);
    await record(tx, context, 'documents.edit', [documentID, facts.name], {
      before: told(before),
      after: told(facts),
    });
  });

export const removeDocument = (
  { db }: Used,
  { documentID }: Parsed<Calls['remove']>,
  context: CallContext,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const before = found(await documentById(tx, documentID), 'documentNotFound');
    await deleteDocument(tx, documentID);
    await record(tx, context, 'documents.delete', [documentID, before.name], { before: told(before) });
  });
