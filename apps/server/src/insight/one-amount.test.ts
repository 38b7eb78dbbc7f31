import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import { insightEndpoints } from '@sonnenwarte/contract/insight/insight';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { noteDays, reckonAll } from '../testing/reckoned.ts';
import { addRoof, addRoofDays, type Strings } from '../testing/roofs.ts';
import { daysBefore } from './due.store.ts';

const NOW_MS = Date.UTC(2026, 5, 20, 10);
const ENDED = '2026-06-19';
const DAYS = Array.from({ length: 9 }, (_, back) => daysBefore(ENDED, 8 - back));
const WEEK = DAYS.slice(-7);

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
});
afterAll(() => plants?.stop());

const whole: Strings = [1, 1, 1];

test('a day of a plant has one loss, whether told as evidence, in operations, of its week or in the list, whatever is learned of the plant after it', async () => {
  const { installerId, token } = await plants.addInstaller();
  // What all days have in common is what a plant usually gives once seven of them are known; what comes later is not.
  const told: Record<string, (place: number) => Strings> = {
    Always: () => [0.8, 0.8, 0.8],
    Later: (place) => (place < 6 ? whole : [0.7, 0.7, 0.7]),
    Once: (place) => (place === 7 ? [0.5, 0.5, 0.5] : whole),
    ...Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`Whole${at}`, () => whole])),
  };
  for (const [place, [name, stringsOn]] of Object.entries(told).entries()) {
    const roof = await addRoof(plants, installerId, name, { longitude: 11.5 + place / 100 });
    await addRoofDays(
      plants,
      DAYS.map((day, at) => ({ roof, days: [day], told: { strings: stringsOn(at) } })),
    );
  }
  // Its past comes the oldest day first, as a history does.
  for (const day of DAYS) {
    await noteDays(plants, installerId, [day]);
    await reckonAll(plants);
  }
  const { plants: listed } = await plants.read(siteEndpoints.list, { condition: {} }, token);
  const { plants: losing } = await plants.read(fleetEndpoints.attention, {}, token);
  expect(losing.map(({ name }) => name).toSorted()).toEqual(['Always', 'Later', 'Once']);
  for (const { stationID, name } of losing) {
    let sumWh = 0;
    for (const day of WEEK) {
      const found = await plants.read(insightEndpoints.evidence, { stationID, date: day }, token);
      const condition = { first: day, last: day };
      const { plants: rows } = await plants.read(insightEndpoints.list, { condition }, token);
      const row = rows.find((each) => each.stationID === stationID);
      expect(row?.lossWh, `${name} ${day}`).toBeCloseTo(found.lossWh ?? Number.NaN, 0);
      expect(row?.expectedWh, `${name} ${day}`).toBeCloseTo(found.expectedWh ?? Number.NaN, 0);
      expect(Number(row?.lossMoney ?? Number.NaN)).toBeCloseTo(Number(found.lossMoney), 4);
      sumWh += found.lossWh ?? Number.NaN;
    }
    expect(losing.find((each) => each.stationID === stationID)?.week?.lossWh).toBeCloseTo(sumWh, 0);
    expect(listed.find((each) => each.stationID === stationID)?.weekLossWh).toBeCloseTo(sumWh, 0);
  }
}, 180_000);
