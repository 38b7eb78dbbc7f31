import { createHash, randomBytes } from 'node:crypto';
import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import type { Envelope } from '@sonnenwarte/contract/envelope';
import { openSignatureBase, signatureBase, WEB_CLIENT_ID } from '@sonnenwarte/contract/signature';
import { type Logger, pino } from 'pino';
import { hashToken, openSession } from '../accounts/sessions.ts';
import { readConfig } from '../config.ts';
import { type Server, type ServerOptions, startServer } from '../server.ts';
import { testHome } from './store-house/borrow.ts';

export interface CallOptions {
  token?: string;
  lang?: string;
  timestamp?: string;
  signature?: string;
  headers?: Record<string, string>;
}

export interface Answer<T> extends Envelope<T> {
  status: number;
}

/** A running portal with the demo's accounts and plants but nobody who speaks for its dataloggers. */
export interface TestPortal {
  readonly server: Server;
  readonly url: string;
  /** A fresh session of an account. */
  sessionOf(user: string): Promise<string>;
  /** A fresh API key of an account, for the calls whose `auth` is `apiKey`. */
  apiKeyOf(user: string): Promise<string>;
  /** A signed call as the web client makes it, or a client of the open API. */
  call<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions): Promise<Answer<Result<E>>>;
  fetch(endpoint: Endpoint, input: unknown, options?: CallOptions & { signal?: AbortSignal }): Promise<Response>;
  stop(): Promise<void>;
}

export const signatureOf = (endpointPath: string, token: string, lang: string, timestamp: string): string => {
  const base = signatureBase({ path: endpointPath, token, lang, timestamp });
  return `${createHash('md5').update(base).digest('hex')}.${WEB_CLIENT_ID}`;
};

/** Signature of a call of the open API. */
export const openSignatureOf = (endpointPath: string, token: string, timestamp: string): string =>
  createHash('md5')
    .update(openSignatureBase({ path: endpointPath, token, timestamp }))
    .digest('hex');

/** A call that takes a file for a record, with a file: without one nobody looks at the record. */
export function uploaded(
  endpoint: Endpoint,
  input: unknown,
  [target, init]: [string, RequestInit],
): [string, RequestInit] {
  if (endpoint.upload === undefined || endpoint.names === undefined) return [target, init];
  const body = new FormData();
  for (const [name, value] of Object.entries(input as Record<string, unknown>)) body.append(name, String(value));
  body.append('file', new Blob(['sn\n']), 'file.csv');
  const { 'content-type': _, ...headers } = init.headers as Record<string, string>;
  return [target, { ...init, headers, body }];
}

export function signedRequest(
  url: string,
  endpoint: Endpoint,
  input: unknown,
  options: CallOptions = {},
): [string, RequestInit] {
  const { token = '', lang = 'en', timestamp = String(Date.now()) } = options;
  const signature =
    endpoint.auth === 'apiKey'
      ? openSignatureOf(endpoint.path, token, timestamp)
      : signatureOf(endpoint.path, token, lang, timestamp);
  const headers = {
    lang,
    token,
    timezone: 'Europe/Berlin',
    timestamp,
    signature: options.signature ?? signature,
    'content-type': 'application/json',
    ...options.headers,
  };
  if (endpoint.method === 'POST')
    return [url + endpoint.path, { method: 'POST', headers, body: JSON.stringify(input) }];
  const query = new URLSearchParams(
    Object.entries(input as Record<string, unknown>).map(([key, value]) => [key, String(value)]),
  );
  return [`${url}${endpoint.path}?${query}`, { headers }];
}

export async function startTestPortal(
  env: Record<string, string> = {},
  logger: Logger = pino({ level: 'silent' }),
  options: Pick<ServerOptions, 'patience' | 'watch' | 'apiOnly'> & {
    /** For tests that stop, freeze or kill them. */
    ownStores?: boolean;
  } = {},
): Promise<TestPortal> {
  const { ownStores = false, ...rest } = options;
  const { settings, leave } = await testHome({ ownStores });
  const config = readConfig({ ...settings, DEMO: 'on', ...env });
  const server = await startServer({ config, logger, apiOnly: true, withoutSimulator: true, ...rest }).catch(
    (error) => {
      leave();
      throw error;
    },
  );
  const url = `http://127.0.0.1:${server.port}`;
  const request: TestPortal['fetch'] = (endpoint, input, options = {}) => {
    const [target, init] = uploaded(endpoint, input, signedRequest(url, endpoint, input, options));
    return fetch(target, { ...init, ...(options.signal && { signal: options.signal }) });
  };
  const { db } = server.stores;
  const accountIdOf = async (user: string): Promise<string> =>
    (await db.selectFrom('accounts').select('id').where('username', '=', user).executeTakeFirstOrThrow()).id;
  return {
    server,
    url,
    fetch: request,
    sessionOf: async (user) => (await openSession(db, await accountIdOf(user), { address: '', userAgent: '' })).token,
    apiKeyOf: async (user) => {
      const key = randomBytes(32).toString('hex');
      await db
        .insertInto('api_keys')
        .values({
          account_id: await accountIdOf(user),
          name: 'test',
          prefix: key.slice(0, 8),
          key_hash: hashToken(key),
          last_used_at: null,
          revoked_at: null,
        })
        .execute();
      return key;
    },
    call: async (endpoint, input, options) => {
      const response = await request(endpoint, input, options);
      return { status: response.status, ...((await response.json()) as Envelope<never>) };
    },
    stop: async () => {
      await server.stop();
      leave();
    },
  };
}
