import { setUp } from '@sonnenwarte/contract/accounts/accounts';
import { historyRaw } from '@sonnenwarte/contract/devices/devices';
import { devices } from '@sonnenwarte/contract/sites/site-endpoints';
import { list } from '@sonnenwarte/contract/sites/sites';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi, openSession } from '../support/api.ts';
import { addDatalogger } from '../support/dataloggers.ts';
import {
  newDataDir,
  type PortalAddress,
  type PortalRun,
  removeDataDir,
  startPortal,
  waitUntilReady,
} from '../support/portal.ts';
import { killHard, processOf } from '../support/processes.ts';
import { POINT, Publisher } from '../support/publisher.ts';
import { waitUntil } from '../support/wait-until.ts';

const SAMPLES_AROUND_THE_KILL = 150;
const PLANT = 'Under fire';
const account = { user: 'chief', password: 'a good secret' };

const dataDir = newDataDir();
let portal: PortalRun;
let address: PortalAddress;
let publishers: readonly Publisher[] = [];

async function start(): Promise<void> {
  portal = startPortal(dataDir, { DEMO: 'off' });
  await served();
}

/** Waits for the server that is started now, again or for the first time. */
async function served(printedBefore = 0): Promise<void> {
  address = await portal.ready(printedBefore);
  for (const publisher of publishers) publisher.moveTo(address.mqttUrl);
  await waitUntilReady(address.url);
}

const tokenOf = async (): Promise<string> => (await openSession(address.url, account.user, account.password)).token;

async function deviceId(sn: string): Promise<string> {
  const token = await tokenOf();
  return waitUntil(`the device ${sn}`, async () => {
    const { plants } = await callApi(address.url, list, {}, token);
    const [plant] = plants;
    if (!plant) return undefined;
    const found = await callApi(address.url, devices, { stationID: plant.stationID }, token);
    return found.devices.find((device) => device.deviceSN === sn)?.deviceID;
  });
}

/** What the portal has stored of the samples that it acknowledged: those that are missing or differ. */
async function missingOf(publisher: Publisher): Promise<string[]> {
  const samples = [...publisher.acknowledged];
  const token = await tokenOf();
  const deviceID = await deviceId(publisher.device);
  const stored = new Map<number, unknown>();
  for (const date of new Set(samples.map(([tsMs]) => new Date(tsMs).toISOString().slice(0, 10)))) {
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
    const input = { deviceID, variables: [POINT], timespan: 'day', beginDate: { year, month, day } } as const;
    const [series] = await callApi(address.url, historyRaw, { ...input, variables: [POINT] }, token);
    for (const { tsMs, value } of series?.data ?? []) stored.set(tsMs, value);
  }
  return samples.flatMap(([tsMs, value]) =>
    stored.get(tsMs) === value
      ? []
      : [`${publisher.device} ${tsMs}: ${value} acknowledged, ${stored.get(tsMs)} stored`],
  );
}

beforeAll(async () => {
  await start();
  const code = address.setUpLink?.split('#')[1] ?? '';
  await callApi(address.url, setUp, { code, email: 'chief@example.org', ...account });
  const json = await addDatalogger(dataDir, '990000000000011', '--new-site', PLANT, '--zone', 'UTC');
  const sparkplug = await addDatalogger(dataDir, '990000000000012', '--site', PLANT);
  publishers = [
    new Publisher({ sn: '990000000000011', password: json, device: 'JSON-1', tongue: 'json' }, address.mqttUrl),
    new Publisher(
      { sn: '990000000000012', password: sparkplug, device: 'SPB-1', tongue: 'sparkplug' },
      address.mqttUrl,
    ),
  ];
  for (const publisher of publishers) publisher.start();
});

afterAll(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop()));
  await portal.end();
  removeDataDir(dataDir);
});

test.each(['telemetry', 'postgres', 'server'] as const)(
  'after kill -9 of %s in the middle of ingestion every acknowledged sample is found again',
  async (part) => {
    await Promise.all(publishers.map((publisher) => publisher.more(SAMPLES_AROUND_THE_KILL)));
    const victim = await waitUntil(`the process ${part}`, () => processOf(part, portal.pid));
    const printedBefore = portal.output().length;
    await killHard(victim.pid);
    if (part === 'server') await served(printedBefore);
    await waitUntilReady(address.url);
    await Promise.all(publishers.map((publisher) => publisher.more(SAMPLES_AROUND_THE_KILL)));
    for (const publisher of publishers) {
      expect(publisher.acknowledged.size).toBeGreaterThan(SAMPLES_AROUND_THE_KILL);
      expect(await missingOf(publisher)).toEqual([]);
    }
  },
);
