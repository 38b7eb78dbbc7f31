import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { TestEdge, until } from '../testing/edge.ts';
import { makePlant, type TestPlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';

const own = ownIngestion();

const ZONE = 'Europe/Berlin';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const today = localDay(Date.now(), ZONE);
const { startMs: todayMs } = dayBounds(today, ZONE);
/** A morning so many days before today. */
const morningMs = (daysBefore: number): number =>
  dayBounds(localDay(todayMs - daysBefore * DAY_MS + 12 * HOUR_MS, ZONE), ZONE).startMs + 10 * HOUR_MS;

let counterKwh = 1_000;

/** Each entry generates so many kWh within five minutes; between them the counter stands. */
async function generate(plant: TestPlant, device: string, entries: readonly (readonly [atMs: number, kwh: number])[]) {
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  await edge.birth();
  await edge.deviceBirth(device, 'inverter');
  for (const [atMs, kwh] of entries) {
    await edge.data(device, { 'Energy/PvTotal': counterKwh }, { timestampMs: atMs, historical: true });
    counterKwh += kwh;
    await edge.data(device, { 'Energy/PvTotal': counterKwh }, { timestampMs: atMs + 5 * MINUTE_MS, historical: true });
  }
  await edge.end();
  await own.ingestion.drain();
}

const listed = async (sn: string) =>
  own.stores.db.selectFrom('device_listed').selectAll().where('sn', '=', sn).executeTakeFirstOrThrow();

/** What the list holds once it is of today. */
async function energiesToday(sn: string) {
  await until(async () => {
    await own.ingestion.drain();
    return (await listed(sn)).day_ends_at?.getTime() === dayBounds(today, ZONE).endMs;
  }, 'energies before today');
  const { yesterday_wh, month_wh, year_wh } = await listed(sn);
  return { yesterday_wh, month_wh, year_wh };
}

/** Sums of what was generated before today, in Wh. */
function expected(entries: readonly (readonly [daysBefore: number, kwh: number])[]) {
  const dayOf = (daysBefore: number) => localDay(morningMs(daysBefore), ZONE);
  const sum = (isIn: (day: string) => boolean): number | null => {
    const within = entries.filter(([daysBefore]) => daysBefore > 0 && isIn(dayOf(daysBefore)));
    return within.length === 0 ? null : within.reduce((wh, [, kwh]) => wh + 1_000 * kwh, 0);
  };
  return {
    yesterday_wh: sum((day) => day === dayOf(1)),
    month_wh: sum((day) => day.slice(0, 7) === today.slice(0, 7)),
    year_wh: sum((day) => day.slice(0, 4) === today.slice(0, 4)),
  };
}

const rounded = (energies: ReturnType<typeof expected>) =>
  Object.fromEntries(Object.entries(energies).map(([name, wh]) => [name, wh === null ? null : Math.round(wh)]));

test('what an inverter generated yesterday, this month and this year follows what is accounted, late values too', async () => {
  const plant = await makePlant(own.stores.db, { zone: ZONE });
  const entries: [number, number][] = [
    [3, 2],
    [2, 3],
    [1, 4],
  ];
  await generate(
    plant,
    'ENE-1',
    entries.map(([daysBefore, kwh]) => [morningMs(daysBefore), kwh]),
  );
  // Days between, on which the counter stands, are known to have been without.
  const before = await energiesToday('ENE-1');
  expect(before.yesterday_wh).toBeCloseTo(4_000, 3);
  const whole = expected(entries);
  if (whole.month_wh !== null) expect(before.month_wh).toBeCloseTo(whole.month_wh, 3);
  expect(before.year_wh).toBeCloseTo(whole.year_wh ?? 0, 3);

  await generate(plant, 'ENE-1', [[morningMs(1) + HOUR_MS, 1.5]]);
  const after = await energiesToday('ENE-1');
  expect(after.yesterday_wh).toBeCloseTo(5_500, 3);
  expect((after.year_wh ?? 0) - (before.year_wh ?? 0)).toBeCloseTo(whole.year_wh === null ? 5_500 : 1_500, 3);
});

test('a turned day adds yesterday to what the month and the year had, and comes to the same as summing all anew', async () => {
  const plant = await makePlant(own.stores.db, { zone: ZONE });
  const entries: [number, number][] = [
    [2, 3],
    [1, 4],
  ];
  await generate(
    plant,
    'ENE-2',
    entries.map(([daysBefore, kwh]) => [morningMs(daysBefore), kwh]),
  );
  const whole = await energiesToday('ENE-2');
  // As they were written yesterday: of the days before it alone.
  const yesterday = localDay(todayMs - 1, ZONE);
  const was = (length: number) => localDay(morningMs(2), ZONE).slice(0, length) === yesterday.slice(0, length);
  await sql`update device_listed set day_ends_at = ${new Date(todayMs)}, yesterday_wh = 3000,
    month_wh = ${was(7) ? 3_000 : null}, year_wh = ${was(4) ? 3_000 : null} where sn = 'ENE-2'`.execute(own.stores.db);
  await own.restart();
  await generate(plant, 'ENE-2', [[todayMs + MINUTE_MS, 0]]);
  expect(rounded(await energiesToday('ENE-2'))).toEqual(rounded(whole));
});
