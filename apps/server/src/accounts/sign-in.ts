import { isLevel } from '@sonnenwarte/contract/levels';
import type { Kysely } from 'kysely';
import { FREE_FAILURES, networkOf } from '../attempts/attempts.states.ts';
import { forgetFailures, noteFailure, signInKeys, waitMsOf } from '../attempts/attempts.store.ts';
import { recordAudit } from '../audit/audit.ts';
import { CallError } from '../http/call-error.ts';
import type { PublicContext } from '../http/serve.ts';
import { noticeNewSignIn } from '../notifications/new-sign-in.ts';
import type { Database } from '../stores/schema.ts';
import { type AccountAtDoor, accountByLogin, noteSignIn } from './accounts.store.ts';
import { KeyedGate } from './keyed-gate.ts';
import { isKnownNetwork, noteNetwork } from './known-networks.store.ts';
import { fitsPassword, hashing } from './passwords.ts';
import type { RefusedSignIns } from './refused-sign-ins.ts';
import { openSession } from './sessions.ts';

/** Tries that wait behind others on the same account or from the same address, so that none of these takes all the room. */
const MOST_WAITING_ON_ACCOUNT = 10;
const MOST_WAITING_FROM_ADDRESS = 20;

interface Tried {
  user: string;
  password: string;
}

/** Signing in with user name or e-mail. */
export class SignIns {
  readonly #db: Kysely<Database>;
  readonly #refused: RefusedSignIns;
  /** Tries on one account are judged one after the other, so that none gets past the count of those before it. */
  readonly #ofAccount = new KeyedGate(1, MOST_WAITING_ON_ACCOUNT);
  readonly #ofAddress = new KeyedGate(FREE_FAILURES, MOST_WAITING_FROM_ADDRESS);
  #pending = 0;

  constructor(db: Kysely<Database>, refused: RefusedSignIns) {
    this.#db = db;
    this.#refused = refused;
  }

  /**
   * Opens a session. The same refusal, after the same work, for a wrong password and an account that is unknown,
   * disabled or deleted, or whose temporary password was used; what cannot be judged in time is refused at once.
   */
  async signIn(tried: Tried, from: PublicContext) {
    // Before any work: those who are refused here take no connection to the database from other calls.
    hashing.assertRoom(this.#pending);
    this.#pending += 1;
    try {
      const network = networkOf(from.address);
      return await this.#ofAddress.run(network, async () => {
        const isKnown = await isKnownNetwork(this.#db, tried.user, from.address);
        const name = tried.user.toLowerCase();
        // Strangers who try the name do not stand in the way of who is known there.
        return this.#ofAccount.run(isKnown ? `${name} ${network}` : name, () => this.#judge(tried, from, isKnown));
      });
    } finally {
      this.#pending -= 1;
    }
  }

  async #judge(tried: Tried, from: PublicContext, isKnown: boolean) {
    const keys = signInKeys(tried.user, from.address, isKnown);
    const [waitMs, account] = await Promise.all([
      waitMsOf(this.#db, [keys.account, keys.address]),
      accountByLogin(this.#db, tried.user),
    ]);
    if (waitMs > 0) throw new CallError('tryLater', { retryAfterMs: waitMs });
    const fits = await fitsPassword(tried.password, account?.isOpen ? account.password_hash : undefined);
    const session = fits && account ? await this.#enter(account, from) : undefined;
    if (!session) {
      await noteFailure(this.#db, [keys.account, keys.address]);
      this.#noteRefusal(tried.user, account, from);
      throw new CallError('badUserNameOrPassword');
    }
    await forgetFailures(this.#db, [keys.account]);
    return session;
  }

  /** Undefined where the account changed since it was looked up: a temporary password opens one session only. */
  async #enter(account: AccountAtDoor, from: PublicContext) {
    const { level } = account;
    if (!isLevel(level)) return undefined;
    return this.#db.transaction().execute(async (tx) => {
      if (!(await noteSignIn(tx, account))) return undefined;
      await noteNetwork(tx, account.id, from.address);
      await noticeNewSignIn(tx, account.id, from);
      const session = await openSession(tx, account.id, from);
      await recordAudit(tx, from, {
        log: 'account',
        action: 'accounts.signIn',
        recordKind: 'account',
        recordId: account.id,
        recordName: account.username,
        organisationPath: account.path,
        actorName: account.username,
      });
      return { ...session, access: level, user: account.username, passwordTemporary: account.password_temporary };
    });
  }

  #noteRefusal(user: string, account: AccountAtDoor | undefined, from: PublicContext): void {
    // What is no account's name may be a password that was typed into the wrong field.
    const name = account?.username ?? `${user.slice(0, 2)}…`;
    this.#refused.add(from, {
      log: 'account',
      action: 'accounts.signInRefused',
      recordKind: 'account',
      recordId: account?.id ?? '',
      recordName: name,
      organisationPath: account?.path ?? [],
      actorName: name,
    });
  }
}
