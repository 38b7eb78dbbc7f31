import { isLevel } from '@sonnenwarte/contract/levels';
import type { Kysely } from 'kysely';
import { CallError } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';
import { accountByLogin } from './accounts.store.ts';
import { fitsPassword } from './passwords.ts';
import { openSession } from './sessions.ts';

const windowMs = 15 * 60_000;
const freeFailures = 5;
const longestDelayMs = 5 * 60_000;

/** Failed sign-ins of the last 15 minutes by account and by address: after five, a growing wait, never a lock. */
export class FailedSignIns {
  readonly #failures = new Map<string, { count: number; lastMs: number }>();

  /** Milliseconds until the next try is taken; 0 when it is taken now. */
  waitMs(keys: readonly string[], nowMs: number): number {
    return Math.max(0, ...keys.map((key) => this.#waitOf(key, nowMs)));
  }

  failed(keys: readonly string[], nowMs: number): void {
    for (const key of keys) {
      const past = this.#failures.get(key);
      const count = past && nowMs - past.lastMs < windowMs ? past.count + 1 : 1;
      this.#failures.set(key, { count, lastMs: nowMs });
    }
    if (this.#failures.size > 50_000) this.#forget(nowMs);
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }

  #waitOf(key: string, nowMs: number): number {
    const past = this.#failures.get(key);
    if (!past || past.count < freeFailures || nowMs - past.lastMs >= windowMs) return 0;
    const delayMs = Math.min(longestDelayMs, 1000 * 2 ** (past.count - freeFailures));
    return Math.max(0, past.lastMs + delayMs - nowMs);
  }

  #forget(nowMs: number): void {
    for (const [key, { lastMs }] of this.#failures) if (nowMs - lastMs >= windowMs) this.#failures.delete(key);
  }
}

/** Signs in with user name or e-mail; the same refusal, after the same work, for an unknown account and a wrong password. */
export async function signIn(
  db: Kysely<Database>,
  failures: FailedSignIns,
  input: { user: string; password: string },
  from: { address: string; userAgent: string },
) {
  const accountKey = `account:${input.user.toLowerCase()}`;
  const addressKey = `address:${from.address}`;
  const keys = [accountKey, addressKey];
  const waitMs = failures.waitMs(keys, Date.now());
  if (waitMs > 0) throw new CallError('tryLater', { retryAfterMs: waitMs });
  const account = await accountByLogin(db, input.user);
  if (!(await fitsPassword(input.password, account?.password_hash)) || !account || !isLevel(account.level)) {
    failures.failed(keys, Date.now());
    throw new CallError('badUserNameOrPassword');
  }
  failures.succeeded(accountKey);
  const session = await openSession(db, account.id, from);
  return { ...session, access: account.level, user: account.username };
}
