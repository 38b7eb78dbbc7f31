import { randomBytes } from 'node:crypto';
import { type apiKeyEndpoints, MAX_API_KEYS } from '@sonnenwarte/contract/api-keys/api-keys';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { holdSignedIn } from '../accounts/judged-password.ts';
import { hashToken } from '../accounts/sessions.ts';
import { recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { notify } from '../notifications/notify.ts';
import type { Uses } from '../services.ts';
import { callsOf, callsOfAccount, countInverters, dayOf, insertKey, keysOf, revokeKey } from './api-keys.store.ts';
import { dailyLimit } from './key-actors.ts';

type Keys = typeof apiKeyEndpoints;

const PREFIX_LENGTH = 8;

const nextMidnight = (nowMs: number): number => Date.parse(`${dayOf(nowMs + 86_400_000)}T00:00:00Z`);

export async function keyList(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  _: unknown,
  { actor, scope }: CallContext,
): Promise<Result<Keys['list']>> {
  const now = nowMs();
  const day = dayOf(now);
  const [keys, calls, used, inverters] = await Promise.all([
    keysOf(db, actor.accountId),
    callsOf(db, actor.accountId, day),
    callsOfAccount(db, actor.accountId, day),
    countInverters(db, scope),
  ]);
  const limit = dailyLimit(inverters);
  return {
    dailyLimit: limit,
    remaining: Math.max(0, limit - used),
    inverters,
    resetsAtMs: nextMidnight(now),
    keys: keys.map((key) => {
      const endpoints = calls.filter((call) => call.key_id === key.id);
      const today = endpoints.reduce((sum, call) => sum + call.calls, 0);
      return {
        id: key.id,
        name: key.name,
        prefix: key.prefix,
        createdAtMs: key.created_at.getTime(),
        lastUsedMs: key.last_used_at?.getTime() ?? null,
        calls: today,
        endpoints: endpoints.map(({ path, calls }) => ({ path, calls })),
      };
    }),
  };
}

/** Makes a key of 256 random bits; only its hash is kept. */
export function createKey(
  { db }: Uses<'db'>,
  { name }: Parsed<Keys['create']>,
  context: CallContext,
): Promise<Result<Keys['create']>> {
  const { actor } = context;
  const key = randomBytes(32).toString('hex');
  const prefix = key.slice(0, PREFIX_LENGTH);
  return db.transaction().execute(async (tx) => {
    await holdSignedIn(tx, actor);
    if ((await keysOf(tx, actor.accountId)).length >= MAX_API_KEYS) throw new CallError('tooManyApiKeys');
    const id = await insertKey(tx, { accountId: actor.accountId, name, prefix, hash: hashToken(key) });
    await notify(tx, actor.accountId, { kind: 'apiKeyCreated', name, address: context.address });
    await recordAudit(tx, context, {
      log: 'account',
      action: 'api-keys.create',
      recordKind: 'apiKey',
      recordId: id,
      recordName: name,
      organisationPath: actor.organisationPath,
      after: { name, prefix },
    });
    return { id, key };
  });
}

export function revokeKeyOf(
  { db }: Uses<'db'>,
  { id }: Parsed<Keys['revoke']>,
  context: CallContext,
): Promise<Result<Keys['revoke']>> {
  const { actor } = context;
  return db.transaction().execute(async (tx) => {
    const { name, prefix } = found(await revokeKey(tx, actor.accountId, id), 'apiKeyNotFound');
    await recordAudit(tx, context, {
      log: 'account',
      action: 'api-keys.revoke',
      recordKind: 'apiKey',
      recordId: id,
      recordName: name,
      organisationPath: actor.organisationPath,
      before: { name, prefix },
    });
    return {};
  });
}
