import type { SignUpRole } from '@sonnenwarte/contract/sign-up/sign-up';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Tx = Transaction<Database>;

export interface Parent {
  id: string;
  name: string;
  path: string[];
}

/** The organisation that a code belongs to, where it is of that kind and open; held until the transaction ends. */
export const organisationOfCode = (tx: Tx, code: string, kind: 'installer' | 'agent'): Promise<Parent | undefined> =>
  tx
    .selectFrom('organisations')
    .select(['id', 'name', sql<string[]>`path::text[]`.as('path')])
    .where('sign_up_code', '=', code)
    .where('kind', '=', kind)
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst();

/** Whose code it is, looked at without holding it. */
export const ownerOfCode = (
  db: Kysely<Database>,
  code: string,
): Promise<{ name: string; kind: 'installer' | 'agent' } | undefined> =>
  db
    .selectFrom('organisations')
    .select(['name', sql<'installer' | 'agent'>`kind`.as('kind')])
    .where('sign_up_code', '=', code)
    .where('kind', 'in', ['installer', 'agent'])
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

export const pathOf = (db: Kysely<Database>, id: string): Promise<Parent> =>
  db
    .selectFrom('organisations')
    .select(['id', 'name', sql<string[]>`path::text[]`.as('path')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

export async function addInstaller(
  tx: Tx,
  parent: Parent,
  installer: { name: string; country: string; phone: string; email: string },
): Promise<Parent> {
  const id = crypto.randomUUID();
  const path = [...parent.path, id];
  await tx
    .insertInto('organisations')
    .values({ ...installer, id, parent_id: parent.id, kind: 'installer', path, disabled_at: null, deleted_at: null })
    .execute();
  return { id, name: installer.name, path };
}

const levelOf: Readonly<Record<SignUpRole, 1 | 2>> = { endUser: 1, installer: 2 };

export interface NewAccount {
  role: SignUpRole;
  organisationID: string;
  user: string;
  email: string;
  phone: string;
  country: string;
  city: string;
  language: string;
  passwordHash: string;
}

/** Throws on a user name that is taken (constraint `accounts_username`). */
export async function addAccount(tx: Tx, account: NewAccount): Promise<string> {
  const { id } = await tx
    .insertInto('accounts')
    .values({
      organisation_id: account.organisationID,
      username: account.user,
      email: account.email,
      email_confirmed_at: null,
      phone: account.phone,
      password_hash: account.passwordHash,
      level: levelOf[account.role],
      leads: account.role === 'installer',
      name: account.user,
      country: account.country,
      city: account.city,
      language: account.language,
      terms_accepted_at: new Date(),
      disabled_at: null,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
