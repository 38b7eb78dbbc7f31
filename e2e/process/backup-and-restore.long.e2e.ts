import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setUp } from '@sonnenwarte/contract/accounts/accounts';
import { historyRaw } from '@sonnenwarte/contract/devices/devices';
import { reportVariables } from '@sonnenwarte/contract/sites/site';
import { devices, historyReport } from '@sonnenwarte/contract/sites/site-endpoints';
import { day, figures, list } from '@sonnenwarte/contract/sites/sites';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi, openSession, request } from '../support/api.ts';
import { runCommand, startCommand } from '../support/commands.ts';
import { addDatalogger, connectDatalogger, publishUp } from '../support/dataloggers.ts';
import {
  newDataDir,
  type PortalAddress,
  type PortalRun,
  removeDataDir,
  startPortal,
  waitUntilReady,
} from '../support/portal.ts';
import { POINT, Publisher } from '../support/publisher.ts';
import { waitUntil } from '../support/wait-until.ts';

const SAMPLES_BEFORE = 150;
const DAY_MS = 86_400_000;
const account = { user: 'chief', password: 'a good secret' };
const secret = { BACKUP_PASSPHRASE: 'open sesame, please' };

const folder = newDataDir();
const dataDir = join(folder, 'data');
const file = join(folder, 'portal.backup');
const plainFile = join(folder, 'plain.backup');
const runs: PortalRun[] = [];
let portal: PortalRun;
let address: PortalAddress;
let publishers: readonly Publisher[] = [];

async function start(onDataDir: string): Promise<PortalAddress> {
  portal = startPortal(onDataDir, { DEMO: 'off' });
  runs.push(portal);
  const found = await portal.ready();
  await waitUntilReady(found.url);
  return found;
}

const tokenOf = async (url: string): Promise<string> => (await openSession(url, account.user, account.password)).token;

const twoDaysAgo = new Date(Date.now() - 2 * DAY_MS);
const date = twoDaysAgo.toISOString().slice(0, 10);
const queryDate = {
  year: twoDaysAgo.getUTCFullYear(),
  month: twoDaysAgo.getUTCMonth() + 1,
  day: twoDaysAgo.getUTCDate(),
};

const plantNamed = async (url: string, token: string, name: string) => {
  const { plants } = await callApi(url, list, {}, token);
  const plant = plants.find((each) => each.name === name);
  if (plant === undefined) throw new Error(`there is no plant ${name}`);
  return plant;
};

/** What people see of a plant whose logger is silent. */
async function shown(url: string) {
  const token = await tokenOf(url);
  const { stationID, ...row } = await plantNamed(url, token, 'Quiet');
  const report = (reportType: 'day' | 'month' | 'total') =>
    callApi(url, historyReport, { stationID, reportType, variables: [...reportVariables], queryDate }, token);
  return {
    stationID,
    row,
    devices: (await callApi(url, devices, { stationID }, token)).devices.map(({ deviceID, deviceSN }) => ({
      deviceID,
      deviceSN,
    })),
    figures: await callApi(url, figures, { stationID }, token),
    curves: await callApi(url, day, { stationID, date }, token),
    reports: [await report('day'), await report('month'), await report('total')],
  };
}

async function missingOf(url: string, device: string, samples: ReadonlyMap<number, number>): Promise<string[]> {
  const token = await tokenOf(url);
  const { stationID } = await plantNamed(url, token, 'Under fire');
  const found = await callApi(url, devices, { stationID }, token);
  const deviceID = found.devices.find(({ deviceSN }) => deviceSN === device)?.deviceID ?? '';
  const stored = new Map<number, unknown>();
  for (const sampleDay of new Set([...samples.keys()].map((tsMs) => new Date(tsMs).toISOString().slice(0, 10)))) {
    const [year = 0, month = 0, ofMonth = 0] = sampleDay.split('-').map(Number);
    const beginDate = { year, month, day: ofMonth };
    const [series] = await callApi(
      url,
      historyRaw,
      { deviceID, variables: [POINT], timespan: 'day', beginDate },
      token,
    );
    for (const { tsMs, value } of series?.data ?? []) stored.set(tsMs, value);
  }
  return [...samples].flatMap(([tsMs, value]) => (stored.get(tsMs) === value ? [] : [`${device} ${tsMs}: ${value}`]));
}

async function tellHistory(mqttUrl: string, sn: string): Promise<void> {
  const client = await connectDatalogger(
    mqttUrl,
    sn,
    await addDatalogger(dataDir, sn, '--new-site', 'Quiet', '--zone', 'UTC'),
  );
  const startMs = Date.parse(`${date}T08:00:00Z`);
  const told = Array.from({ length: 60 }, (_, step) => {
    const v = { 'Energy/PvTotal': 700 + step * 0.1, 'AC/ActivePower': 1_200 };
    return publishUp(client, sn, { ts: startMs + step * 300_000, dev: 'QUIET-1', kind: 'inverter', hist: true, v });
  });
  await Promise.all(told);
  await client.endAsync();
}

beforeAll(async () => {
  address = await start(dataDir);
  const code = address.setUpLink?.split('#')[1] ?? '';
  await callApi(address.url, setUp, { code, email: 'chief@example.org', ...account });
  await tellHistory(address.mqttUrl, '990000000000021');
  await waitUntil('the history to be accounted', async () => {
    const { total } = (await shown(address.url)).figures;
    return JSON.stringify(total).includes('5900');
  });
  const json = await addDatalogger(dataDir, '990000000000022', '--new-site', 'Under fire', '--zone', 'UTC');
  const sparkplug = await addDatalogger(dataDir, '990000000000023', '--site', 'Under fire');
  const identities = [
    { sn: '990000000000022', password: json, device: 'JSON-1', tongue: 'json' },
    { sn: '990000000000023', password: sparkplug, device: 'SPB-1', tongue: 'sparkplug' },
  ] as const;
  publishers = identities.map((identity) => new Publisher(identity, address.mqttUrl));
  for (const publisher of publishers) publisher.start();
});

