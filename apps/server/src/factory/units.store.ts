import { MOST_UNITS_COUNTED, type UnitKind } from '@sonnenwarte/contract/factory/factory-words';
import type { Sight, UnitRow, unitFields, unitList } from '@sonnenwarte/contract/factory/units';
import {
  WARRANTY_ENDS_SOON_DAYS,
  type WarrantyBegin,
  type WarrantyState,
} from '@sonnenwarte/contract/factory/warranty';
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { type Asked, containing, type Found, inOrderOf, pageOf, type SortKeys, upTo } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type Condition = Asked<typeof unitList>['condition'];

/** What is not known comes first, so that one index serves both orders. */
const sortKeys = {
  sn: sql`delivered_units.sn`,
  seenMs: sql`coalesce(delivered_units.seen_at, '-infinity')`,
  deliveredOn: sql`coalesce(delivered_units.delivered_on, '-infinity')`,
  warrantyUntil: sql`coalesce(delivered_units.warranty_until, '-infinity')`,
} satisfies SortKeys<typeof unitFields>;

function isSeen(sight: Sight, today: string): RawBuilder<SqlBool> {
  const unheard = sql`delivered_units.seen_at is null`;
  const isDue = sql`(delivered_units.delivered_on is null or delivered_units.delivered_on <= ${today}::date)`;
  switch (sight) {
    case 'never':
      return sql<SqlBool>`(${unheard} and ${isDue})`;
    case 'undelivered':
      return sql<SqlBool>`(${unheard} and not ${isDue})`;
    case 'seen':
      return sql<SqlBool>`delivered_units.seen_at is not null`;
  }
}

function warrantyIs(state: WarrantyState, today: string): RawBuilder<SqlBool> {
  const soon = sql`${today}::date + ${WARRANTY_ENDS_SOON_DAYS}::integer`;
  const until = sortKeys.warrantyUntil;
  const hasBegun = sql`delivered_units.warranty_from <= ${today}::date`;
  switch (state) {
    case 'unknown':
      return sql<SqlBool>`delivered_units.warranty_until is null`;
    case 'notBegun':
      return sql<SqlBool>`delivered_units.warranty_from > ${today}::date`;
    case 'over':
      return sql<SqlBool>`(${until} < ${today}::date and delivered_units.warranty_until is not null)`;
    case 'endsSoon':
      return sql<SqlBool>`(${until} between ${today}::date and ${soon} and ${hasBegun})`;
    case 'running':
      return sql<SqlBool>`(${until} > ${soon} and ${hasBegun})`;
  }
}

/** Batches by their kind and manufacturer; few beside their units, so that these are found by the batches' own index. */
async function batchesOf(db: Db, { kind, manufacturerID, batchID }: Condition): Promise<string[] | undefined> {
  if (kind === undefined && manufacturerID === undefined) return batchID === undefined ? undefined : [batchID];
  const rows = await db
    .selectFrom('device_batches')
    .select('id')
    .$if(kind !== undefined, (some) => some.where('kind', '=', kind as UnitKind))
    .$if(manufacturerID !== undefined, (some) => some.where('manufacturer_id', '=', manufacturerID as string))
    .$if(batchID !== undefined, (some) => some.where('id', '=', batchID as string))
    .execute();
  return rows.map(({ id }) => id);
}

/** Units that match, those of an equal value by serial number. */
export async function unitsFound(
  db: Db,
  { condition, sort, ...span }: Asked<typeof unitList>,
  today: string,
): Promise<Found<StoredUnit>> {
  const { content, seen, deliveredDays, warranty } = condition;
  const batches = await batchesOf(db, condition);
  let query = db.selectFrom('delivered_units').select('delivered_units.sn as id');
  if (batches !== undefined) query = query.where(sql<SqlBool>`delivered_units.batch_id = any(${batches}::uuid[])`);
  if (content !== '') {
    const pattern = containing(content);
    query = query.where(
      sql<SqlBool>`(delivered_units.sn like ${pattern.toUpperCase()} or delivered_units.odm_sn ilike ${pattern})`,
    );
  }
  if (seen !== undefined) query = query.where(isSeen(seen, today));
  if (deliveredDays !== undefined) {
    query = query.where(
      sql<SqlBool>`(${sortKeys.deliveredOn} < ${today}::date - ${deliveredDays}::integer and delivered_units.delivered_on is not null)`,
    );
  }
  if (warranty !== undefined) query = query.where(warrantyIs(warranty, today));
  const apart = sort.field === 'sn' ? [] : [sortKeys.sn];
  const { rows, ...found } = await pageOf(
    query,
    { key: sortKeys[sort.field], apart, order: sort.order, isKnown: true },
    span,
    { counts: upTo(db, MOST_UNITS_COUNTED + 1) },
  );
  const sns = rows.map(({ id }) => id);
  return { ...found, rows: sns.length === 0 ? [] : inOrderOf(sns, await unitsBySn(db, sns)) };
}

