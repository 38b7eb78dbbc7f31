import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { noteDays, reckonAll } from '../testing/reckoned.ts';
import { addRoof, addRoofDays, type Roof, type Strings } from '../testing/roofs.ts';
import { daysBefore } from './due.store.ts';

const ENDED = '2026-06-19';
/** Ten in the morning after the last of them. */
const NOW_MS = Date.UTC(2026, 5, 20, 10);
const DAY_MS = 86_400_000;
const whole: Strings = [1, 1, 1];
const DAYS = Array.from({ length: 5 }, (_, back) => daysBefore(ENDED, 4 - back));
let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start((nowMs) => ({ nowMs, after: () => () => undefined }));
});
afterAll(() => plants?.stop());

/** Tells days of roofs, reckoning each on the morning after it; answers after each the codes that stand at the first one. */
async function morningsOf(stringsOn: (place: number) => Strings): Promise<number[][]> {
  plants.time.nowMs = NOW_MS;
  const { installerId } = await plants.addInstaller();
  const roofs: Roof[] = [];
  for (let place = 0; place < 7; place += 1) {
    roofs.push(await addRoof(plants, installerId, `Roof ${place}`, { longitude: 11.5 + place / 100 }));
  }
  const [first, ...others] = roofs as [Roof, ...Roof[]];
  const mornings: number[][] = [];
  for (const [place, day] of DAYS.entries()) {
    plants.time.nowMs = NOW_MS - (DAYS.length - 1 - place) * DAY_MS;
    await addRoofDays(plants, [
      { roof: first, days: [day], told: { strings: stringsOn(place) } },
      ...others.map((roof) => ({ roof, days: [day], told: { strings: whole } })),
    ]);
    await noteDays(plants, installerId, [day]);
    await reckonAll(plants);
    const standing = await plants.db
      .selectFrom('alarms')
      .select(['code', 'source'])
      .where(
        'site_id',
        'in',
        roofs.map(({ id }) => id),
      )
      .where('until', 'is', null)
      .execute();
    expect(standing.every(({ source }) => source === 'portal')).toBe(true);
    mornings.push(standing.map(({ code }) => code));
  }
  return mornings;
}

test('a string below 70 % of its neighbours that no device tells is told in the morning after, and over once it gives as they do', async () => {
  const mornings = await morningsOf((place) => (place === 1 || place === 2 ? [1, 1, 0.5] : whole));
  expect(mornings).toEqual([[], [2006], [2006], [], []]);
});

test('a plant below its neighbours is told after three days of it, not after two', async () => {
  const mornings = await morningsOf((place) => (place >= 1 && place <= 3 ? [0.7, 0.7, 0.7] : whole));
  expect(mornings).toEqual([[], [], [], [7001], []]);
});

test('plants that all give what the sky lets through are told nothing', async () => {
  expect(await morningsOf(() => whole)).toEqual([[], [], [], [], []]);
});
