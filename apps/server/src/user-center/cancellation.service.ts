import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { userCenterEndpoints } from '@sonnenwarte/contract/user-center/user-center';
import type { Transaction } from 'kysely';
import { assertPassword, holdJudged, judging } from '../accounts/judged-password.ts';
import { recordAudit } from '../audit/audit.ts';
import { accountConsequences, type Removal, removeAccount } from '../deletions/account-removal.ts';
import { recordDeletion } from '../deletions/deletions.service.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { countKeys, countSharedSites } from './cancellation.store.ts';
import { accountOf } from './user-center.store.ts';

type Calls = typeof userCenterEndpoints;
type Tx = Transaction<Database>;

const refusals = {
  organisationsBelow: 'cancelOrganisationsBelow',
  membersBelow: 'cancelMembersBelow',
  lastAdministrator: 'cancelLastAdministrator',
} as const satisfies Removal['refusals'];

/** What cancelling the own account would mean. */
export async function cancellationOf(
  { db }: Uses<'db'>,
  _: unknown,
  { actor }: CallContext,
): Promise<Result<Calls['cancellation']>> {
  found(await accountOf(db, actor.accountId), 'tokenInvalid');
  const [{ hindrance, hindering, movedSites, endUsers, goesTo, undoDays }, sharedSites, apiKeys] = await Promise.all([
    accountConsequences(db, actor.accountId),
    countSharedSites(db, actor.accountId),
    countKeys(db, actor.accountId),
  ]);
  return { hindrance, hindering, sites: movedSites, endUsers, goesTo, sharedSites, apiKeys, undoDays };
}

const refusedField = (path: string, reason: string) =>
  new CallError('refusedInput', { fields: [{ path, reason, params: {} }] });

/** Cancels the own account, with its password. */
export const cancelOwnAccount = (
  { db }: Uses<'db'>,
  input: Parsed<Calls['cancelAccount']>,
  from: CallContext,
): Promise<Result<Calls['cancelAccount']>> =>
  judging(from.actor.accountId, async () => {
    const account = found(await accountOf(db, from.actor.accountId), 'tokenInvalid');
    if (input.user.trim() !== account.username) throw refusedField('user', 'differs');
    await assertPassword(db, account, { md5: input.password, field: 'password' });
    await inTransaction(db, async (tx) => {
      await holdJudged(tx, from.actor, account.password_hash);
      await cancelNow(tx, from);
    });
    return {};
  });

async function cancelNow(tx: Tx, from: CallContext): Promise<void> {
  const { accountId } = from.actor;
  const at = new Date();
  const { kind, recordName, organisationPath, change, movedSites, endUsers } = await removeAccount(tx, accountId, {
    because: 'cancelled',
    at,
    refusals,
  });
  const record = { recordId: accountId, recordName, organisationPath };
  await recordDeletion(tx, from, { ...record, kind, change }, at.getTime());
  await recordAudit(tx, from, {
    ...record,
    log: 'account',
    action: 'user-center.cancel',
    recordKind: 'account',
    after: { sites: movedSites, endUsers },
  });
}
