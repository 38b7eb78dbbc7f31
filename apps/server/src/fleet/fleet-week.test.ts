import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 9, 25, 11, 20);
const END_MS = Date.UTC(2026, 9, 25, 11);
const START_MS = END_MS - 168 * HOUR_MS;

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
});

afterAll(() => plants?.stop());

const hour = (site: number, tsMs: number, pv_wh: number, version = 1) => ({
  site,
  ts: tsMs / 1_000,
  day: new Date(tsMs).toISOString().slice(0, 10),
  hour: new Date(tsMs).getUTCHours(),
  version,
  quality: 0,
  pv_wh,
});

test('power over seven days is the newest hours of the plants in scope, with gaps where no plant has a value', async () => {
  const { id } = await plants.addOrganisation('installer');
  const [a, b] = [await plants.addSite(id), await plants.addSite(id)];
  const other = await plants.addSite((await plants.addOrganisation('installer')).id);
  const telling = await plants.addSite(id, { latest: { history_percent: 40 } });
  const tellingOld = await plants.addSite(id, { latest: { history_percent: 40, local_day: '2026-10-25' } });
  const gone = await plants.addSite(id, { deleted_at: new Date(NOW_MS) });
  await plants.stores.telemetry.client.insert({
    table: 'site_hour',
    format: 'JSONEachRow',
    values: [
      hour(a.key, START_MS, 1_000),
      hour(a.key, START_MS, 1_500, 2),
      hour(b.key, START_MS, 500),
      hour(other.key, START_MS, 9_000),
      hour(gone.key, START_MS, 9_000),
      hour(telling.key, START_MS, 9_000),
      hour(tellingOld.key, START_MS, 250),
      hour(a.key, END_MS - HOUR_MS, 700),
      hour(a.key, END_MS, 7_000),
      hour(a.key, START_MS - HOUR_MS, 7_000),
    ],
  });
  const token = plants.signIn(await plants.addAccount(id, 2));
  const told = await plants.read(fleetEndpoints.week, {}, token);
  expect(told.startMs).toBe(START_MS);
  expect(told.powerW).toHaveLength(168);
  expect(told.powerW[0]).toBe(2_250);
  expect(told.plants[0]).toBe(3);
  expect(told.powerW[167]).toBe(700);
  expect(told.powerW.slice(1, 167)).toEqual(new Array(166).fill(null));
});
