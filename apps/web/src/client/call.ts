import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import type { Envelope } from '@sonnenwarte/contract/envelope';
import { errno } from '@sonnenwarte/contract/errors';
import { REQUEST_TIMEOUT_MS } from '@sonnenwarte/contract/limits';
import { globalState } from '../state/global-state.ts';
import { loadingBegins, loadingEnds } from '../state/loading.ts';
import { tokenOf } from '../state/session.ts';
import { learnServerTime, serverNowMs } from './clock.ts';
import { ApiError, isFailure, NetworkError, StatusError } from './failures.ts';
import { headersOf } from './headers.ts';
import { noteHeard, noteUnanswered } from './line.ts';
import type { Callable } from './permit.ts';
import { report } from './reporting.ts';

export interface CallOptions {
  signal?: AbortSignal;
  /** Nothing is told of this call's failures. */
  quiet?: boolean;
  /** The screen says the failure where its data would stand: no global message, but what leads elsewhere still does. */
  inPlace?: boolean;
  /** How long it waits, where much is written at once. */
  timeoutMs?: number;
}

/** Signed headers of a call made now. */
export function headersNow(endpoint: Endpoint): Record<string, string> {
  const timestamp = String(Math.round(serverNowMs()));
  const headers = headersOf({
    path: endpoint.path,
    token: tokenOf(),
    lang: globalState.get().language,
    timestamp,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    signed: endpoint.signed !== false,
  });
  Object.assign(headers, endpoint.headers);
  globalState.set({ timestamp, signature: headers.signature ?? '' });
  return headers;
}

export function urlOf(path: string, input: object): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) if (value !== undefined) query.set(key, String(value));
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

const isEnvelope = (body: unknown): body is Envelope<unknown> =>
  typeof body === 'object' && body !== null && 'errno' in body && typeof body.errno === 'number';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The result of an answer, or the failure that it stands for. */
export async function resultOf(response: Response): Promise<unknown> {
  // A body that breaks off was cut by the network or by us: no answer of the server.
  const body = parsed(await response.text());
  if (!isEnvelope(body)) throw new StatusError(response.ok ? 500 : response.status, response.statusText);
  if (body.errno !== errno.ok) throw new ApiError(body.errno, body.msg, body.result);
  if (!response.ok) throw new StatusError(response.status, body.msg);
  return body.result;
}

async function send(
  endpoint: Endpoint,
  input: object,
  { signal, timeoutMs = REQUEST_TIMEOUT_MS }: CallOptions,
): Promise<unknown> {
  const timeLimit = AbortSignal.timeout(timeoutMs);
  const get = endpoint.method === 'GET';
  try {
    const headers = headersNow(endpoint);
    const sentAtMs = Date.now();
    const response = await fetch(get ? urlOf(endpoint.path, input) : endpoint.path, {
      method: endpoint.method,
      headers,
      body: get ? null : JSON.stringify(input),
      credentials: 'omit',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, timeLimit]) : timeLimit,
    });
    noteHeard();
    learnServerTime(response.headers.get('x-server-time'), sentAtMs, Date.now());
    return await resultOf(response);
  } catch (error) {
    if (isFailure(error) || signal?.aborted) throw error;
    if (!timeLimit.aborted) void noteUnanswered();
    throw new NetworkError(timeLimit.aborted);
  }
}

/** One call of the API. Failures are reported to the user once, and thrown. */
export async function call<const E extends Callable>(
  endpoint: E,
  input: Input<E>,
  options: CallOptions = {},
): Promise<Result<E>> {
  const { quiet = false, inPlace = false } = options;
  const token = tokenOf();
  loadingBegins();
  try {
    return (await send(endpoint, input, options)) as Result<E>;
  } catch (error) {
    if (!quiet && isFailure(error)) void report(error, { inPlace, token });
    throw error;
  } finally {
    loadingEnds();
  }
}
