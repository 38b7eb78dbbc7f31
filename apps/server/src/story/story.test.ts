import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { storyEndpoints } from '@sonnenwarte/contract/story/story';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const ZONE = 'Europe/Berlin';
const TODAY = '2026-06-20';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = dayBounds(TODAY, ZONE).startMs + 12 * HOUR_MS;

let plants: PlantsFixture;
let token: string;
let installerId: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  ({ installerId, token } = await plants.addInstaller());
});

afterAll(() => plants.stop());

const dayBefore = (days: number): string => new Date(Date.parse(TODAY) - days * DAY_MS).toISOString().slice(0, 10);

/** Whole days of a plant, the newest yesterday, with the generation of each in kWh; null = a day that is not known. */
async function plantWith(daysKwh: readonly (number | null)[]) {
  plants.time.nowMs = NOW_MS;
  const site = await plants.addSite(installerId, { time_zone: ZONE });
  const rows = daysKwh.flatMap((kwh, place) => {
    if (kwh === null) return [];
    const pv_wh = 1_000 * kwh;
    const flows = { pv_to_load_wh: 0.3 * pv_wh, pv_to_battery_wh: 0.2 * pv_wh, pv_to_grid_wh: 0.5 * pv_wh };
    const energies = { pv_wh, load_wh: 10_000, import_wh: 2_500, export_wh: 0.5 * pv_wh, ...flows };
    return [{ site: site.key, day: dayBefore(place + 1), version: 1, quality: 0, ...energies }];
  });
  await plants.insert('site_day', rows);
  const told = (span: 'day' | 'week' | 'month', date: string) =>
    plants.read(storyEndpoints.story, { stationID: site.id, span, date }, token);
  return { site, told };
}

