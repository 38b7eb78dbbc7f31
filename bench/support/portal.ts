import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setUp } from '@sonnenwarte/contract/accounts/accounts';
import { login } from '@sonnenwarte/contract/accounts/own-account';
import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import { connectDatabase } from '../../apps/server/src/stores/database.ts';
import { embeddedConnection } from '../../apps/server/src/stores/postgres.ts';
import { callApi, request } from '../../e2e/support/api.ts';
import { type PortalSettings, startPortal } from '../../e2e/support/portal.ts';
import type { Bench } from './benchmark.ts';

export type Db = ReturnType<typeof connectDatabase>;

/** A portal in a process of its own, without the demonstration, with one administrator. */
export interface BenchPortal {
  readonly url: string;
  readonly mqttUrl: string;
  readonly dataDir: string;
  /** Of the server. */
  readonly pid: number;
  readonly db: Db;
  /** A fresh session of the administrator. */
  session(): Promise<string>;
  call<const E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Result<E>>;
  /** Calls of somebody else who has the administrator's password. */
  callsOf(user: string): Promise<BenchPortal['call']>;
  /** A counter or gauge of /metrics, summed over its labels that contain the text. */
  metric(name: string, label?: string): Promise<number>;
  /** For how long the server's event loop did one thing at most since this was last asked, ms (10 ms too much at most). */
  longestStallMs(): Promise<number>;
  stop(): Promise<void>;
}

const USER = 'bench';
const password = randomBytes(8).toString('hex');
export const md5Hex = (text: string): string => createHash('md5').update(text).digest('hex');
export const administrator = { user: USER, password: md5Hex(password) };

/** Calls that one session may make are limited; so many sessions share them. */
const SESSIONS = 8;

export async function openPortal(bench: Bench, name: string, settings: PortalSettings = {}): Promise<BenchPortal> {
  const dataDir = join(bench.folder, name);
  mkdirSync(dataDir, { recursive: true });
  const run = startPortal(dataDir, { DEMO: 'off', LOG_LEVEL: 'warn', ...settings });
  let db: Db | undefined;
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      await db?.destroy();
      await run.end();
    })();
    return stopping;
  };
  bench.atEnd(stop);
  const { url, mqttUrl, setUpLink } = await run.ready();
  const code = setUpLink?.split('#')[1];
  if (code === undefined) throw new Error(`no link for the first account:\n${run.output()}`);
  await callApi(url, setUp, { code, user: USER, email: 'bench@example.org', password });
  db = connectDatabase(embeddedConnection(dataDir));
  const session = () => signIn(url, USER);
  const callsOf = async (user: string): Promise<BenchPortal['call']> => {
    const tokens: string[] = [];
    while (tokens.length < SESSIONS) tokens.push(await signIn(url, user));
    let calls = 0;
    return (endpoint, input) => {
      calls += 1;
      return callApi(url, endpoint, input, tokens[calls % SESSIONS] ?? '');
    };
  };
  const call = await callsOf(USER);
  let longestStallMs = 0;
  // The server tells the longest stall since it was last asked: whoever asks for anything keeps it.
  const metrics = async (): Promise<string> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    longestStallMs = Math.max(longestStallMs, sumOf(text, 'nodejs_eventloop_lag_max_seconds', '') * 1_000);
    return text;
  };
  return {
    url,
    mqttUrl,
    dataDir,
    pid: run.serverPid(),
    db,
    session,
    call,
    callsOf,
    metric: async (metric, label = '') => sumOf(await metrics(), metric, label),
    async longestStallMs() {
      await metrics();
      const longest = longestStallMs;
      longestStallMs = 0;
      return longest;
    },
    stop,
  };
}

/** A new session; where there were too many, as soon as there may be another. */
async function signIn(url: string, user: string): Promise<string> {
  for (;;) {
    const { errno, msg, result } = await request(url, login, { ...administrator, user });
    if (errno === 0) return result.token;
    const { retryAfterMs } = (result ?? {}) as { retryAfterMs?: number };
    if (retryAfterMs === undefined) throw new Error(`${errno}-${msg}`);
    await delay(retryAfterMs);
  }
}

function sumOf(text: string, metric: string, label: string): number {
  let sum = 0;
  for (const line of text.split('\n')) {
    if (!line.startsWith(metric)) continue;
    const rest = line.slice(metric.length);
    if (!/^[ {]/.test(rest) || !rest.includes(label)) continue;
    sum += Number(rest.slice(rest.lastIndexOf(' ') + 1));
  }
  return sum;
}
