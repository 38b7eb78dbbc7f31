import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { voidResetLinks } from './links.store.ts';
import { NO_PASSWORD } from './passwords.ts';

type Db = Kysely<Database>;

export interface AccountAtDoor {
  id: string;
  username: string;
  level: number;
  password_hash: string;
  password_temporary: boolean;
  /** Of its organisation, from the platform down. */
  path: string[];
  /** It may sign in: neither it nor its organisation is disabled. Owners of plants keep their access when their installer is. */
  isOpen: boolean;
}

/** An account by user name or by confirmed e-mail, in any case. */
export const isLogin = (user: string): RawBuilder<SqlBool> =>
  sql`(lower(accounts.username) = ${user.toLowerCase()}
    or (lower(accounts.email) = ${user.toLowerCase()} and accounts.email_confirmed_at is not null))`;

/** A living account by user name, else by confirmed e-mail, in any case. */
export async function accountByLogin(db: Db, user: string): Promise<AccountAtDoor | undefined> {
  const name = user.toLowerCase();
  const row = await db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .select([
      'accounts.id',
      'username',
      'level',
      'password_hash',
      'password_temporary',
      sql<string[]>`organisations.path::text[]`.as('path'),
      'accounts.disabled_at',
      'organisations.disabled_at as organisation_disabled_at',
      'organisations.deleted_at as organisation_deleted_at',
    ])
    .where('accounts.deleted_at', 'is', null)
    .where(isLogin(user))
    .orderBy(sql`lower(username) = ${name}`, 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const { disabled_at, organisation_disabled_at, organisation_deleted_at, ...account } = row;
  const isShut = organisation_disabled_at !== null || organisation_deleted_at !== null;
  return { ...account, isOpen: disabled_at === null && (account.level === 1 || !isShut) };
}

/** Notes a sign-in and uses up a temporary password; false where the password is no longer the one that was tried. */
export async function noteSignIn(db: Db, account: AccountAtDoor): Promise<boolean> {
  const noted = await db
    .updateTable('accounts')
    .set({ last_sign_in_at: sql`now()`, ...(account.password_temporary && { password_hash: NO_PASSWORD }) })
    .where('id', '=', account.id)
    .where('password_hash', '=', account.password_hash)
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return noted.numUpdatedRows === 1n;
}

/** Sets a password, of its owner's choice or a temporary one; links to reset the old one are void. */
export async function setPassword(
  db: Db,
  accountId: string,
  passwordHash: string,
  { temporary } = { temporary: false },
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({
      password_hash: passwordHash,
      password_temporary: temporary,
      password_changed_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .where('id', '=', accountId)
    .execute();
  await voidResetLinks(db, accountId);
}

export const accountById = (db: Db, id: string) =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .selectAll('accounts')
    .select('organisations.name as organisation')
    .where('accounts.id', '=', id)
    .executeTakeFirst();

const linkColumns = [
  'accounts.id',
  'accounts.username',
  'accounts.email',
  'accounts.email_confirmed_at',
  'accounts.language',
  'accounts.organisation_id',
] as const;

const accountsAtDoor = (db: Db) =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .where('accounts.deleted_at', 'is', null)
    .where('accounts.disabled_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('level', '=', 1),
        eb.and([eb('organisations.disabled_at', 'is', null), eb('organisations.deleted_at', 'is', null)]),
      ]),
    );

/** An account that may sign in. */
export const accountForLink = (db: Db, id: string) =>
  accountsAtDoor(db).select(linkColumns).where('accounts.id', '=', id).executeTakeFirst();

/** Holds an account as it is until the transaction ends; false where its address has changed since it was looked up. */
export const holdAddress = async (tx: Db, { id, email }: { id: string; email: string }): Promise<boolean> =>
  (await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where('email', '=', email)
    .forShare()
    .executeTakeFirst()) !== undefined;

const MOST_PER_ADDRESS = 5;

/** The account of a user name, else those of an address: whoever opens mails to it may set their passwords. */
export async function accountsForReset(db: Db, user: string) {
  const name = user.toLowerCase();
  const named = await accountsAtDoor(db).select(linkColumns).where(sql`lower(username)`, '=', name).execute();
  if (named.length > 0) return named;
  return accountsAtDoor(db)
    .select(linkColumns)
    .where(sql`lower(accounts.email)`, '=', name)
    .orderBy('email_confirmed_at', (order) => order.asc().nullsLast())
    .limit(MOST_PER_ADDRESS)
    .execute();
}

/** Whose address it is, also of an account that may not sign in. */
export const accountByConfirmedEmail = (db: Db, email: string) =>
  db
    .selectFrom('accounts')
    .select(['id', 'username', 'language'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('email_confirmed_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** Language of an account, its row held until the transaction ends. */
export const heldLanguage = async (tx: Db, id: string): Promise<string | null> => {
  const row = await tx.selectFrom('accounts').select('language').where('id', '=', id).forUpdate().executeTakeFirst();
  return row?.language ?? null;
};

export const setLanguage = (db: Db, id: string, language: string) =>
  db.updateTable('accounts').set({ language }).where('id', '=', id).execute();

export const countAccounts = async (db: Db): Promise<number> => {
  const row = await db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('demo', '=', false)
    .executeTakeFirstOrThrow();
  return Number(row.n);
};

export const hasDemoAccounts = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('accounts').select('id').where('demo', '=', true).limit(1).executeTakeFirst()) !== undefined;

/** Uses up a set-up code; false when it is unknown or used. */
export async function takeSetUpCode(db: Db, codeHash: Buffer): Promise<boolean> {
  const taken = await db
    .updateTable('set_up_codes')
    .set({ used_at: new Date() })
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return taken.numUpdatedRows === 1n;
}

/** Replaces earlier unused set-up codes by a new one. */
export const putSetUpCode = (db: Db, codeHash: Buffer) =>
  db.transaction().execute(async (tx) => {
    await tx.deleteFrom('set_up_codes').where('used_at', 'is', null).execute();
    await tx.insertInto('set_up_codes').values({ code_hash: codeHash, used_at: null }).execute();
  });

/** The platform's own organisation, made on first use. */
export async function platformOrganisation(db: Db): Promise<string> {
  const there = await db.selectFrom('organisations').select('id').where('kind', '=', 'platform').executeTakeFirst();
  if (there) return there.id;
  const id = crypto.randomUUID();
  await db
    .insertInto('organisations')
    .values({
      id,
      parent_id: null,
      kind: 'platform',
      name: 'Sonnenwarte',
      path: [id],
      disabled_at: null,
      deleted_at: null,
    })
    .onConflict((conflict) => conflict.column('kind').where('kind', '=', 'platform').doNothing())
    .execute();
  return (await db.selectFrom('organisations').select('id').where('kind', '=', 'platform').executeTakeFirstOrThrow())
    .id;
}
