import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import { insightEndpoints } from '@sonnenwarte/contract/insight/insight';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { noteDays, reckonAll } from '../testing/reckoned.ts';
import { addRoof, addRoofDays } from '../testing/roofs.ts';
import { daysBefore } from './due.store.ts';

const NOW_MS = Date.UTC(2026, 5, 20, 10);
const ENDED = '2026-06-19';
const WEEK = Array.from({ length: 7 }, (_, back) => daysBefore(ENDED, back));

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
});
afterAll(() => plants?.stop());

test('a plant whose history came before those of its neighbours is told by list, attention and operations once theirs have come, and reckoned no more after', async () => {
  const { installerId, token } = await plants.addInstaller();
  const roof = await addRoof(plants, installerId, 'Early', { longitude: 11.5 });
  await addRoofDays(plants, [{ roof, days: WEEK, told: { strings: [0.7, 0.7, 0.7] } }]);
  await noteDays(plants, installerId, WEEK);
  await reckonAll(plants);
  const condition = { first: WEEK.at(-1) ?? '', last: ENDED };
  const told = async () => {
    const { plants: listed } = await plants.read(siteEndpoints.list, { condition: {} }, token);
    const { plants: losing } = await plants.read(fleetEndpoints.attention, {}, token);
    const { plants: rows } = await plants.read(insightEndpoints.list, { condition }, token);
    return [listed[0]?.weekLossWh ?? null, losing[0]?.week?.lossWh ?? null, rows[0]?.lossWh ?? null];
  };
  expect(await told()).toEqual([null, null, null]);

  // Each of another company, one history after the other.
  const near: string[] = [];
  for (let place = 1; place <= 6; place += 1) {
    const { installerId: other } = await plants.addInstaller();
    near.push(other);
    const neighbour = await addRoof(plants, other, `Near${place}`, { longitude: 11.5 + place / 100 });
    await addRoofDays(plants, [{ roof: neighbour, days: WEEK }]);
    await noteDays(plants, other, WEEK);
    await reckonAll(plants);
  }
  const [listed, losing, sum] = await told();
  expect(listed).toBeGreaterThan(0);
  expect([losing, sum].map((wh) => Math.round(wh ?? 0))).toEqual([listed, listed].map((wh) => Math.round(wh ?? 0)));

  const versions = async () => {
    const answer = await plants.stores.telemetry.client.query({
      query: `SELECT day, version FROM site_insight FINAL WHERE site = ${roof.key} ORDER BY day`,
      format: 'JSONEachRow',
    });
    return answer.json();
  };
  const before = await versions();
  for (const other of near) await noteDays(plants, other, WEEK);
  await reckonAll(plants);
  expect(await versions()).toEqual(before);
}, 180_000);
