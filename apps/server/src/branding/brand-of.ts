import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** What people see instead of the portal's own name. */
export interface Brand {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  /** `#rrggbb` as it was chosen; empty where the portal keeps its own. */
  readonly colour: string;
  /** Key of its logo; null where it has none. */
  readonly logo: string | null;
  readonly downloadLink: string;
  readonly appLink: string;
  /** Sender of its mails; empty where it is that of the portal. */
  readonly mailAddress: string;
}

/** What the portal is called where there is no brand. */
export const OWN_NAME = 'Sonnenwarte';

const brands = (db: Db) =>
  db
    .selectFrom('brands')
    .select([
      'brands.id',
      'brands.name',
      'brands.domain',
      'brands.colour',
      'brands.logo',
      'brands.download_link as downloadLink',
      'brands.app_link as appLink',
      'brands.mail_address as mailAddress',
    ]);

export const allBrands = (db: Db): Promise<Brand[]> => brands(db).execute();

export const brandById = (db: Db, id: string): Promise<Brand | undefined> =>
  brands(db).where('brands.id', '=', id).executeTakeFirst();

export interface BrandPlace {
  readonly organisationId?: string | null;
  readonly accountId?: string;
  /** Name by which the portal was reached, in lower case. */
  readonly host?: string;
}

/**
 * The brand of an organisation or of an account's: its own, else the nearest above it; where none has one that of the domain by which the
 * portal was reached. Undefined: the portal's own look.
 */
export async function brandOf(db: Db, { organisationId, accountId, host }: BrandPlace): Promise<Brand | undefined> {
  const above = (of: 'id' | 'account', id: string) =>
    brands(db)
      .innerJoin('organisations', (join) => join.on(sql<SqlBool>`brands.organisation_id = any(organisations.path)`))
      .$if(of === 'id', (query) => query.where('organisations.id', '=', id))
      .$if(of === 'account', (query) =>
        query.where('organisations.id', '=', (eb) =>
          eb.selectFrom('accounts').select('accounts.organisation_id').where('accounts.id', '=', id),
        ),
      )
      .orderBy(sql`array_position(organisations.path, brands.organisation_id) desc`)
      .limit(1)
      .executeTakeFirst();
  const ofPeople =
    organisationId !== undefined && organisationId !== null
      ? await above('id', organisationId)
      : accountId === undefined
        ? undefined
        : await above('account', accountId);
  if (ofPeople !== undefined || host === undefined) return ofPeople;
  return brands(db).where('brands.domain', '=', host).executeTakeFirst();
}

export interface Logo {
  /** A PNG. */
  readonly content: Buffer;
  readonly width: number;
  readonly height: number;
}

/** A logo by its key. */
export const logoOf = (db: Db, key: string): Promise<Logo | undefined> =>
  db.selectFrom('brand_logos').select(['content', 'width', 'height']).where('hash', '=', key).executeTakeFirst();

/** Where people of a brand reach the portal: as it is reached itself, by the domain of the brand. */
export function addressUnder(publicUrl: string, { domain }: Pick<Brand, 'domain'>): string {
  const url = new URL(publicUrl);
  url.hostname = domain;
  return url.href.replace(/\/$/, '');
}
