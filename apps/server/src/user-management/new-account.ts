import { sql, type Transaction } from 'kysely';
import { CallError } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';
import { orTaken } from '../stores/unique-violation.ts';

type Tx = Transaction<Database>;

/** Names, in a call, of the fields that no two living accounts may share. */
export interface UniqueFields {
  readonly user: string;
  readonly email: string;
}

export const takenIndexes = ({ user, email }: UniqueFields) => ({ accounts_username: user, accounts_email: email });

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
  fields: UniqueFields = { user: 'user', email: 'email' },
): Promise<string> {
  await refuseTaken(tx, { ...account, fields });
  const { id } = await orTaken(takenIndexes(fields), () =>
    tx
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
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return id;
}

interface Wanted {
  readonly user?: string;
  readonly email: string;
  /** Account that may have them: itself. */
  readonly exceptId?: string;
  readonly fields: UniqueFields;
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
