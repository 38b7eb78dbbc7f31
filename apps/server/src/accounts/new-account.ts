import type { Transaction } from 'kysely';
import { orTaken } from '../http/unique-violation.ts';
import type { Database } from '../stores/schema.ts';
import { askToConfirmEmail } from './mailed-links.ts';

export interface NewAccount {
  readonly organisationID: string;
  readonly level: number;
  readonly leads: boolean;
  readonly user: string;
  readonly email: string;
  readonly name: string;
  readonly phone: string;
  readonly country: string;
  readonly passwordHash: string;
}

/**
 * Adds an account with a temporary password. Refuses a user name that is taken; whether the address is another
 * account's is not even looked at: it belongs to this one after the link that is mailed to it was opened.
 */
export async function insertAccount(
  tx: Transaction<Database>,
  account: NewAccount,
  /** Of the mail. */
  language: string,
): Promise<string> {
  const { id } = await orTaken({ accounts_username: 'user' }, () =>
    tx
      .insertInto('accounts')
      .values({
        organisation_id: account.organisationID,
        username: account.user,
        email: account.email,
        email_confirmed_at: null,
        name: account.name,
        phone: account.phone,
        country: account.country,
        password_hash: account.passwordHash,
        password_temporary: true,
        level: account.level,
        leads: account.leads,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  await askToConfirmEmail(tx, id, { language, host: '' });
  return id;
}
