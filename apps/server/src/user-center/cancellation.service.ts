import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { userCenterEndpoints } from '@sonnenwarte/contract/user-center/user-center';
import type { Kysely, Transaction } from 'kysely';
import { forgetFailures, noteFailure, signInKeys, waitMsOf } from '../accounts/attempts.store.ts';
import { KeyedGate } from '../accounts/keyed-gate.ts';
import { fitsPassword, hashing } from '../accounts/passwords.ts';
import { recordAudit } from '../audit/audit.ts';
import { accountConsequences, type Removal, removeAccount } from '../deletions/account-removal.ts';
import { recordDeletion } from '../deletions/deletions.service.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { countKeys, countSharedSites } from './cancellation.store.ts';
import { type AccountRow, accountOf } from './user-center.store.ts';

type Calls = typeof userCenterEndpoints;
type Db = Kysely<Database>;
type Tx = Transaction<Database>;

const refusals = {
  organisationsBelow: 'cancelOrganisationsBelow',
  membersBelow: 'cancelMembersBelow',
  lastAdministrator: 'cancelLastAdministrator',
} as const satisfies Removal['refusals'];

/** What cancelling the own account would mean. */
export async function cancellationOf(db: Db, { actor }: CallContext): Promise<Result<Calls['cancellation']>> {
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

/** Cancelling the own account, with its password. */
export class Cancellation {
  readonly #db: Db;
  readonly #gate = new KeyedGate(1);

  constructor(db: Db) {
    this.#db = db;
  }

  cancel(input: Parsed<Calls['cancelAccount']>, from: CallContext): Promise<Result<Calls['cancelAccount']>> {
    hashing.assertRoom();
    return this.#gate.run(from.actor.accountId, async () => {
      const account = found(await accountOf(this.#db, from.actor.accountId), 'tokenInvalid');
      if (input.user.trim() !== account.username) throw refusedField('user', 'differs');
      await this.#checkPassword(account, input.password);
      await this.#db.transaction().execute((tx) => cancelNow(tx, from));
      return {};
    });
  }

  async #checkPassword(account: AccountRow, passwordMd5: string): Promise<void> {
    const { account: key } = signInKeys(`password of ${account.id}`, '');
    const waitMs = await waitMsOf(this.#db, [key]);
    if (waitMs > 0) throw new CallError('tryLater', { retryAfterMs: waitMs });
    if (await fitsPassword(passwordMd5, account.password_hash)) return void (await forgetFailures(this.#db, [key]));
    await noteFailure(this.#db, [key]);
    throw refusedField('password', 'wrong');
  }
}

async function cancelNow(tx: Tx, from: CallContext): Promise<void> {
  const { accountId } = from.actor;
  found(await accountOf(tx, accountId), 'tokenInvalid');
  const at = new Date();
  const { kind, recordName, organisationPath, images, movedSites, endUsers } = await removeAccount(tx, accountId, {
    because: 'cancelled',
    at,
    refusals,
  });
  const record = { recordId: accountId, recordName, organisationPath };
  await recordDeletion(tx, from, { ...record, kind, images }, at.getTime());
  await recordAudit(tx, from, {
    ...record,
    log: 'account',
    action: 'user-center.cancel',
    recordKind: 'account',
    after: { sites: movedSites, endUsers },
  });
}