afterAll(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop()));
  for (const run of runs) await run.end();
  removeDataDir(folder);
});

test('a backup during ingestion holds all that was acknowledged before it; restored, everybody sees what they saw', async () => {
  await Promise.all(publishers.map((publisher) => publisher.more(SAMPLES_BEFORE)));
  const acknowledged = publishers.map((publisher) => new Map(publisher.acknowledged));
  const token = await tokenOf(address.url);
  writeFileSync(join(dataDir, 'some.key'), 'of a later version', { mode: 0o600 });
  const made = await runCommand('backup', dataDir, [file], secret);
  expect(made, made.output).toMatchObject({ code: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  for (const [at, { acknowledged: now }] of publishers.entries())
    expect(now.size).toBeGreaterThan(acknowledged[at]?.size ?? 0);
  const before = await shown(address.url);

  const restored = join(folder, 'restored');
  const back = await runCommand('restore', restored, [file], secret);
  expect(back, back.output).toMatchObject({ code: 0 });
  expect(readFileSync(join(restored, 'some.key'), 'utf8')).toBe('of a later version');
  expect(await runCommand('audit-verify', restored, [])).toMatchObject({ code: 0 });
  const there = await start(restored);
  for (const [at, { device }] of publishers.entries()) {
    expect(await missingOf(there.url, device, acknowledged[at] ?? new Map())).toEqual([]);
  }
  expect(await shown(there.url)).toEqual(before);
  expect((await request(there.url, list, {}, token)).errno).toBe(41810);
  expect(await runCommand('audit-verify', restored, [])).toMatchObject({ code: 0 });
  await portal.end();
});

test('a backup killed in the middle leaves nothing that looks whole, and the portal as it was', async () => {
  const killed = join(folder, 'killed.backup');
  const shadow = join(dataDir, 'telemetry', 'engine', 'shadow');
  const frozen = () => existsSync(shadow) && readdirSync(shadow).some((name) => name.startsWith('backup_'));
  const run = startCommand('backup', dataDir, [killed]);
  await waitUntil('tables that are held', frozen, { everyMs: 1 });
  run.child.kill('SIGKILL');
  await run.finished;
  expect(existsSync(killed)).toBe(false);
  expect(await runCommand('restore', dataDir, ['--verify', `${killed}.partial`])).toMatchObject({ code: 1 });
  await waitUntil(
    'the log of the database to be let go',
    () => readdirSync(join(dataDir, 'postgres', 'pg_replslot')).length === 0,
  );
  await waitUntilReady(address.url);
  await Promise.all(publishers.map((publisher) => publisher.more(20)));

  expect(frozen()).toBe(true);
  const again = await runCommand('backup', dataDir, [killed]);
  expect(again, again.output).toMatchObject({ code: 0 });
  expect(frozen()).toBe(false);
  expect(existsSync(`${killed}.partial`)).toBe(false);
});

test('the backup of a stopped portal is as good', async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop()));
  const before = await shown(address.url);
  await runs[0]?.interrupt();
  const made = await runCommand('backup', dataDir, [plainFile]);
  expect(made, made.output).toMatchObject({ code: 0 });
  const restored = join(folder, 'restored-again');
  const back = await runCommand('restore', restored, [plainFile]);
  expect(back, back.output).toMatchObject({ code: 0 });
  const there = await start(restored);
  expect(await shown(there.url)).toEqual(before);
  for (const { device, acknowledged } of publishers)
    expect(await missingOf(there.url, device, acknowledged)).toEqual([]);
  await portal.end();
});

test('a backup is restored into an empty folder only, and only if it is whole', async () => {
  const busy = await runCommand('restore', dataDir, [plainFile]);
  expect(busy).toMatchObject({ code: 2, output: expect.stringContaining('is not empty') });

  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const spoilt = join(folder, 'spoilt.backup');
  const bytes = readFileSync(plainFile);
  const at = 1_000 + (randomBytes(4).readUInt32BE() % (bytes.length - 2_000));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(spoilt, bytes);
  const altered = await runCommand('restore', empty, [spoilt]);
  expect(altered).toMatchObject({ code: 1, output: expect.stringContaining('altered or damaged') });
  writeFileSync(spoilt, bytes.subarray(0, at));
  const cut = await runCommand('restore', empty, [spoilt]);
  expect(cut).toMatchObject({ code: 1, output: expect.stringContaining('cut off') });
  const closed = await runCommand('restore', empty, [file]);
  expect(closed).toMatchObject({ code: 1, output: expect.stringContaining('It is encrypted') });
  expect(readdirSync(empty)).toEqual([]);
  expect(await runCommand('restore', empty, ['--verify', file], secret)).toMatchObject({ code: 0 });
  expect(readdirSync(empty)).toEqual([]);
});

test('a backup replaces no file unasked, and is not written into what it backs up', async () => {
  const there = await runCommand('backup', dataDir, [plainFile]);
  expect(there).toMatchObject({ code: 2, output: expect.stringContaining('exists already') });
  const within = await runCommand('backup', dataDir, [join(dataDir, 'own.backup')]);
  expect(within).toMatchObject({ code: 2, output: expect.stringContaining('must not lie in the data folder') });
  const nowhere = await runCommand('backup', join(folder, 'nothing'), [join(folder, 'x.backup')]);
  expect(nowhere).toMatchObject({ code: 2, output: expect.stringContaining('There is no portal in the data folder') });
});
