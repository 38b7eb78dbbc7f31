import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { userCenterEndpoints } from '@sonnenwarte/contract/user-center/user-center';
import type { Kysely, Transaction } from 'kysely';
import { type Rate, takeOf } from '../attempts/attempts.store.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { codeAsStored } from '../sign-up/code-as-stored.ts';
import { organisationOfCode } from '../sign-up/sign-up.store.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { followingSites, moveEndUser, type Place, placeOf } from '../tenancy/end-user-moves.ts';
import { accountForUpdate, organisationOf } from './user-center.store.ts';

type Db = Kysely<Database>;
type Calls = typeof userCenterEndpoints;

/** Bounds how many codes can be tried. */
const byAccount: Rate = { kind: 'installerCode.account', most: 20, windowMs: 3_600_000 };

export async function installerOf(
  { db }: Uses<'db'>,
  _: unknown,
  { actor }: CallContext,
): Promise<Result<Calls['installer']>> {
  const { kind, name, phone, email } = await organisationOf(db, actor.organisationID);
  return { installer: kind === 'platform' ? null : name, contact: { name, phone, email } };
}

interface Parties {
  readonly account: NonNullable<Awaited<ReturnType<typeof accountForUpdate>>>;
  readonly installer: Place;
}

/** The end user, who has no installer yet, and the installer whose code it typed; both held until the transaction ends. */
const withParties = async <T>(
  db: Db,
  code: string,
  { actor }: CallContext,
  then: (tx: Transaction<Database>, parties: Parties) => Promise<T>,
): Promise<T> => {
  const retryAfterMs = await takeOf(db, byAccount, actor.accountId);
  if (retryAfterMs > 0) throw new CallError('tryLater', { retryAfterMs });
  return inTransaction(db, async (tx) => {
    const account = found(await accountForUpdate(tx, actor.accountId), 'tokenInvalid');
    const { kind } = await organisationOf(tx, account.organisation_id);
    if (kind !== 'platform') throw new CallError('hasInstallerAlready');
    const held = await organisationOfCode(tx, codeAsStored(code), 'installer');
    if (held === undefined)
      throw new CallError('refusedInput', { fields: [{ path: 'code', reason: 'wrong', params: {} }] });
    return then(tx, { account, installer: await placeOf(tx, held.id) });
  });
};

/** Whose code it is and what would go along, so that the end user knows to whom it entrusts its plants. */
export const checkInstallerCode = (
  { db }: Uses<'db'>,
  { code }: Parsed<Calls['checkInstaller']>,
  context: CallContext,
): Promise<Result<Calls['checkInstaller']>> =>
  withParties(db, code, context, async (tx, { account, installer }) => {
    const sites = await followingSites(tx, context.scope, account.id, account.organisation_id).execute();
    return { installer: installer.name, sites: sites.length };
  });

/** Giving out the code is the installer's consent, entering it the end user's. */
export const joinInstaller = (
  { db }: Uses<'db'>,
  { code }: Parsed<Calls['joinInstaller']>,
  context: CallContext,
): Promise<Result<Calls['joinInstaller']>> =>
  withParties(db, code, context, async (tx, { account, installer }) => {
    const { scope } = context;
    const { sites } = await moveEndUser(tx, { scope, source: context, account, to: installer });
    return { installer: installer.name, sites };
  });
