import { randomInt } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { hashPassword, md5Hex } from '../accounts/passwords.ts';
import { CallError } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';

type Tx = Transaction<Database>;

// Without characters that are easily read as one another.
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const PASSWORD_LENGTH = 12;

/** A password to hand over: shown once, good for one sign-in. */
export async function temporaryPassword(): Promise<{ password: string; hash: string }> {
  const password = Array.from({ length: PASSWORD_LENGTH }, () => letters[randomInt(letters.length)]).join('');
  return { password, hash: await hashPassword(md5Hex(password)) };
}

export interface NewAccount {
  readonly organisationId: string;
  readonly level: number;
  readonly leads: boolean;
  readonly user: string;
  readonly email: string;
  readonly name: string;
  readonly phone: string;
  readonly country: string;
  readonly passwordHash: string;
}

/** Adds an account with a temporary password. Refuses the field whose value another account has. */
export async function insertAccount(
  tx: Tx,
  account: NewAccount,
  fields = { user: 'user', email: 'email' },
): Promise<string> {
  await refuseTaken(tx, { ...account, fields });
  const { id } = await tx
    .insertInto('accounts')
    .values({
      organisation_id: account.organisationId,
      username: account.user,
      email: account.email,
      name: account.name,
      phone: account.phone,
      country: account.country,
      password_hash: account.passwordHash,
      password_temporary: true,
      level: account.level,
      leads: account.leads,
      language: null,
      department_id: null,
      time_zone: null,
      keys_guarded: null,
      password_changed_at: null,
      terms_accepted_at: null,
      last_sign_in_at: null,
      disabled_at: null,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(takenMeanwhile);
  return id;
}

interface Wanted {
  readonly user?: string;
  readonly email: string;
  /** Account that may have them: itself. */
  readonly exceptId?: string;
  readonly fields: { readonly user: string; readonly email: string };
}

/** Refuses a user name or a confirmed e-mail address that another living account has. */
export async function refuseTaken(tx: Tx, { user, email, exceptId, fields }: Wanted): Promise<void> {
  const taken = await tx
    .selectFrom('accounts')
    .select([
      sql<boolean>`coalesce(bool_or(lower(username) = ${user?.toLowerCase() ?? ''}), false)`.as('user'),
      sql<boolean>`coalesce(bool_or(lower(email) = ${email.toLowerCase()} and email_confirmed_at is not null), false)`.as(
        'email',
      ),
    ])
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb(sql`lower(username)`, '=', user?.toLowerCase() ?? ''),
        eb(sql`lower(email)`, '=', email.toLowerCase()),
      ]),
    )
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId ?? ''))
    .executeTakeFirstOrThrow();
  const refused = (['user', 'email'] as const).filter((field) => taken[field]).map((field) => fields[field]);
  if (refused.length > 0)
    throw new CallError('refusedInput', {
      fields: refused.map((path) => ({ path, reason: 'taken', params: {} })),
    });
}

const UNIQUE_VIOLATION = '23505';

/** Two at the same time: the later one is told what an earlier look would have said. */
export function takenMeanwhile(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) {
    const field = 'constraint' in error && String(error.constraint).includes('email') ? 'email' : 'user';
    throw new CallError('refusedInput', { fields: [{ path: field, reason: 'taken', params: {} }] });
  }
  throw error;
}
