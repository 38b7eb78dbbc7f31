import {
  type DocumentProduct,
  type documentFields,
  type list,
  MOST_COUNTED_DEVICES,
} from '@sonnenwarte/contract/documents/documents';
import type { Language } from '@sonnenwarte/contract/languages';
import { type Expression, type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { dataloggerIsVisible, deviceIsVisible, type Scope } from '../access/scope.ts';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/** Documents are the same for all who may read any. */
const documents = (db: Db) => db.selectFrom('documents').selectAll().where('listed_at', 'is not', null);

export type StoredDocument = Awaited<ReturnType<ReturnType<typeof documents>['execute']>>[number];

const sortKeys = {
  name: sql`lower(documents.name)`,
  type: sql`documents.type`,
  sentMs: sql`documents.sent_at`,
} satisfies SortKeys<typeof documentFields>;

export function documentsFound(db: Db, { condition, sort, ...span }: Asked<typeof list>) {
  const { content, types = [], languages = [], products = [] } = condition;
  const query = documents(db)
    .$if(content !== '', (some) =>
      some.where(
        sql<SqlBool>`(documents.name ilike ${containing(content)} or array_to_string(documents.models, chr(10)) ilike ${containing(content)})`,
      ),
    )
    .$if(types.length > 0, (some) => some.where('type', 'in', types))
    .$if(languages.length > 0, (some) => some.where('language', 'in', languages))
    // What is about all kinds is about these too.
    .$if(products.length > 0, (some) =>
      some.where((eb) => eb.or([eb('product', 'in', products), eb('product', 'is', null)])),
    );
  const ordering = { key: sortKeys[sort.field], apart: [sql`documents.id`], order: sort.order, isKnown: true };
  return pageOf(query, ordering, span as Asked<typeof list>);
}

/** From how many devices and dataloggers each document is found, by its id; counting ends at `MOST_COUNTED_DEVICES`. */
export async function countsOfDevices(db: Db, documents: readonly StoredDocument[]): Promise<Map<string, number>> {
  const asked = JSON.stringify(
    documents.map(({ id, product, models }) => ({ id, product, models: models.map((model) => model.toLowerCase()) })),
  );
  const { rows } = await sql<{ id: string; count: number }>`
    select asked.id, (
      select count(*)::int from (
        (select from devices where asked.product is distinct from 'datalogger' and devices.deleted_at is null
          and (asked.product is null or devices.kind = asked.product)
          and (asked.models = '{}' or lower(devices.model) = any(asked.models)) limit ${MOST_COUNTED_DEVICES})
        union all
        (select from loggers where (asked.product is null or asked.product = 'datalogger')
          and (asked.models = '{}' or lower(loggers.model) = any(asked.models)) limit ${MOST_COUNTED_DEVICES})
        limit ${MOST_COUNTED_DEVICES}
      ) as found
    ) as count
    from json_to_recordset(${asked}::json) as asked (id uuid, product text, models text[])`.execute(db);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Of a thing that is there: its own documents before those of its kind, the language of the caller before English before all others. */
function documentsAbout(
  db: Db,
  { product, model }: { readonly product: DocumentProduct; readonly model: string },
  language: Language,
): Promise<StoredDocument[]> {
  const isNamed = sql<SqlBool>`exists (select from unnest(documents.models) as named where lower(named) = lower(${model}))`;
  return documents(db)
    .where((eb) => eb.or([eb('product', 'is', null), eb('product', '=', product)]))
    .where((eb) => eb.or([sql<SqlBool>`documents.models = '{}'`, isNamed]))
    .orderBy(sql`documents.models = '{}'`)
    .orderBy(sql`documents.product is null`)
    .orderBy(sql`case documents.language when ${language} then 0 when 'en' then 1 else 2 end`)
    .orderBy(sql`lower(documents.name)`)
    .orderBy('id')
    .execute();
}

/** Undefined where the scope has no such device. */
export async function documentsOfDevice(db: Db, scope: Scope, id: string, language: Language) {
  const device = await db
    .selectFrom('devices')
    .select(['kind as product', 'model'])
    .where('devices.id', '=', id)
    .where('devices.deleted_at', 'is', null)
    .where(deviceIsVisible(scope))
    .executeTakeFirst();
  return device && documentsAbout(db, device, language);
}

/** Undefined where the scope has no such datalogger. */
export async function documentsOfDatalogger(db: Db, scope: Scope, id: string, language: Language) {
  const datalogger = await db
    .selectFrom('loggers')
    .select('model')
    .where('loggers.id', '=', id)
    .where(dataloggerIsVisible(scope))
    .executeTakeFirst();
  return datalogger && documentsAbout(db, { product: 'datalogger', ...datalogger }, language);
}

const count = sql<number>`count(*)::int`.as('count');

/** Nobody of the account uploads or adds anything until the end of the transaction. */
export const holdUploadsOf = (tx: Tx, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`documents ${accountId}`}, 0))`.execute(tx);

const unlisted = (accountId: string): Expression<SqlBool> =>
  sql<SqlBool>`documents.listed_at is null and documents.account_id = ${accountId}`;

export const countUnlisted = async (tx: Tx, accountId: string): Promise<number> =>
  (await tx.selectFrom('documents').select(count).where(unlisted(accountId)).executeTakeFirstOrThrow()).count;

export const countListed = async (tx: Tx): Promise<number> =>
  (await tx.selectFrom('documents').select(count).where('listed_at', 'is not', null).executeTakeFirstOrThrow()).count;

const PART_BYTES = 1024 * 1024;

export async function keepFile(tx: Tx, accountId: string, bytes: Buffer, at: Date): Promise<string> {
  const { id } = await tx
    .insertInto('documents')
    .values({ account_id: accountId, sent_at: at, listed_at: null, bytes: bytes.length, product: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let place = 0; place * PART_BYTES < bytes.length; place += 1) {
    const content = bytes.subarray(place * PART_BYTES, (place + 1) * PART_BYTES);
    await tx.insertInto('document_parts').values({ document_id: id, place, content }).execute();
  }
  return id;
}

/** A document, or a file that the account has uploaded itself. */
export const readableDocument = (db: Db, accountId: string, id: string) =>
  db
    .selectFrom('documents')
    .select(['id', 'name', 'bytes'])
    .where('id', '=', id)
    .where((eb) => eb.or([eb('listed_at', 'is not', null), unlisted(accountId)]))
    .executeTakeFirst();

/** Its bytes, piece by piece. */
export async function* partsOf(db: Db, id: string): AsyncGenerator<Buffer> {
  for (let place = 0; ; place += 1) {
    const part = await db
      .selectFrom('document_parts')
      .select('content')
      .where('document_id', '=', id)
      .where('place', '=', place)
      .executeTakeFirst();
    if (part === undefined) return;
    yield part.content;
  }
}

export async function dropUnlisted(db: Db, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('documents')
    .where('id', '=', id)
    .where(unlisted(accountId))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export const forgetUnlisted = (db: Db, sentBefore: Date) =>
  db.deleteFrom('documents').where('listed_at', 'is', null).where('sent_at', '<', sentBefore).execute();

export type DocumentFacts = Pick<StoredDocument, 'type' | 'name' | 'language' | 'product' | 'models' | 'video_link'>;

/** Makes an uploaded file a document; false where the account has no such file. */
export async function listDocument(
  tx: Tx,
  accountId: string,
  id: string,
  facts: DocumentFacts,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('documents')
    .set({ ...facts, listed_at: at })
    .where('id', '=', id)
    .where(unlisted(accountId))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const documentById = (tx: Tx, id: string) => documents(tx).where('id', '=', id).forUpdate().executeTakeFirst();

export const updateDocument = (tx: Tx, id: string, facts: DocumentFacts) =>
  tx.updateTable('documents').set(facts).where('id', '=', id).execute();

export const deleteDocument = (tx: Tx, id: string) => tx.deleteFrom('documents').where('id', '=', id).execute();
