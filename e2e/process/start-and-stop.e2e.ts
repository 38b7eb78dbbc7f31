import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
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
    portal = startPortal(dataDir, { DEMO_MONTHS: '0' });
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

  test('shows a page at each address that it prints, to whatever asks', async () => {
    const printed = [...portal.output().matchAll(/https?:\/\/\S+/g)].map(([found]) => found);
    expect(printed).toEqual(expect.arrayContaining([address.url, `${address.url}/docs/api`]));
    for (const url of printed) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(url, { method });
        expect(answer.status, `${method} ${url}`).toBe(200);
        expect(answer.headers.get('content-type'), `${method} ${url}`).toContain('text/html');
      }
    }
  });

  test('runs its stores and the simulator as processes of its own', () => {
    const commands = treeOf(portal.pid).map(({ command }) => command);
    expect(commands.length).toBeGreaterThanOrEqual(5);
    expect(commands.filter((command) => command.includes('telemetry-child'))).toHaveLength(1);
    expect(commands.filter((command) => command.includes('simulator'))).toHaveLength(1);
  });

  test('a second start on the same data exits with 1, naming process and address, and the first runs on', async () => {
    const second = startPortal(dataDir, { DEMO_MONTHS: '0' });
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
  const portal = startPortal(dataDir, { DEMO_MONTHS: '0', [name]: value });
  const exit = await within('the start to end', 20_000, portal.exited);
  expect(exit.code).toBe(1);
  expect(portal.output()).toContain(`${name} is "${value}"`);
  expect(portal.output().trim().split('\n')).toHaveLength(1);
  removeDataDir(dataDir);
});

/** What a start that is refused prints: one line, with exit code 1 and no process left. */
async function refusalOf(dataDir: string, env: Record<string, string>): Promise<string> {
  const portal = startPortal(dataDir, { DEMO: 'off', ...env });
  const exit = await within('the start to end', 60_000, portal.exited);
  expect(exit.code).toBe(1);
  const output = portal.output().trim();
  expect(output.split('\n')).toHaveLength(1);
  expect(output).not.toContain('geheim');
  return output;
}

describe('a start that cannot be says in one line which setting, what is wrong and what to do:', () => {
  const dataDir = newDataDir();
  afterAll(() => removeDataDir(dataDir));

  test.each([
    [{ HOST: '203.0.113.77' }, /^HOST is "203\.0\.113\.77": this machine has no such address\. Set HOST to/],
    [{ HOST: 'nowhere.invalid' }, /^HOST is "nowhere\.invalid": .*Set HOST to/],
    [
      { DATABASE_URL: 'postgres://me:geheim@127.0.0.1:1/solar' },
      /^DATABASE_URL: nobody listens at 127\.0\.0\.1:1\. Start PostgreSQL/,
    ],
    [
      { CLICKHOUSE_URL: 'http://me:geheim@127.0.0.1:1/solar' },
      /^CLICKHOUSE_URL does not answer: nobody listens at 127\.0\.0\.1:1\. Start/,
    ],
  ])('%o', async (env, sentence) => {
    expect(await refusalOf(dataDir, env)).toMatch(sentence);
    expect(processesOf(dataDir)).toEqual([]);
  });

  test.each([
    [
      '516',
      'Authentication failed',
      /^CLICKHOUSE_URL: .* does not let the user "me" in: its name or password is wrong/,
    ],
    ['81', 'Database solar does not exist', /^CLICKHOUSE_URL: there is no database "solar" at .*CREATE DATABASE solar/],
    ['497', 'Not enough privileges', /^CLICKHOUSE_URL: the user "me" lacks a right .*GRANT/],
  ])('a ClickHouse that answers %s', async (code, message, sentence) => {
    const clickhouse = createServer((_, response) =>
      response
        .writeHead(500, { 'x-clickhouse-exception-code': code })
        .end(`Code: ${code}. DB::Exception: ${message}. (REFUSED) (version 25.8.1.1)`),
    );
    await new Promise<void>((done) => clickhouse.listen(0, '127.0.0.1', done));
    onTestFinished(() => void clickhouse.close());
    const { port } = clickhouse.address() as AddressInfo;
    expect(await refusalOf(dataDir, { CLICKHOUSE_URL: `http://me:geheim@127.0.0.1:${port}/solar` })).toMatch(sentence);
  });

  test('a DATA_DIR that is a file, or lies in one', async () => {
    const file = join(dataDir, 'file');
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, '');
    for (const path of [file, join(file, 'data')]) {
      expect(await refusalOf(path, {})).toMatch(
        /^DATA_DIR is ".*file.*": .*(file|folder).*Set DATA_DIR|^DATA_DIR is ".*file.*must be a folder/,
      );
    }
  });

  test('a DATA_DIR that cannot be written, also by the superuser', async () => {
    const readOnly = join(dataDir, 'read-only');
    mkdirSync(readOnly, { recursive: true });
    chmodSync(readOnly, 0o500);
    const path = process.getuid?.() === 0 ? '/proc/sonnenwarte' : readOnly;
    expect(await refusalOf(path, {})).toMatch(
      /^DATA_DIR is ".*": .*Set DATA_DIR to a folder that this user can read and write/,
    );
  });

  test('the demonstration, where PUBLIC_URL means the start for others', async () => {
    writeFileSync(join(dataDir, 'demo.json'), '{"demo":true}');
    const output = await refusalOf(dataDir, { DEMO: '', PUBLIC_URL: 'https://solar.example.com' });
    expect(output).toMatch(/holds the demo.*PUBLIC_URL.*DEMO=off.*DEMO=on/);
  });
});
