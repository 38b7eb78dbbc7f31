import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { line } from '../fields.ts';
import { levels } from '../levels.ts';
import { limits } from '../limits.ts';

/** Keys that an account may have at a time. */
export const MAX_API_KEYS = 10;
/** Calls that the keys of an account have on a day together, for each inverter in its scope, and at least. */
export const CALLS_PER_INVERTER_AND_DAY = 1_440;

export const apiKeyName = line(limits.siteName.max, limits.siteName.min);

export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** First characters, by which its owner recognises it. */
  prefix: z.string(),
  createdAtMs: z.int(),
  lastUsedMs: z.nullable(z.int()),
  /** Calls of today (UTC). */
  calls: z.int(),
  /** Calls of today by endpoint, most first. */
  endpoints: z.array(z.object({ path: z.string(), calls: z.int() })),
});
export type ApiKey = z.infer<typeof apiKey>;

export const list = endpoint({
  method: 'GET',
  path: '/c/v0/user/apiKey/list',
  feature: 'api-keys',
  summary: 'API keys of the signed-in account with their calls of today.',
  callers: levels,
  input: z.object({}),
  result: z.object({
    keys: z.array(apiKey),
    /** Calls that all keys have on a day together. */
    dailyLimit: z.int(),
    /** Of these, what is left today. */
    remaining: z.int(),
    inverters: z.int(),
    resetsAtMs: z.int(),
  }),
});

export const create = endpoint({
  method: 'POST',
  path: '/c/v0/user/apiKey/create',
  feature: 'api-keys',
  summary: 'Make an API key. It is shown this once.',
  callers: levels,
  changes: ['api-keys', 'user-center'],
  input: z.object({ name: apiKeyName }),
  result: z.object({ id: z.string(), key: z.string() }),
});

export const revoke = endpoint({
  method: 'POST',
  path: '/c/v0/user/apiKey/revoke',
  feature: 'api-keys',
  summary: 'Revoke an API key at once.',
  callers: levels,
  changes: ['api-keys', 'user-center'],
  input: z.object({ id: z.uuid() }),
  result: z.object({}),
  names: { id: 'apiKey' },
});

export const apiKeyEndpoints = { list, create, revoke } as const;
