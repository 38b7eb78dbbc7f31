import type { HandoverNow } from '@sonnenwarte/contract/handover/handover';
import { isLevel } from '@sonnenwarte/contract/levels';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible } from '../access/scope.ts';
import { codesOf, groupCodesOf } from '../accounts/session-actors.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/** Handovers with their plant, who gives them, and who took them. */
const handovers = (db: Db) =>
  db
    .selectFrom('handovers as h')
    .innerJoin('sites as s', 's.id', 'h.site_id')
    .innerJoin('organisations as place', 'place.id', 's.organisation_id')
    .leftJoin('accounts', 'accounts.id', 'h.made_by')
    .leftJoin('organisations as home', 'home.id', 'accounts.organisation_id')
    .leftJoin('accounts as taker', 'taker.id', 'h.used_by')
    .select([
      'h.site_id',
      'h.made_at',
      'h.expires_at',
      'h.withdrawn_at',
      'h.opened_at',
      'h.used_at',
      'h.used_by',
      'h.new_account',
      'h.seen_at',
      's.name',
      's.country',
      's.city',
      's.system_size_kwp',
      's.organisation_id',
      'place.name as organisation',
      sql<string[]>`place.path::text[]`.as('path'),
      'accounts.username as giver',
      'accounts.level as giver_level',
      'accounts.leads as giver_leads',
      groupCodesOf('accounts').as('giver_codes'),
      'taker.username as taker',
      'taker.email_confirmed_at',
      isExpired.as('is_expired'),
      isGood.as('is_good'),
    ]);

export type HandoverRow = Awaited<ReturnType<ReturnType<typeof handovers>['executeTakeFirstOrThrow']>>;

const isExpired = sql<boolean>`h.expires_at <= now()`;

/** The plant is there, whose it was then, and within the reach of who gives it, who is not shut out. */
const isGood: RawBuilder<boolean> = sql<boolean>`coalesce(
  s.deleted_at is null and s.owner_account_id is not distinct from h.owner_before
  and accounts.deleted_at is null and accounts.disabled_at is null
  and home.deleted_at is null and home.disabled_at is null
  and (accounts.level = 255 or place.path @> array[accounts.organisation_id]), false)`;

const mayStillGive = ({ giver_level: level, giver_leads: leads, giver_codes: codes }: HandoverRow): boolean =>
  level !== null && isLevel(level) && level !== 1 && codesOf(level, leads ?? false, codes).has('site:edit');

export function stateOf(row: HandoverRow): HandoverNow['state'] {
  if (row.used_at !== null) return 'used';
  if (row.withdrawn_at !== null) return 'withdrawn';
  if (row.is_expired) return 'expired';
  return row.is_good && mayStillGive(row) ? 'open' : 'void';
}

export const toHandoverNow = (row: HandoverRow): HandoverNow => ({
  state: stateOf(row),
  by: row.giver ?? '',
  madeMs: row.made_at.getTime(),
  expiresMs: row.expires_at.getTime(),
  withdrawnMs: row.withdrawn_at?.getTime() ?? null,
  openedMs: row.opened_at?.getTime() ?? null,
  usedMs: row.used_at?.getTime() ?? null,
  usedBy: row.taker ?? '',
  newAccount: row.new_account,
  emailConfirmedMs: row.email_confirmed_at?.getTime() ?? null,
  seenMs: row.seen_at?.getTime() ?? null,
});

/** The newest handovers of plants, by their ids. Whoever asks has looked whether the caller may see the plants. */
export async function handoversOf(db: Db, siteIds: readonly string[]): Promise<ReadonlyMap<string, HandoverNow>> {
  const rows = await handovers(db).where(sql<boolean>`h.site_id = any(${siteIds}::uuid[])`).execute();
  return new Map(rows.map((row) => [row.site_id, toHandoverNow(row)]));
}

/** A handover by its code, looked at without holding it. */
export const handoverByCode = (db: Db, hash: Buffer): Promise<HandoverRow | undefined> =>
  handovers(db).where('h.code_hash', '=', hash).executeTakeFirst();

