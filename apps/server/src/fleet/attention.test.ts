import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const NOW_MS = Date.UTC(2026, 9, 25, 11);
const HOUR_MS = 3_600_000;

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
});

afterAll(() => plants?.stop());

test('names the plants that are not normal, the worst first, each with its worst alarm or why it is silent', async () => {
  const { id } = await plants.addOrganisation('installer');
  const token = plants.signIn(await plants.addAccount(id, 2));
  const now = new Date(NOW_MS);
  const add = async (name: string, state: 'normal' | 'alarm' | 'fault' | 'offline') => {
    const site = await plants.addSite(id, { name, latest: { state, ts: now } });
    const datalogger = await plants.addDatalogger(site.id, state === 'offline' ? new Date(NOW_MS - HOUR_MS) : now);
    const inverter = await plants.addDevice(site.id, datalogger.id);
    const alarm = (code: number, level: number, ageMs: number) =>
      plants.db
        .insertInto('alarms')
        .values({
          device_id: inverter.id,
          logger_id: null,
          site_id: site.id,
          code,
          level,
          since: new Date(NOW_MS - ageMs),
          until: null,
        })
        .execute();
    return { site, datalogger, inverter, alarm };
  };
  await add('Fine', 'normal');
  const silent = await add('Silent', 'offline');
  const weak = await add('Weak', 'alarm');
  await weak.alarm(2006, 2, HOUR_MS);
  const broken = await add('Broken', 'fault');
  await broken.alarm(2006, 2, HOUR_MS);
  await broken.alarm(1001, 4, 2 * HOUR_MS);
  const other = await plants.addOrganisation('installer');
  await plants.addSite(other.id, { name: "A stranger's", latest: { state: 'fault', ts: now } });

  const found = await plants.read(fleetEndpoints.attention, {}, token);
  expect(found.total).toBe(3);
  expect(found.plants.map(({ name, state, alarm, alarms }) => [name, state, alarm?.code, alarms])).toEqual([
    ['Broken', 'fault', 1001, 2],
    ['Weak', 'alarm', 2006, 1],
    ['Silent', 'offline', undefined, 0],
  ]);
  expect(found.plants[0]?.alarm).toMatchObject({ sinceMs: NOW_MS - 2 * HOUR_MS, deviceSN: broken.inverter.sn });
  expect(found.plants.map(({ silence }) => silence?.reason ?? null)).toEqual([null, null, 'silent']);
  expect(found.plants[2]?.silence).toMatchObject({
    moduleSN: silent.datalogger.sn,
    sinceMs: NOW_MS,
    lastSeenMs: NOW_MS - HOUR_MS,
  });
});
