import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DEMO_PASSWORD, demoUsers } from '../support/demo.ts';
import { newDataDir, type PortalAddress, type PortalRun, removeDataDir, startPortal } from '../support/portal.ts';
import { isRunning, processesOf, treeOf } from '../support/processes.ts';
import { within } from '../support/wait-until.ts';

const SECOND_START_MS = 60_000;

describe('a start with the demonstration', () => {
  const dataDir = newDataDir();
  let portal: PortalRun;
  let address: PortalAddress;

  beforeAll(async () => {
    portal = startPortal(dataDir);
    address = await portal.ready();
  });

  afterAll(async () => {
    await portal.end();
    removeDataDir(dataDir);
  });

  test('prints one block with address, accounts, where the data lie and how to stop', () => {
    const block =
      portal
        .output()
        .split(/\n\s*\n/)
        .find((part) => part.includes(address.url)) ?? '';
    for (const { user } of demoUsers) expect(block).toContain(user);
    expect(block).toContain(DEMO_PASSWORD);
    expect(block).toContain(dataDir);
    expect(block).toMatch(/Stop\s+Ctrl-C/);
    expect(portal.output().split(address.mqttUrl)).toHaveLength(2);
  });

  test('runs its stores and the simulator as processes of its own', () => {
    const commands = treeOf(portal.pid).map(({ command }) => command);
    expect(commands.length).toBeGreaterThanOrEqual(5);
    expect(commands.filter((command) => command.includes('telemetry-child'))).toHaveLength(1);
    expect(commands.filter((command) => command.includes('simulator'))).toHaveLength(1);
  });

  test('a second start on the same data exits with 1, naming process and address, and the first runs on', async () => {
    const second = startPortal(dataDir);
    const exit = await within('the second start to end', SECOND_START_MS, second.exited);
    expect(exit.code).toBe(1);
    expect(second.output()).toContain(`process ${portal.serverPid()}`);
    expect(second.output()).toContain(address.url);
    expect(second.output()).not.toMatch(/\n\s+at /);
    expect((await fetch(`${address.url}/healthz`)).status).toBe(200);
    expect(isRunning(portal.pid)).toBe(true);
  });

  test('a second portal on other data refuses a port that is taken, with one clear line', async () => {
    const otherDir = newDataDir();
    onTestFinished(() => removeDataDir(otherDir));
    const port = new URL(address.url).port;
    const second = startPortal(otherDir, { PORT: port, DEMO: 'off' });
    const exit = await within('the second start to end', 60_000, second.exited);
    expect(exit.code).toBe(1);
    expect(second.output()).toContain(`PORT ${port}`);
    expect(second.output()).not.toMatch(/\n\s+at /);
    expect(processesOf(otherDir)).toEqual([]);
  });

  test('Ctrl-C stops it with all its children and leaves no lock', async () => {
    const exit = await portal.interrupt();
    expect(exit.code).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
    expect(existsSync(`${dataDir}/server.lock`)).toBe(false);
    expect(readdirSync(dataDir).length).toBeGreaterThan(0);
  });
});

test.each([
  ['PORT', 'eighty'],
  ['MQTT_PORT', '70000'],
  ['DEMO', 'maybe'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_URL', 'mysql://somewhere'],
])('a wrong setting %s=%s is refused at the start with a line that names it', async (name, value) => {
  const dataDir = newDataDir();
  const portal = startPortal(dataDir, { [name]: value });
  const exit = await within('the start to end', 20_000, portal.exited);
  expect(exit.code).toBe(1);
  expect(portal.output()).toContain(`${name} is "${value}"`);
  expect(portal.output().trim().split('\n')).toHaveLength(1);
  removeDataDir(dataDir);
});