/** The same, held with its plant until the transaction ends: of two that come at once the second sees what the first did. */
export async function holdHandover(tx: Tx, hash: Buffer): Promise<HandoverRow | undefined> {
  const { rows } = await sql<{ site_id: string }>`select site_id from handovers where code_hash = ${hash}`.execute(tx);
  const siteId = rows[0]?.site_id;
  if (siteId === undefined) return undefined;
  await sql`select from sites where id = ${siteId} for update`.execute(tx);
  await sql`select from handovers where site_id = ${siteId} for update`.execute(tx);
  return handoverByCode(tx, hash);
}

export interface GivenSite {
  readonly id: string;
  readonly name: string;
  readonly owner_account_id: string | null;
  readonly owner: string | null;
  readonly path: string[];
}

const givenSites = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('sites')
    .innerJoin('organisations', 'organisations.id', 'sites.organisation_id')
    .leftJoin('accounts', 'accounts.id', 'sites.owner_account_id')
    .select([
      'sites.id',
      'sites.name',
      'sites.owner_account_id',
      'accounts.username as owner',
      sql<string[]>`organisations.path::text[]`.as('path'),
    ])
    .where(siteIsVisible(scope))
    .where('sites.id', '=', id);

/** A plant that is handed over, in scope. */
export const givenSite = (db: Db, scope: Scope, id: string): Promise<GivenSite | undefined> =>
  givenSites(db, scope, id).executeTakeFirst();

/** The same, held until the transaction ends. */
export const holdGivenSite = (tx: Tx, scope: Scope, id: string): Promise<GivenSite | undefined> =>
  givenSites(tx, scope, id).forUpdate('sites').executeTakeFirst();

interface NewHandover {
  readonly siteId: string;
  readonly hash: Buffer;
  readonly madeBy: string;
  readonly ownerBefore: string | null;
  readonly hours: number;
}

/** Puts a new code in place of the one that a plant had. */
export async function putHandover(tx: Tx, { siteId, hash, madeBy, ownerBefore, hours }: NewHandover): Promise<void> {
  const values = {
    code_hash: hash,
    made_by: madeBy,
    owner_before: ownerBefore,
    made_at: sql<Date>`now()`,
    expires_at: sql<Date>`now() + make_interval(hours => ${hours})`,
    withdrawn_at: null,
    opened_at: null,
    used_by: null,
    new_account: false,
    used_at: null,
    seen_at: null,
  };
  await tx
    .insertInto('handovers')
    .values({ site_id: siteId, ...values })
    .onConflict((conflict) => conflict.column('site_id').doUpdateSet(values))
    .execute();
}

/** Lets the code of a plant be good for so long since it was made, where it can still be used; undefined where there is none such. */
export const prolongHandover = (tx: Tx, siteId: string, hours: number) =>
  tx
    .updateTable('handovers')
    .set({ expires_at: sql<Date>`greatest(expires_at, made_at + make_interval(hours => ${hours}))` })
    .where('site_id', '=', siteId)
    .where('withdrawn_at', 'is', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('expires_at')
    .executeTakeFirst();

/** Ends the code of a plant, where it can still be used; undefined where there is none such. */
export const withdrawHandover = (tx: Tx, siteId: string) =>
  tx
    .updateTable('handovers')
    .set({ withdrawn_at: sql`now()` })
    .where('site_id', '=', siteId)
    .where('withdrawn_at', 'is', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('site_id')
    .executeTakeFirst();

export const noteOpened = (db: Db, siteId: string) =>
  db
    .updateTable('handovers')
    .set({ opened_at: sql`now()` })
    .where('site_id', '=', siteId)
    .where('opened_at', 'is', null)
    .execute();

export const noteUsed = (tx: Tx, siteId: string, accountId: string, isNewAccount: boolean) =>
  tx
    .updateTable('handovers')
    .set({
      used_at: sql`now()`,
      used_by: accountId,
      new_account: isNewAccount,
      opened_at: sql`coalesce(opened_at, now())`,
    })
    .where('site_id', '=', siteId)
    .execute();

export const noteSeen = (db: Db, siteId: string, accountId: string) =>
  db
    .updateTable('handovers')
    .set({ seen_at: sql`now()` })
    .where('site_id', '=', siteId)
    .where('used_by', '=', accountId)
    .where('seen_at', 'is', null)
    .execute();

/** How many plants an account owns. */
export async function ownSites(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('sites')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
