import { setTimeout as delay } from 'node:timers/promises';
import { forgotPassword } from '@sonnenwarte/contract/accounts/accounts';
import { login } from '@sonnenwarte/contract/accounts/own-account';
import { errno } from '@sonnenwarte/contract/errors';
import { signUp } from '@sonnenwarte/contract/sign-up/sign-up';
import { list } from '@sonnenwarte/contract/sites/sites';
import { hashPassword } from '../apps/server/src/accounts/passwords.ts';
import { openSession } from '../apps/server/src/accounts/sessions.ts';
import { type Bench, benchmark } from './support/benchmark.ts';
import { callFrom, newAddress } from './support/callers.ts';
import { makePlants } from './support/fleet.ts';
import { type BenchPortal, type Db, md5Hex, openPortal } from './support/portal.ts';
import { median, percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { coresText, watchUsage } from './support/usage.ts';

const accounts = sized(400, 12);
const signInsPerS = setting('BENCH_SIGN_INS_PER_S', 200, 20);
const seconds = setting('BENCH_SIGN_IN_S', 20, 2);
const sessions = sized(1_000, 20);
/** Each of a thousand sessions reads every 20 s; in between it has its live stream. */
const sessionReadsPerS = 50;
const readsPerS = 50;
const tries = sized(200, 4);
const RIGHT = md5Hex('bench-password');
const WRONG = md5Hex('another-password');
const nameOf = (at: number) => `account-${at % accounts}`;
const emailOf = (at: number) => `${nameOf(at)}@example.org`;

async function makeAccounts(db: Db): Promise<string[]> {
  const { id: organisation } = await db.selectFrom('organisations').select('id').executeTakeFirstOrThrow();
  const passwordHash = await hashPassword(RIGHT);
  const rows = await db
    .insertInto('accounts')
    .values(
      Array.from({ length: accounts }, (_, at) => ({
        organisation_id: organisation,
        username: nameOf(at),
        email: emailOf(at),
        password_hash: passwordHash,
        level: 255,
        leads: true,
        language: null,
        disabled_at: null,
        deleted_at: null,
      })),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Calls at a steady rate, whatever the answers take; answers once all have been answered. */
async function steadily(perS: number, forS: number, call: (at: number) => Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  const failures: unknown[] = [];
  const running: Promise<unknown>[] = [];
  for (let at = 0; at < perS * forS; at += 1) {
    const dueMs = startedMs + (at * 1000) / perS - performance.now();
    if (dueMs > 1) await delay(dueMs);
    running.push(call(at).catch((error: unknown) => failures.push(error)));
  }
  await Promise.all(running);
  if (failures.length > 0) throw new Error(`${failures.length} of ${running.length} calls failed: ${failures[0]}`);
}

async function timedInto(times: number[], call: () => Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  await call();
  times.push(performance.now() - startedMs);
}

async function measureLoad(bench: Bench, portal: BenchPortal): Promise<void> {
  const token = await portal.session();
  const read = async () => {
    const { errno: number } = await callFrom(portal.url, list, { pageSize: 10 }, token);
    if (number !== 0) throw new Error(`a plant list is refused: ${number}`);
  };
  const quiet: number[] = [];
  await steadily(readsPerS, 5, () => timedInto(quiet, read));
  const counts = new Map<number | 'none', number>();
  const answered: number[] = [];
  const refused: number[] = [];
  const reads: number[] = [];
  bench.say(`${signInsPerS} sign-ins/s for ${seconds} s`);
  const usage = watchUsage(portal.pid, [process.pid]);
  await Promise.all([
    steadily(signInsPerS, seconds, async (at) => {
      const startedMs = performance.now();
      const right = at % 2 === 0;
      const input = right ? { user: nameOf(at / 2), password: RIGHT } : { user: `stranger-${at}`, password: WRONG };
      const answer = await callFrom(portal.url, login, input).catch(() => undefined);
      const number = answer?.errno ?? 'none';
      counts.set(number, (counts.get(number) ?? 0) + 1);
      if (answer) (number === errno.tryLater ? refused : answered).push(performance.now() - startedMs);
    }),
    steadily(readsPerS, seconds, () => timedInto(reads, read)),
  ]);
  const cores = coresText(usage.end());
  const of = (number: number | 'none') => counts.get(number) ?? 0;
  const judged = of(0) + of(errno.badUserNameOrPassword);
  const known = judged + of(errno.tryLater);
  bench.tell(
    'sign-in.asked',
    (signInsPerS * seconds) / seconds,
    `half with the right password, half for no account; ${cores}`,
  );
  bench.tell('sign-in.judged', judged / seconds, `${of(0)} signed in, ${of(errno.badUserNameOrPassword)} wrong`);
  bench.tell('sign-in.refused', of(errno.tryLater) / seconds, `p95 ${shown(percentiles(refused).p95)} ms`);
  bench.tell('sign-in.unanswered', signInsPerS * seconds - known);
  bench.tell('sign-in.answer', percentiles(answered).p95, `p50 ${shown(percentiles(answered).p50)} ms`);
  const { p50, max } = percentiles(reads);
  const before = percentiles(quiet);
  bench.tell(
    'sign-in.reads',
    percentiles(reads).p95,
    `${reads.length} plant lists, p50 ${shown(p50)}, slowest ${shown(max)} ms; without sign-ins p95 ${shown(before.p95)} ms`,
  );
}

async function measureSessions(bench: Bench, portal: BenchPortal, ids: readonly string[]): Promise<void> {
  const tokens: string[] = [];
  for (let at = 0; at < sessions; at += 1) {
    const session = await openSession(portal.db, ids[at % ids.length] ?? '', { address: newAddress(), userAgent: '' });
    tokens.push(session.token);
  }
  const times: number[] = [];
  let failures = 0;
  bench.say(`reads in ${sessions} sessions`);
  await steadily(sessionReadsPerS, Math.max(2, seconds), (at) =>
    timedInto(times, async () => {
      const { errno: number } = await callFrom(portal.url, list, { pageSize: 10 }, tokens[at % tokens.length]);
      if (number !== 0) failures += 1;
    }),
  );
  if (failures > 0) throw new Error(`${failures} reads in ${sessions} sessions failed`);
  bench.tell('sign-in.sessions', sessions, `${times.length} reads, ${sessionReadsPerS}/s, in turn by all of them`);
  bench.tell('sign-in.sessions.reads', percentiles(times).p95, `p50 ${shown(percentiles(times).p50)} ms`);
}

/** Largest difference of the medians of kinds of calls that are tried in turn, the order changing each time. */
async function difference(kinds: Readonly<Record<string, (at: number) => Promise<unknown>>>) {
  const names = Object.keys(kinds);
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let at = -2; at < tries; at += 1) {
    const order = names.map((_, place) => names[(place + Math.max(0, at)) % names.length] ?? '');
    for (const name of at % 2 === 0 ? order : order.toReversed()) {
      const into: number[] = at < 0 ? [] : (times.get(name) ?? []);
      await timedInto(into, async () => kinds[name]?.(Math.max(0, at)));
    }
  }
  const medians = names.map((name) => [name, median(times.get(name) ?? [])] as const);
  const values = medians.map(([, value]) => value);
  return {
    ms: Math.max(...values) - Math.min(...values),
    detail: `${tries} each: ${medians.map(([name, value]) => `${name} ${value.toFixed(1)}`).join(', ')} ms`,
  };
}

async function measureEnumeration(bench: Bench, portal: BenchPortal): Promise<void> {
  const { url, db } = portal;
  await db.deleteFrom('attempts').execute();
  await db
    .updateTable('accounts')
    .set({ disabled_at: new Date() })
    .where(
      'username',
      'in',
      Array.from({ length: accounts / 2 }, (_, at) => nameOf(accounts / 2 + at)),
    )
    .execute();
  const signIn = (user: string, password = WRONG) => callFrom(url, login, { user, password });
  const half = accounts / 2;
  bench.say('sign-in: known and unknown');
  const atSignIn = await difference({
    'known name': (at) => signIn(nameOf(at % half)),
    'unknown name': (at) => signIn(`nobody-${at}`),
    'known address': (at) => signIn(emailOf(at % half)),
    'unknown address': (at) => signIn(`nobody-${at}@example.org`),
    'disabled account': (at) => signIn(nameOf(half + (at % half)), RIGHT),
  });
  bench.tell('sign-in.enumeration', atSignIn.ms, atSignIn.detail);
  bench.say('forgotten password: known and unknown');
  const ask = (user: string) => callFrom(url, forgotPassword, { user });
  const atReset = await difference({
    'known name': (at) => ask(nameOf(at % half)),
    'unknown name': (at) => ask(`nobody-${at}`),
    'known address': (at) => ask(emailOf(at % half)),
    'unknown address': (at) => ask(`nobody-${at}@example.org`),
  });
  bench.tell('sign-in.enumeration.reset', atReset.ms, atReset.detail);
  bench.say('sign-up: address taken and free');
  const join = (user: string, email: string) =>
    callFrom(url, signUp, {
      role: 'endUser',
      user,
      email,
      password: 'bench-password',
      country: 'DE',
      termsAccepted: true,
    });
  const atSignUp = await difference({
    'address taken': (at) => join(`taken-${at}`, emailOf(at % half)),
    'address free': (at) => join(`free-${at}`, `free-${at}@example.org`),
  });
  bench.tell('sign-in.enumeration.sign-up', atSignUp.ms, atSignUp.detail);
}

await benchmark('sign-in', async (bench) => {
  const portal = await openPortal(bench, 'portal', { TRUSTED_PROXIES: '127.0.0.1' });
  const ids = await makeAccounts(portal.db);
  await makePlants(portal.db, 1, sized(1_000, 20));
  await measureLoad(bench, portal);
  await measureSessions(bench, portal, ids);
  await measureEnumeration(bench, portal);
});
