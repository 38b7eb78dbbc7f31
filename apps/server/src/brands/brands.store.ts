import type { brandFields, list } from '@sonnenwarte/contract/brands/brands';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

const brands = (db: Db) =>
  db
    .selectFrom('brands')
    .leftJoin('organisations', 'organisations.id', 'brands.organisation_id')
    .leftJoin('brand_logos', 'brand_logos.hash', 'brands.logo')
    .selectAll('brands')
    .select(['organisations.name as organisation', 'brand_logos.width', 'brand_logos.height']);

export type StoredBrand = Awaited<ReturnType<ReturnType<typeof brands>['execute']>>[number];

const sortKeys = {
  name: sql`lower(brands.name)`,
  domain: sql`brands.domain`,
  organisation: sql`lower(coalesce(organisations.name, ''))`,
  updatedMs: sql`brands.updated_at`,
} satisfies SortKeys<typeof brandFields>;

export function brandsFound(db: Db, { condition: { content }, sort, ...span }: Asked<typeof list>) {
  const query = brands(db).$if(content !== '', (some) =>
    some.where(
      sql<SqlBool>`(brands.name ilike ${containing(content)} or brands.domain ilike ${containing(content)} or organisations.name ilike ${containing(content)})`,
    ),
  );
  const ordering = { key: sortKeys[sort.field], apart: [sql`brands.id`], order: sort.order, isKnown: true };
  return pageOf(query, ordering, span as Asked<typeof list>);
}

export const brandById = (tx: Tx, id: string) =>
  tx.selectFrom('brands').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

const count = sql<number>`count(*)::int`.as('count');

export const countBrands = async (tx: Tx): Promise<number> =>
  (await tx.selectFrom('brands').select(count).executeTakeFirstOrThrow()).count;

export interface NewBrand {
  readonly name: string;
  readonly domain: string;
  readonly organisation_id: string | null;
  readonly colour: string;
  readonly logo: string | null;
  readonly download_link: string;
  readonly app_link: string;
  readonly mail_address: string;
  readonly updated_at: Date;
}

export async function insertBrand(tx: Tx, brand: NewBrand): Promise<string> {
  const { id } = await tx.insertInto('brands').values(brand).returning('id').executeTakeFirstOrThrow();
  return id;
}

export const updateBrand = (tx: Tx, id: string, brand: NewBrand) =>
  tx.updateTable('brands').set(brand).where('id', '=', id).execute();

export const deleteBrand = (tx: Tx, id: string) => tx.deleteFrom('brands').where('id', '=', id).execute();

export async function organisationIsThere(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('organisations')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether there is such a logo; it stays until the end of the transaction. */
export async function logoIsThere(tx: Tx, hash: string): Promise<boolean> {
  const row = await tx.selectFrom('brand_logos').select('hash').where('hash', '=', hash).forShare().executeTakeFirst();
  return row !== undefined;
}

const isUnused = sql<SqlBool>`not exists (select from brands where brands.logo = brand_logos.hash)`;

export const countUnusedLogos = async (db: Db): Promise<number> =>
  (await db.selectFrom('brand_logos').select(count).where(isUnused).executeTakeFirstOrThrow()).count;

export const keepLogo = (
  db: Db,
  logo: { hash: string; content: Buffer; width: number; height: number; sent_at: Date },
) =>
  db
    .insertInto('brand_logos')
    .values(logo)
    .onConflict((again) => again.column('hash').doUpdateSet({ sent_at: logo.sent_at }))
    .execute();

export const forgetUnusedLogos = (db: Db, sentBefore: Date) =>
  db.deleteFrom('brand_logos').where('sent_at', '<', sentBefore).where(isUnused).execute();
