import type { Kysely } from 'kysely';
import { pathOfOrganisation, recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { notify } from '../notifications/notify.ts';
import type { Database } from '../stores/schema.ts';
import { tenancyChanged } from '../tenancy/moves.ts';
import { accountById, setPassword } from './accounts.store.ts';
import { forgetFailures, noteFailure, signInKeys, waitMsOf } from './attempts.store.ts';
import { KeyedGate } from './keyed-gate.ts';
import { fitsPassword, hashing, hashPassword, md5Hex } from './passwords.ts';
import { endSessionsOf } from './sessions.ts';

const refused = (reason: string) =>
  new CallError('refusedInput', { fields: [{ path: 'oldPassword', reason, params: {} }] });

/** Changing the own password. */
export class OwnPassword {
  readonly #db: Kysely<Database>;
  readonly #gate = new KeyedGate(1);

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** The old password is asked for unless it was temporary; guessing it is delayed as at the sign-in. */
  change(input: { oldPassword?: string | undefined; newPassword: string }, from: CallContext): Promise<void> {
    hashing.assertRoom();
    return this.#gate.run(from.actor.accountId, () => this.#change(input, from));
  }

  async #change(input: { oldPassword?: string | undefined; newPassword: string }, from: CallContext): Promise<void> {
    const { actor } = from;
    const account = found(await accountById(this.#db, actor.accountId), 'tokenInvalid');
    if (!account.password_temporary) await this.#checkOld(account, input.oldPassword);
    const passwordHash = await hashPassword(md5Hex(input.newPassword));
    await this.#db.transaction().execute(async (tx) => {
      await setPassword(tx, account.id, passwordHash);
      await endSessionsOf(tx, [account.id], 'passwordChanged', actor.sessionId);
      await tenancyChanged(tx);
      await notify(tx, account.id, { kind: 'passwordChanged', address: from.address });
      await recordAudit(tx, from, {
        log: 'account',
        action: account.password_temporary ? 'accounts.changeTemporaryPassword' : 'accounts.changePassword',
        recordKind: 'account',
        recordId: account.id,
        recordName: account.username,
        organisationPath: await pathOfOrganisation(tx, account.organisation_id),
      });
    });
  }

  async #checkOld(account: { id: string; password_hash: string }, old: string | undefined): Promise<void> {
    if (old === undefined) throw refused('required');
    const { account: key } = signInKeys(`password of ${account.id}`, '');
    const waitMs = await waitMsOf(this.#db, [key]);
    if (waitMs > 0) throw new CallError('tryLater', { retryAfterMs: waitMs });
    if (await fitsPassword(md5Hex(old), account.password_hash)) {
      await forgetFailures(this.#db, [key]);
      return;
    }
    await noteFailure(this.#db, [key]);
    throw refused('wrong');
  }
}
