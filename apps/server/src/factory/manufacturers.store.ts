import { MOST_CHOICES } from '@sonnenwarte/contract/choices';
import type { Parsed } from '@sonnenwarte/contract/endpoint';
import type {
  manufacturerChoices,
  manufacturerFields,
  manufacturerList,
} from '@sonnenwarte/contract/factory/manufacturers';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

const batches = sql<number>`(select count(*)::int from device_batches where manufacturer_id = manufacturers.id)`;

const sortKeys = {
  name: sql`lower(manufacturers.name)`,
  country: sql`manufacturers.country`,
  batches,
} satisfies SortKeys<typeof manufacturerFields>;

export function manufacturersFound(db: Db, { condition: { content }, sort, ...span }: Asked<typeof manufacturerList>) {
  const pattern = containing(content);
  const query = db
    .selectFrom('manufacturers')
    .selectAll('manufacturers')
    .select(batches.as('batches'))
    .$if(content !== '', (some) =>
      some.where(sql<SqlBool>`(manufacturers.name ilike ${pattern} or manufacturers.contact ilike ${pattern})`),
    );
  const ordering = { key: sortKeys[sort.field], apart: [sql`manufacturers.id`], order: sort.order, isKnown: true };
  return pageOf(query, ordering, span as Asked<typeof manufacturerList>);
}

export const manufacturersToChoose = (db: Db, { search, ids }: Parsed<typeof manufacturerChoices>) =>
  db
    .selectFrom('manufacturers')
    .select(['id', 'name', 'country as detail'])
    .where(ids === undefined ? sql<SqlBool>`name ilike ${containing(search)}` : sql<SqlBool>`id = any(${ids}::uuid[])`)
    .orderBy(sql`lower(name)`)
    .limit(ids === undefined ? MOST_CHOICES : ids.length)
    .execute();

export const manufacturerForChange = (tx: Tx, id: string) =>
  tx.selectFrom('manufacturers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Whether there is such a manufacturer; it stays until the end of the transaction. */
export const manufacturerStays = (tx: Tx, id: string) =>
  tx.selectFrom('manufacturers').select(['id', 'name']).where('id', '=', id).forShare().executeTakeFirst();

export const hasBatches = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.selectFrom('device_batches').select('id').where('manufacturer_id', '=', id).limit(1).executeTakeFirst()) !==
  undefined;

export const countManufacturers = async (tx: Tx): Promise<number> =>
  (await tx.selectFrom('manufacturers').select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()).count;

export interface ManufacturerFacts {
  readonly name: string;
  readonly country: string;
  readonly contact: string;
  readonly note: string;
}

export const insertManufacturer = async (tx: Tx, facts: ManufacturerFacts): Promise<string> =>
  (await tx.insertInto('manufacturers').values(facts).returning('id').executeTakeFirstOrThrow()).id;

export const updateManufacturer = (tx: Tx, id: string, facts: ManufacturerFacts) =>
  tx.updateTable('manufacturers').set(facts).where('id', '=', id).execute();

export const deleteManufacturer = (tx: Tx, id: string) => tx.deleteFrom('manufacturers').where('id', '=', id).execute();
