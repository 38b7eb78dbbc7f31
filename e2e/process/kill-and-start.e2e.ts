import { list } from '@sonnenwarte/contract/sites/sites';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { callApi, openSession } from '../support/api.ts';
import { DEMO_PASSWORD } from '../support/demo.ts';
import {
  newDataDir,
  type PortalAddress,
  type PortalRun,
  removeDataDir,
  startPortal,
  waitUntilReady,
} from '../support/portal.ts';
import { isRunning, killHard, type Part, processesOf, processOf } from '../support/processes.ts';
import { waitUntil } from '../support/wait-until.ts';

const dataDir = newDataDir();
let portal: PortalRun | undefined;
let address: PortalAddress;

async function start(): Promise<void> {
  const started = startPortal(dataDir, { DEMO_MONTHS: '0' });
  portal = started;
  address = await started.ready();
  await waitUntilReady(address.url);
}

async function plantsMove(): Promise<void> {
  const { token } = await openSession(address.url, 'admin', DEMO_PASSWORD);
  const newest = async () => {
    const { plants } = await callApi(address.url, list, { pageSize: 50 }, token);
    return Math.max(...plants.map((plant) => plant.updatedAtMs ?? 0));
  };
  const before = await newest();
  await waitUntil('newer values', async () => (await newest()) > before, { timeoutMs: 150_000, everyMs: 500 });
}

const partOf = (part: Part) => waitUntil(`the process ${part}`, () => processOf(part, running().pid));

const running = (): PortalRun => {
  if (!portal) throw new Error('The portal was not started');
  return portal;
};

beforeEach(async () => {
  if (!portal || !isRunning(portal.pid)) await start();
});

afterAll(async () => {
  await portal?.end();
  removeDataDir(dataDir);
});

test.each(['postgres', 'telemetry', 'simulator'] as const)(
  'after kill -9 of %s it heals without a new start and plants move again',
  async (part) => {
    const victim = await partOf(part);
    await killHard(victim.pid);
    const again = await waitUntil(
      `another process ${part}`,
      () => {
        const found = processOf(part, running().pid);
        return found !== undefined && found.pid !== victim.pid && found;
      },
      { timeoutMs: 60_000 },
    );
    expect(again.pid).not.toBe(victim.pid);
    await waitUntilReady(address.url);
    await plantsMove();
  },
);

test.each(['postgres', 'telemetry', 'simulator'] as const)(
  'a start after kill -9 of the server and of %s works',
  async (part) => {
    const victim = await partOf(part);
    await running().kill();
    await killHard(victim.pid).catch(() => undefined);
    await start();
    const left = processesOf(dataDir).filter(({ pid }) => pid === victim.pid);
    expect(left).toEqual([]);
    await plantsMove();
  },
);

test('a start after kill -9 of the server alone takes no leftover for its own', async () => {
  const before = new Set(processesOf(dataDir).map(({ pid }) => pid));
  await running().kill();
  await start();
  expect(processesOf(dataDir).filter(({ pid }) => before.has(pid))).toEqual([]);
  await plantsMove();
});
