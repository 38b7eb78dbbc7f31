import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setUp } from '@sonnenwarte/contract/accounts/accounts';
import { auditEndpoints } from '@sonnenwarte/contract/audit/audit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callApi, openSession } from '../support/api.ts';
import {
  addressIn,
  newDataDir,
  type PortalRun,
  type PortalSettings,
  removeDataDir,
  repositoryRoot,
  startPortal,
  waitUntilReady,
} from '../support/portal.ts';
import { isRunning, killHard, processesOf, treeOf } from '../support/processes.ts';
import { waitUntil, within } from '../support/wait-until.ts';

const account = { user: 'chief', password: 'a good secret' };
/** Makes the server fail by signals as a mistake in it would; everything else takes them for nothing. */
const FAILS = `process.on('SIGUSR2', () => { throw new Error('nobody caught this') });
  process.on('SIGWINCH', () => { Promise.reject(new Error('nobody handled this')) });`;

let dataDir = '';
let portal: PortalRun | undefined;
beforeEach(() => {
  dataDir = newDataDir();
});
afterEach(async () => {
  await portal?.end();
  portal = undefined;
  removeDataDir(dataDir);
});

async function start(settings: PortalSettings = {}) {
  const started = startPortal(dataDir, { DEMO: 'off', ...settings });
  portal = started;
  const { url, setUpLink = '' } = await started.ready();
  await callApi(url, setUp, { code: setUpLink.split('#')[1] ?? '', email: 'chief@example.org', ...account });
  return started;
}

/** What the platform's log tells of new starts after an unexpected end. */
async function restartsTold(url: string): Promise<unknown[]> {
  const { token } = await openSession(url, account.user, account.password);
  const { entries } = await callApi(
    url,
    auditEndpoints.platformLog,
    { condition: { action: 'platform.restart' } },
    token,
  );
  return Promise.all(
    entries.map(async ({ id }) => (await callApi(url, auditEndpoints.detail, { id }, token)).after?.cause),
  );
}

test.each([
  ['was killed', 'SIGKILL', 'signal SIGKILL'],
  ['met an error that nobody caught', 'SIGUSR2', 'uncaughtException: Error: nobody caught this'],
  ['left a rejection that nobody handled', 'SIGWINCH', 'unhandledRejection: Error: nobody handled this'],
] as const)('a server that %s is started again by itself, and says so', async (_, signal, cause) => {
  const run = await start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAILS)}` });
  const before = new Set(processesOf(dataDir).map(({ pid }) => pid));
  const first = run.serverPid();
  const printedBefore = run.output().length;
  process.kill(first, signal);
  const { url } = await run.ready(printedBefore);
  await waitUntilReady(url);
  expect(run.serverPid()).not.toBe(first);
  expect(run.output()).toContain(`Sonnenwarte ended unexpectedly (${cause}). It is started again in`);
  expect(readFileSync(join(dataDir, 'server.log'), 'utf8')).toContain('started again after an unexpected end');
  expect(await restartsTold(url)).toEqual([cause]);
  expect(processesOf(dataDir).filter(({ pid }) => before.has(pid))).toEqual([]);
  expect((await run.interrupt()).code).toBe(0);
  expect(processesOf(dataDir)).toEqual([]);
});

test('when its supervisor is killed the server ends in order, and a start at once waits for that', async () => {
  const run = await start();
  const tree = treeOf(run.pid);
  await killHard(run.pid);
  const next = startPortal(dataDir, { DEMO: 'off' });
  portal = next;
  const { url } = await next.ready();
  await waitUntilReady(url);
  expect(tree.filter(({ pid }) => isRunning(pid))).toEqual([]);
  expect(await restartsTold(url)).toEqual([]);
});

test('SIGTERM to npm ends everything that npm start has started', async () => {
  const { PATH, HOME } = process.env;
  const npm: ChildProcess = spawn('npm', ['start', '--silent'], {
    cwd: repositoryRoot,
    env: { PATH, HOME, PORT: '0', MQTT_PORT: '0', DATA_DIR: dataDir, DEMO: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()));
  const exited = once(npm, 'exit');
  await waitUntil('the portal to be ready', () => addressIn(output), { timeoutMs: 120_000 });
  const tree = treeOf(npm.pid ?? 0);
  expect(tree.length).toBeGreaterThanOrEqual(4);
  npm.kill('SIGTERM');
  await within('npm to end', 30_000, exited);
  await waitUntil('all processes to end', () => tree.every(({ pid }) => !isRunning(pid)), { timeoutMs: 30_000 });
  expect(processesOf(dataDir)).toEqual([]);
  expect(existsSync(join(dataDir, 'server.lock'))).toBe(false);
});
