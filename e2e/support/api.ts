import { createHash } from 'node:crypto';
import { login } from '@sonnenwarte/contract/accounts/own-account';
import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import type { Envelope } from '@sonnenwarte/contract/envelope';
import type { Level } from '@sonnenwarte/contract/levels';
import { signatureBase, WEB_CLIENT_ID } from '@sonnenwarte/contract/signature';

export interface Session {
  token: string;
  access: Level;
  user: string;
}

export const md5Hex = (text: string): string => createHash('md5').update(text).digest('hex');

/** Sends a call as any client of the API does and answers its whole envelope. */
export async function request<const E extends Endpoint>(
  url: string,
  endpoint: E,
  input: Input<E>,
  token = '',
): Promise<Envelope<Result<E>>> {
  const timestamp = String(Date.now());
  const lang = 'en';
  const { path, method } = endpoint;
  const headers = {
    // People who sign up do not share an address as those of one machine do.
    'x-forwarded-for': `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`,
    lang,
    token,
    timezone: 'Europe/Berlin',
    timestamp,
    'content-type': 'application/json',
    signature: `${md5Hex(signatureBase({ path, token, lang, timestamp }))}.${WEB_CLIENT_ID}`,
  };
  const query = new URLSearchParams(Object.entries(input).map(([key, value]) => [key, String(value)]));
  const signal = AbortSignal.timeout(25_000);
  const response =
    method === 'POST'
      ? await fetch(url + path, { method, headers, body: JSON.stringify(input), signal })
      : await fetch(`${url}${path}?${query}`, { headers, signal });
  return (await response.json()) as Envelope<Result<E>>;
}

/** The result of a call. Throws with the error number when it is refused. */
export async function callApi<const E extends Endpoint>(
  url: string,
  endpoint: E,
  input: Input<E>,
  token = '',
): Promise<Result<E>> {
  const { errno, msg, result } = await request(url, endpoint, input, token);
  if (errno !== 0) throw new Error(`${endpoint.path}: ${errno}-${msg} ${JSON.stringify(result)}`);
  return result;
}

/** A new session of an account. */
export async function openSession(url: string, user: string, password: string): Promise<Session> {
  const { token, access } = await callApi(url, login, { user, password: md5Hex(password) });
  return { token, access, user };
}
