import { CALLS_PER_INVERTER_AND_DAY } from '@sonnenwarte/contract/api-keys/api-keys';
import { isLevel } from '@sonnenwarte/contract/levels';
import type { Kysely } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { type Scope, scopeOf } from '../access/scope.ts';
import { codesOf } from '../accounts/session-actors.ts';
import { hashToken } from '../accounts/sessions.ts';
import { CallPace } from '../attempts/call-pace.ts';
import { CallError } from '../http/call-error.ts';
import type { FindKeyActor } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import {
  accountByKey,
  callsOfAccount,
  countCall,
  countInverters,
  dayOf,
  type KeyAccount,
  touchKey,
} from './api-keys.store.ts';

const touchEveryMs = 60_000;
const limitGoodForMs = 60_000;

/** Asking how much is left costs nothing. */
const uncounted: ReadonlySet<string> = new Set(['/op/v0/user/getAccessCount']);

/** Calls that the keys of an account have on a day together. */
export const dailyLimit = (inverters: number): number => CALLS_PER_INVERTER_AND_DAY * Math.max(1, inverters);

/** Who calls with a key of an account; undefined while that account is shut out. */
export function actorOfKey(account: KeyAccount): Actor | undefined {
  const { level } = account;
  if (!isLevel(level) || account.disabled_at || account.deleted_at) return undefined;
  const isShut = account.organisation_disabled_at !== null || account.organisation_deleted_at !== null;
  // The owners of plants keep their access when their installer is disabled.
  if (isShut && level !== 1) return undefined;
  return {
    accountId: account.id,
    username: account.username,
    level,
    organisationID: account.organisation_id,
    organisationPath: account.path,
    codes: codesOf(level, account.leads, account.group_codes),
    sessionId: '',
    mustChangePassword: account.password_temporary,
    viewAs: null,
  };
}

/** Finds the account of an API key, and keeps to its pace and quota. */
export function keyActors(db: Kysely<Database>, nowMs: () => number): FindKeyActor {
  const pace = new CallPace();
  const limits = new Map<string, { limit: number; untilMs: number }>();

  async function limitOf(accountId: string, scope: Scope): Promise<number> {
    const known = limits.get(accountId);
    if (known && known.untilMs > nowMs()) return known.limit;
    const limit = dailyLimit(await countInverters(db, scope));
    if (limits.size > 10_000) limits.clear();
    limits.set(accountId, { limit, untilMs: nowMs() + limitGoodForMs });
    return limit;
  }

  return async (key, path, tell) => {
    if (!/^[0-9a-f]{64}$/.test(key)) throw new CallError('tokenInvalid');
    const account = await accountByKey(db, hashToken(key));
    const actor = account && actorOfKey(account);
    if (!actor) throw new CallError('tokenInvalid');
    const now = nowMs();
    const limit = await limitOf(account.id, scopeOf(actor));
    const call = { accountId: account.id, keyId: account.key_id, day: dayOf(now), path, limit };
    const callsSoFar = () => callsOfAccount(db, call.accountId, call.day);
    const say = (calls: number) => tell({ total: call.limit, remaining: Math.max(0, call.limit - calls) });
    if (!pace.admits(`${call.keyId} ${path}`, now)) {
      say(await callsSoFar());
      throw new CallError('tooManyRequests');
    }
    const calls = uncounted.has(path) ? await callsSoFar() : await countCall(db, call);
    say(calls ?? call.limit);
    if (calls === undefined) throw new CallError('quotaUsedUp');
    if (now - (account.last_used_at?.getTime() ?? 0) > touchEveryMs) await touchKey(db, call.keyId);
    return actor;
  };
}