export interface StoredUnit {
  readonly id: string;
  readonly odm_sn: string;
  readonly model: string;
  readonly firmware: string;
  readonly delivered_on: string | null;
  readonly seen_at: Date | null;
  readonly warranty_from: string | null;
  readonly warranty_until: string | null;
  /** Whether an administrator has set its first day. */
  readonly warranty_set: boolean;
  readonly warranty_begins: WarrantyBegin | null;
  readonly batch_id: string;
  readonly batch: string;
  readonly kind: UnitKind;
  readonly manufacturer: string;
  readonly device_id: string | null;
  readonly site_id: string | null;
  readonly plant: string | null;
  readonly firmware_now: string | null;
}

const storedUnits = (condition: RawBuilder<SqlBool>) => sql<StoredUnit>`
  select u.sn as id, u.odm_sn, u.model, u.firmware, u.delivered_on::text, u.seen_at, u.warranty_from::text,
    u.warranty_until::text, u.warranty_set_on is not null as warranty_set, u.warranty_begins, u.batch_id, b.number as batch, b.kind, m.name as manufacturer,
    case when b.kind = 'logger' then l.id when s.id is not null then d.id end as device_id, s.id as site_id,
    s.name as plant, coalesce(l.firmware, d.version_master) as firmware_now
  from delivered_units u
  join device_batches b on b.id = u.batch_id
  join manufacturers m on m.id = b.manufacturer_id
  left join devices d on d.id = u.thing_id and d.deleted_at is null
  left join loggers l on l.id = u.thing_id and l.revoked_at is null
  left join sites s on s.id = coalesce(d.site_id, l.site_id) and s.deleted_at is null
  where ${condition}`;

const unitsBySn = async (db: Db, sns: readonly string[]): Promise<readonly StoredUnit[]> =>
  (await storedUnits(sql<SqlBool>`u.sn = any(${sns}::text[])`).execute(db)).rows;

/** The unit that a device or a datalogger is; undefined where it came in no batch. */
export const unitOfThing = async (db: Db, id: string): Promise<StoredUnit | undefined> =>
  (await storedUnits(sql<SqlBool>`u.thing_id = ${id}`).execute(db)).rows[0];

/** A unit, held until the end of the transaction. */
export const unitForChange = (tx: Tx, sn: string) =>
  tx
    .selectFrom('delivered_units')
    .innerJoin('device_batches', 'device_batches.id', 'delivered_units.batch_id')
    .select([
      'delivered_units.sn',
      'delivered_units.odm_sn',
      'delivered_units.model',
      'delivered_units.delivered_on',
      'delivered_units.warranty_set_on',
      'device_batches.number as batch',
    ])
    .where('delivered_units.sn', '=', sn)
    .forUpdate('delivered_units')
    .executeTakeFirst();

export const deleteUnit = (tx: Tx, sn: string) => tx.deleteFrom('delivered_units').where('sn', '=', sn).execute();

/** Says when the warranty of a unit begins; null: its term says it again. */
export const setWarrantyBegin = (tx: Tx, sn: string, on: string | null) =>
  tx.updateTable('delivered_units').set({ warranty_set_on: on }).where('sn', '=', sn).execute();

/** The words of a row for which the database has none. */
export type UnitSight = Pick<
  UnitRow,
  'seen' | 'seenMs' | 'deviceID' | 'stationID' | 'plantName' | 'firmwareNow' | 'firmwareDiffers'
>;
