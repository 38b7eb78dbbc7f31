import { incidentEndpoints } from '@sonnenwarte/contract/incidents/incidents';
import { insightEndpoints } from '@sonnenwarte/contract/insight/insight';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { daysBefore } from '../insight/due.store.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { noteDays, reckonAll } from '../testing/reckoned.ts';
import { addRoof, addRoofDays, type Roof } from '../testing/roofs.ts';
import { foldTold } from './fold-told.ts';
import { RECKON_EVERY_MS, reckonLosses } from './reckon-losses.ts';

const NOW_MS = Date.UTC(2026, 5, 20, 10);
const TODAY = '2026-06-20';
const DAYS = [daysBefore(TODAY, 2), daysBefore(TODAY, 1)];
const HOUR_MS = 3_600_000;
let plants: PlantsFixture;
let token: string;
let installerId: string;
let troubled: Roof;
const roofs: Roof[] = [];

const tellDays = (days: readonly string[]) =>
  addRoofDays(
    plants,
    roofs.map((roof) => ({ roof, days, told: { strings: roof === troubled ? [0.5, 0.5, 0.5] : [1, 1, 1] } })),
  );

beforeAll(async () => {
  plants = await PlantsFixture.start((nowMs) => ({ nowMs, after: () => () => undefined }));
  plants.time.nowMs = NOW_MS;
  const installer = await plants.addInstaller();
  ({ token, installerId } = installer);
  for (let place = 0; place < 7; place += 1) {
    roofs.push(await addRoof(plants, installerId, `Roof ${place}`, { longitude: 11.5 + place / 100 }));
  }
  troubled = roofs[0] ?? expect.fail('no roof');
  await tellDays([...DAYS, TODAY]);
  await plants.db
    .insertInto('alarms')
    .values({
      device_id: troubled.inverter.id,
      logger_id: null,
      site_id: troubled.id,
      code: 3001,
      level: 3,
      since: new Date(dayBounds(DAYS[0] ?? '', 'Europe/Berlin').startMs + 2 * HOUR_MS),
      until: null,
    })
    .execute();
  await noteDays(plants, installerId, DAYS);
  await reckonAll(plants);
  await foldTold(plants.db, NOW_MS);
});

afterAll(() => plants.stop());

const reckon = (atMs = NOW_MS) => reckonLosses({ db: plants.db, telemetry: plants.stores.telemetry.client }, atMs);
const listed = async () => (await plants.read(incidentEndpoints.list, { condition: {} }, token)).incidents;

test('what an incident costs is on each day what the evidence of that day says of its alarm, today as far as it is', async () => {
  expect((await listed())[0]).toMatchObject({ lostWh: null, lostMoney: null });
  expect(await reckon()).toBe(1);
  const [incident] = await listed();
  const { losses } = await plants.read(incidentEndpoints.detail, { id: incident?.incidentID ?? '' }, token);
  expect(losses.map(({ day }) => day)).toEqual([...DAYS, TODAY]);
  let sumWh = 0;
  for (const { day, wh, money } of losses) {
    const evidence = await plants.read(insightEndpoints.evidence, { stationID: troubled.id, date: day }, token);
    const reason = evidence.reasons.find((each) => each.reason.kind === 'alarm');
    expect(reason?.lossWh).toBeGreaterThan(1_000);
    expect(wh).toBeCloseTo(reason?.lossWh ?? Number.NaN, 0);
    const share = wh / (evidence.lossWh ?? Number.NaN);
    expect(Number(money)).toBeCloseTo(Number(evidence.lossMoney) * share, 4);
    sumWh += wh;
  }
  expect(incident?.lostWh).toBeCloseTo(sumWh, 3);
  expect(incident?.currency).toBe('EUR');
});

test('what is lost goes into the sums of all that is open and of today, and a year comes to as much as its whole days', async () => {
  const [incident] = await listed();
  const { losses, ifNothing } = await plants.read(incidentEndpoints.detail, { id: incident?.incidentID ?? '' }, token);
  const { lostOpen, lostToday } = await plants.read(incidentEndpoints.summary, {}, token);
  expect(lostOpen.wh).toBeCloseTo(incident?.lostWh ?? Number.NaN, 3);
  expect(lostOpen.money).toEqual([{ currency: 'EUR', amount: incident?.lostMoney }]);
  expect(lostToday.wh).toBeCloseTo(losses.at(-1)?.wh ?? Number.NaN, 3);
  // It began on the first of them.
  const whole = losses.slice(1, -1);
  const meanWh = whole.reduce((sum, { wh }) => sum + wh, 0) / whole.length;
  expect(ifNothing?.wh).toBeCloseTo(meanWh * 365, 0);
  expect(ifNothing?.days).toBe(1);
});

test('reckoned again it is the same, and not before its time', async () => {
  const before = await listed();
  expect(await reckon()).toBe(0);
  expect(await reckon(NOW_MS + RECKON_EVERY_MS + 1)).toBe(1);
  const [again] = await listed();
  expect(again?.lostWh).toBeCloseTo(before[0]?.lostWh ?? Number.NaN, -3);
});

test('a day that is reckoned long after it was is told to what stood on it, also to what is over', async () => {
  const day = daysBefore(TODAY, 12);
  const { startMs, endMs } = dayBounds(day, 'Europe/Berlin');
  await plants.db
    .insertInto('alarms')
    .values({
      device_id: troubled.inverter.id,
      logger_id: null,
      site_id: troubled.id,
      code: 3005,
      level: 3,
      since: new Date(startMs),
      until: new Date(endMs),
    })
    .execute();
  await foldTold(plants.db, NOW_MS);
  const found = async () =>
    (await plants.read(incidentEndpoints.list, { condition: { view: 'all' } }, token)).incidents.find(
      ({ code }) => code === 3005,
    );
  await reckon(NOW_MS + 2);
  expect(await found()).toMatchObject({ lostWh: null });
  expect(await reckon(NOW_MS + 3)).toBe(0);
  await tellDays([day]);
  await noteDays(plants, installerId, [day]);
  await reckonAll(plants);
  await reckon(NOW_MS + 4);
  expect((await found())?.lostWh).toBeGreaterThan(1_000);
});

test('of a silence nobody knows what it cost', async () => {
  await plants.db
    .insertInto('alarms')
    .values({
      device_id: troubled.inverter.id,
      logger_id: null,
      site_id: troubled.id,
      code: 5004,
      level: 2,
      since: new Date(NOW_MS - 2 * HOUR_MS),
      until: null,
      source: 'portal',
    })
    .execute();
  await foldTold(plants.db, NOW_MS);
  await reckon(NOW_MS + 1);
  expect((await listed()).find(({ code }) => code === 5004)).toMatchObject({ lostWh: null, lostMoney: null });
});
