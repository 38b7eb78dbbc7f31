import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Scope, visibleAccounts, visibleOrganisations } from '../access/scope.ts';
import { type Prices, priceRowOf, pricesAt } from '../sites/prices.store.ts';
import { visibleSites } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';
import type { SiteArray, SiteContact } from '../stores/schema-plants.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

const formRows = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('sites')
    .leftJoin('organisations', 'organisations.id', 'sites.organisation_id')
    .leftJoin('accounts', 'accounts.id', 'sites.owner_account_id')
    .select([
      'sites.id',
      'sites.organisation_id',
      'sites.owner_account_id',
      'sites.name',
      'sites.type',
      'sites.country',
      'sites.city',
      'sites.address',
      'sites.postcode',
      'sites.latitude',
      'sites.longitude',
      'sites.altitude_m',
      'sites.time_zone',
      'sites.place_zone',
      'sites.system_size_kwp',
      'sites.rated_power_w',
      'sites.installer_contact',
      'sites.user_contact',
      'sites.arrays',
      'organisations.name as organisation',
      'accounts.username as owner',
      sql<string | null>`sites.commissioned_on::text`.as('commissioned_on'),
      sql<string | null>`sites.grid_connected_on::text`.as('grid_connected_on'),
    ])
    .where(visibleSites(scope))
    .where('sites.id', '=', id);

export type FormRow = NonNullable<Awaited<ReturnType<typeof siteForm>>>;

/** What the form of a plant in scope begins with, but for its prices. */
export const siteForm = (db: Db, scope: Scope, id: string) => formRows(db, scope, id).executeTakeFirst();

/** The same, its row locked until the transaction ends. */
export const holdSiteForm = (tx: Tx, scope: Scope, id: string) =>
  formRows(tx, scope, id).forUpdate('sites').executeTakeFirst();

/** Prices of a plant that are valid now, and since when; null = from the beginning. */
export async function pricesNow(db: Db, siteId: string, nowMs: number) {
  const [prices, newest] = await Promise.all([
    pricesAt(db, siteId, nowMs),
    db
      .selectFrom('site_prices')
      .select('valid_from')
      .where('site_id', '=', siteId)
      .where('valid_from', '<=', new Date(nowMs))
      .orderBy('valid_from', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ]);
  return { ...prices, sinceMs: newest?.valid_from.getTime() ?? null };
}

/** How many devices hang behind the dataloggers of a plant, by serial number. */
export async function deviceCounts(db: Db, siteId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('loggers')
    .innerJoin('devices', 'devices.logger_id', 'loggers.id')
    .select(['loggers.sn', sql<number>`count(*)::int`.as('count')])
    .where('loggers.site_id', '=', siteId)
    .where('devices.deleted_at', 'is', null)
    .groupBy('loggers.sn')
    .execute();
  return new Map(rows.map(({ sn, count }) => [sn, count]));
}

/** Columns of a plant that people enter, but for its prices. */
export interface SiteColumns {
  readonly name: string;
  readonly type: SiteRow['type'];
  readonly country: string;
  readonly city: string;
  readonly address: string;
  readonly postcode: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly altitude_m: number | null;
  readonly time_zone: string;
  readonly place_zone: string | null;
  readonly system_size_kwp: number;
  readonly rated_power_w: number | null;
  readonly commissioned_on: string | null;
  readonly grid_connected_on: string | null;
  readonly arrays: readonly SiteArray[];
  readonly installer_contact: SiteContact;
  readonly user_contact: SiteContact;
}

const asRow = ({ arrays, installer_contact, user_contact, ...columns }: SiteColumns) => ({
  ...columns,
  arrays: JSON.stringify(arrays),
  installer_contact: JSON.stringify(installer_contact),
  user_contact: JSON.stringify(user_contact),
});

export interface NewSite extends SiteColumns {
  readonly organisation_id: string;
  readonly owner_account_id: string | null;
  readonly prices: Prices;
}

export async function insertSite(tx: Tx, site: NewSite): Promise<string> {
  const { organisation_id, owner_account_id, prices, ...columns } = site;
  const { id } = await tx
    .insertInto('sites')
    .values({
      ...asRow(columns),
      ...priceRowOf(prices),
      ...{ organisation_id, owner_account_id },
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const updateSite = (tx: Tx, id: string, columns: SiteColumns) =>
  tx.updateTable('sites').set(asRow(columns)).where('id', '=', id).execute();

/** An end user in scope by user name or e-mail address, and where it belongs; nobody deletes it before the transaction ends. */
export const holdOwner = (tx: Tx, scope: Scope, called: string) =>
  tx
    .selectFrom('accounts')
    .select(['accounts.id', 'accounts.username', 'accounts.organisation_id'])
    .where(visibleAccounts(scope))
    .where('accounts.level', '=', 1)
    .where('accounts.disabled_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb(sql`lower(accounts.username)`, '=', called.toLowerCase()),
        eb(sql`lower(accounts.email)`, '=', called.toLowerCase()),
      ]),
    )
    // A name that is somebody else's address is the name.
    .orderBy(sql`lower(accounts.username) = ${called.toLowerCase()}`, 'desc')
    .limit(1)
    .forShare('accounts')
    .executeTakeFirst();

/** An organisation in scope. */
export const organisationInScope = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('organisations')
    .select('organisations.id')
    .where(visibleOrganisations(scope))
    .where('organisations.id', '=', id)
    .executeTakeFirst();

const INVALID_PARAMETER = '22023';

/** Whether the database, too, knows a zone: its lists reckon by it, and one of an older release may lack a new name. */
export async function knowsZone(db: Db, zone: string): Promise<boolean> {
  try {
    await sql`select now() at time zone ${zone}::text`.execute(db);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === INVALID_PARAMETER) return false;
    throw error;
  }
}
