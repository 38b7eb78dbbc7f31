import type { UnitKind } from '@sonnenwarte/contract/factory/factory-words';
import type { warrantyFields, warrantyList } from '@sonnenwarte/contract/factory/warranties';
import type { WarrantyBegin } from '@sonnenwarte/contract/factory/warranty';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

const sortKeys = {
  model: sql`lower(model_warranties.model)`,
  manufacturer: sql`lower(coalesce(manufacturers.name, ''))`,
  months: sql`model_warranties.months`,
  begins: sql`model_warranties.begins`,
  changedMs: sql`model_warranties.changed_at`,
} satisfies SortKeys<typeof warrantyFields>;

export function warrantiesFound(db: Db, { condition: { content }, sort, ...span }: Asked<typeof warrantyList>) {
  const pattern = containing(content);
  const query = db
    .selectFrom('model_warranties')
    .leftJoin('manufacturers', 'manufacturers.id', 'model_warranties.manufacturer_id')
    .selectAll('model_warranties')
    .select('manufacturers.name as manufacturer')
    .$if(content !== '', (some) =>
      some.where(sql<SqlBool>`(model_warranties.model ilike ${pattern} or manufacturers.name ilike ${pattern})`),
    );
  const ordering = { key: sortKeys[sort.field], apart: [sql`model_warranties.id`], order: sort.order, isKnown: true };
  return pageOf(query, ordering, span as Asked<typeof warrantyList>);
}

export const countWarranties = async (tx: Tx): Promise<number> =>
  (await tx.selectFrom('model_warranties').select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow())
    .count;

export interface WarrantyFacts {
  readonly model: string;
  readonly kind: UnitKind | null;
  readonly manufacturer_id: string | null;
  readonly months: number;
  readonly begins: WarrantyBegin;
  readonly latest_months: number | null;
  readonly note: string;
}

export const warrantyForChange = (tx: Tx, id: string) =>
  tx.selectFrom('model_warranties').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export const insertWarranty = async (tx: Tx, facts: WarrantyFacts, at: Date): Promise<string> =>
  (
    await tx
      .insertInto('model_warranties')
      .values({ ...facts, changed_at: at })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

export const updateWarranty = (tx: Tx, id: string, facts: WarrantyFacts, at: Date) =>
  tx
    .updateTable('model_warranties')
    .set({ ...facts, changed_at: at })
    .where('id', '=', id)
    .execute();

export const deleteWarranty = (tx: Tx, id: string) => tx.deleteFrom('model_warranties').where('id', '=', id).execute();