describe('the story of a plant', () => {
  test('of a whole day tells the sums of its rollups, against the day before', async () => {
    const { told } = await plantWith([20, 16, 18]);
    expect(await told('day', dayBefore(1))).toEqual({
      first: dayBefore(1),
      last: dayBefore(1),
      isRunning: false,
      sun: { kind: 'more', energyWh: 20_000, percent: 25, other: 'before' },
      use: {
        kind: 'parts',
        parts: [
          { to: 'grid', energyWh: 10_000 },
          { to: 'house', energyWh: 6_000 },
          { to: 'battery', energyWh: 4_000 },
        ],
        selfSufficiencyPercent: 75,
      },
      unusual: { kind: 'nothing' },
    });
  });

  test('of a day that is far from the month before it is told against its mean, and as a record', async () => {
    const { told } = await plantWith([30, ...Array.from({ length: 30 }, () => 20)]);
    const { sun, unusual } = await told('day', dayBefore(1));
    expect(sun).toEqual({ kind: 'more', energyWh: 30_000, percent: 50, other: 'mean' });
    expect(unusual).toEqual({ kind: 'best' });
  });

  test('of a running day counts what has come, against the day before up to the same time', async () => {
    const { site, told } = await plantWith([20]);
    const bucket = (atMs: number, pv_wh: number) => ({
      site: site.key,
      ts: atMs / 1_000,
      version: 1,
      quality: 0,
      pv_wh,
    });
    const { startMs } = dayBounds(TODAY, ZONE);
    await plants.insert('site_5m', [
      bucket(startMs + 9 * HOUR_MS, 1_500),
      bucket(startMs - DAY_MS + 9 * HOUR_MS, 1_000),
      bucket(startMs - DAY_MS + 15 * HOUR_MS, 9_000),
    ]);
    const { sun, isRunning } = await told('day', TODAY);
    expect(isRunning).toBe(true);
    expect(sun).toEqual({ kind: 'more', energyWh: 1_500, percent: 50, other: 'beforeByNow' });
  });

  test('of a week and of a month are the sums of their days, and say how many are missing', async () => {
    const { told } = await plantWith(Array.from({ length: 60 }, (_, place) => (place === 8 ? null : 10)));
    // Monday the 8th to Sunday the 14th of June, of which the 11th is missing.
    const week = await told('week', '2026-06-10');
    expect([week.first, week.last]).toEqual(['2026-06-08', '2026-06-14']);
    expect(week.sun).toMatchObject({ energyWh: 60_000 });
    expect(week.unusual).toEqual({ kind: 'missingDays', days: 1 });
    const month = await told('month', '2026-05-15');
    expect([month.first, month.last]).toEqual(['2026-05-01', '2026-05-31']);
    expect(month.sun).toMatchObject({ energyWh: 310_000 });
  });

  test('names the alarm that stood, and how many more', async () => {
    const { site, told } = await plantWith([20, 20]);
    const datalogger = await plants.addDatalogger(site.id);
    const device = await plants.addDevice(site.id, datalogger.id);
    const since = new Date(dayBounds(dayBefore(1), ZONE).startMs + 10 * HOUR_MS);
    const until = new Date(since.getTime() + HOUR_MS);
    const alarm = (code: number, level: number) => ({
      device_id: device.id,
      logger_id: null,
      site_id: site.id,
      code,
      level,
      since,
      until,
    });
    await plants.db
      .insertInto('alarms')
      .values([alarm(1001, 3), alarm(2006, 2)])
      .execute();
    expect((await told('day', dayBefore(1))).unusual).toEqual({
      kind: 'alarm',
      alarm: { code: 1001, level: 3, sinceMs: since.getTime(), untilMs: until.getTime() },
      others: 1,
    });
    expect((await told('day', dayBefore(2))).unusual).toEqual({ kind: 'nothing' });
  });

  test('says of a day of which nothing is known that it is not, and no more', async () => {
    const { told } = await plantWith([20]);
    expect(await told('day', dayBefore(40))).toMatchObject({ sun: { kind: 'unknown' }, use: null, unusual: null });
  });

  test.each(['2025-12-30', '2026-01-01', '2026-05-28', '2026-06-01', '2026-06-10', dayBefore(1), TODAY])(
    'is not known yet exactly where the figures are not, while history has come up to %s',
    async (heldDay) => {
      const { site, told } = await plantWith(Array.from({ length: 200 }, (_, place) => 10 + (place % 7)));
      // Of the day that the history has come to the night alone.
      const night = { site: site.key, day: heldDay, version: 2, quality: 0, pv_wh: 0 };
      await plants.insert('site_day', [night]);
      const { day: _, ...bucket } = night;
      await plants.insert('site_5m', [{ ...bucket, ts: dayBounds(heldDay, ZONE).startMs / 1_000 }]);
      await plants.db
        .updateTable('site_latest')
        .set({ history_percent: 40, local_day: heldDay })
        .where('site_id', '=', site.id)
        .execute();
      const figures = await plants.read(siteEndpoints.figures, { stationID: site.id }, token);
      const pairs = [
        [figures.today, await told('day', TODAY)],
        [figures.yesterday, await told('day', dayBefore(1))],
        [figures.month, await told('month', TODAY)],
      ] as const;
      for (const [{ generationWh }, { sun, unusual }] of pairs) {
        if (generationWh === null) {
          expect(sun).toEqual({ kind: 'unknown' });
          expect(unusual).toBeNull();
        } else {
          expect(sun).not.toEqual({ kind: 'unknown' });
          expect(unusual?.kind).not.toBe('missingDays');
        }
      }
      expect(figures.yesterday.generationWh === null).toBe(heldDay < TODAY);
      expect(figures.month.generationWh === null).toBe(heldDay <= '2026-06-01');
      // Of a year of which only a night was counted nothing is known: it is not 0.
      expect(figures.year.generationWh === null).toBe(heldDay <= '2026-01-01');
      expect(figures.year.generationWh).not.toBe(0);
    },
  );

  test('is not told of a plant out of scope', async () => {
    const { site } = await plantWith([20]);
    const stranger = await plants.addInstaller();
    const asked = { span: 'day' as const, date: TODAY };
    const answers = await Promise.all(
      [site.id, crypto.randomUUID()].map((stationID) =>
        plants.call(storyEndpoints.story, { stationID, ...asked }, stranger.token),
      ),
    );
    expect(answers[0]?.errno).not.toBe(0);
    expect(answers[0]?.errno).toBe(answers[1]?.errno);
  });
});
