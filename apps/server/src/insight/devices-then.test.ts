import { insightEndpoints } from '@sonnenwarte/contract/insight/insight';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { noteDays, reckonAll } from '../testing/reckoned.ts';
import { addRoof, addRoofDays, type Roof, type Strings } from '../testing/roofs.ts';
import { daysBefore } from './due.store.ts';

const NOW_MS = Date.UTC(2026, 5, 20, 10);
const ENDED = '2026-06-19';
const DAYS = Array.from({ length: 4 }, (_, back) => daysBefore(ENDED, 3 - back));
const [FIRST = ''] = DAYS;
const whole: Strings = [1, 1, 1];

let plants: PlantsFixture;
let installerId: string;
let token: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  ({ installerId, token } = await plants.addInstaller());
  for (let place = 0; place < 6; place += 1) {
    const roof = await addRoof(plants, installerId, `Whole${place}`, { longitude: 11.5 + place / 100 });
    await addRoofDays(plants, [{ roof, days: DAYS }]);
  }
});
afterAll(() => plants?.stop());

async function addInverter({ id }: Roof) {
  const datalogger = await plants.addDatalogger(id);
  return plants.addDevice(id, datalogger.id, { rated_power_w: 10_000 });
}

/** An inverter that is heard, and gives nothing of its own, on a day from an hour on. */
async function hear(device: { key: number }, day: string, fromHour = 0): Promise<void> {
  const { startMs, endMs } = dayBounds(day, 'Europe/Berlin');
  const rows = [];
  for (let atMs = startMs + fromHour * 3_600_000; atMs < endMs; atMs += 300_000)
    rows.push({ device: device.key, ts: atMs / 1_000, version: 1, samples: 5, ac_w: 100, pv_w: 100 });
  await plants.insert('device_5m', rows);
}

async function told(stationID: string): Promise<unknown[]> {
  await noteDays(plants, installerId, DAYS);
  await reckonAll(plants);
  const days = [];
  for (const date of DAYS) {
    const { lossWh, expectedWh, performanceRatio, availability, specificYield, completeness, reasons } =
      await plants.read(insightEndpoints.evidence, { stationID, date }, token);
    const kinds = reasons.map(({ reason }) => reason.kind);
    days.push({ lossWh, expectedWh, performanceRatio, availability, specificYield, completeness, kinds });
  }
  return days;
}

test('an inverter that is first heard one day changes nothing of the days before: neither their loss nor their figures', async () => {
  const roof = await addRoof(plants, installerId, 'Grown', { longitude: 11.55 });
  await addRoofDays(plants, [{ roof, days: DAYS, told: { strings: [1, 0.55, 1] } }]);
  const alone = await told(roof.id);
  expect(alone[0]).toMatchObject({ kinds: ['string-weak'], availability: 1 });
  await hear(await addInverter(roof), ENDED, 12);
  const grown = await told(roof.id);
  expect(grown.slice(0, -1)).toEqual(alone.slice(0, -1));
  // On its first day it was silent at no time.
  expect(grown.at(-1)).toMatchObject({ kinds: expect.not.arrayContaining(['offline']) });
});

test('a size that is entered without arrays is that of all inverters: days before one of them came have what was there', async () => {
  const columns = { longitude: 11.56, arrays: [], system_size_kwp: 18 };
  const roof = await addRoof(plants, installerId, 'Doubled', columns);
  await addRoofDays(plants, [{ roof, days: DAYS }]);
  await hear(await addInverter(roof), ENDED);
  const [first] = await told(roof.id);
  const { plants: rows } = await plants.read(
    insightEndpoints.list,
    { condition: { first: FIRST, last: FIRST } },
    token,
  );
  const others = rows.find(({ name }) => name === 'Whole0');
  const own = rows.find(({ name }) => name === 'Doubled');
  expect(own?.specificYield).toBeCloseTo(others?.specificYield ?? Number.NaN, 1);
  expect(own?.performanceRatio).toBeCloseTo(others?.performanceRatio ?? Number.NaN, 0);
  expect(first).toMatchObject({ kinds: [], availability: 1 });
});

test('an inverter that another has replaced is silent neither since then nor the other before', async () => {
  const roof = await addRoof(plants, installerId, 'Replaced', { longitude: 11.57 });
  const next = { ...roof, inverter: await addInverter(roof) };
  await addRoofDays(plants, [
    { roof, days: [FIRST] },
    { roof: next, days: DAYS.slice(1) },
  ]);
  for (const day of await told(roof.id)) expect(day).toMatchObject({ kinds: [], availability: 1, completeness: 1 });
});

test('an inverter that falls silent and that nothing has replaced is offline', async () => {
  const roof = await addRoof(plants, installerId, 'Half', { longitude: 11.58 });
  const lost = await addInverter(roof);
  await addRoofDays(plants, [{ roof, days: DAYS, told: { strings: whole } }]);
  await hear(lost, FIRST);
  const days = await told(roof.id);
  expect(days[1]).toMatchObject({ kinds: expect.arrayContaining(['offline']), availability: null });
});
