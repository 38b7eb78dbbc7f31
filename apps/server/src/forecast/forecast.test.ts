import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forecastEndpoints, type SiteForecast } from '@sonnenwarte/contract/forecast/forecast';
import { dayBounds, hoursOfDay, localDay } from '@sonnenwarte/energy/calendar';
import { hourEnergies } from '@sonnenwarte/energy/forecast/day-hours';
import { clearSkyPowerW, type PvPlant, pvPlantOf } from '@sonnenwarte/energy/physics/plant-power';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { forgetForecasts, keepForecasts } from './forecast.job.ts';
import type { ForecastParts } from './forecast.service.ts';
import { ClearDays } from './recorded-days.ts';
import { WeatherSource } from './weather-source.ts';

const ZONE = 'Europe/Berlin';
const TODAY = '2026-06-15';
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const place = { latitude: 48.4, longitude: 11.75 };
const modules = pvPlantOf({ ...place, altitudeM: null, systemSizeKwp: 10, arrays: [] }) as PvPlant;
/** By the time of day on the plant's clock. */
const at = (hour: number, day = TODAY) => dayBounds(day, ZONE).startMs + hour * HOUR_MS;

const notEnding = new AbortController().signal;
let plants: PlantsFixture;
let installerId: string;
let token: string;
beforeAll(async () => {
  plants = await PlantsFixture.start();
  ({ installerId, token } = await plants.addInstaller());
});
afterAll(() => plants.stop());

const clearOf = (day: string) => hourEnergies(day, ZONE, (tsMs) => clearSkyPowerW(tsMs, modules));
const clearDayWh = (day: string) => clearOf(day).reduce((sum, wh) => sum + wh, 0);
const dayBack = (days: number) => localDay(at(12) - days * DAY_MS, ZONE);

/** Hours of a day that gave a share of their clear sky, until one of them. */
const hoursOf = (site: { key: number }, day: string, share: number, before = 24) =>
  hoursOfDay(day, ZONE)
    .map(({ startMs }, hour) => ({
      site: site.key,
      ts: startMs / 1_000,
      version: 1,
      quality: 0,
      pv_wh: share * (clearOf(day)[hour] ?? 0),
    }))
    .slice(0, before);

interface PastPlant {
  days: number;
  /** Share of the clear sky, by how many days ago. */
  share?: (back: number) => number;
  /** Until which hour today is recorded, and as which share. */
  today?: { hour: number; share: number };
}

async function plantWith({ days, share = () => 0.6, today }: PastPlant) {
  const site = await plants.addSite(installerId, place);
  const past = Array.from({ length: days }, (_, back) => hoursOf(site, dayBack(back + 1), share(back + 1)));
  const rows = [...past.flat(), ...(today ? hoursOf(site, TODAY, today.share, today.hour) : [])];
  if (rows.length > 0) await plants.insert('site_hour', rows);
  if (today) {
    const bucket = at(today.hour) - 300_000;
    await plants.insert('site_5m', [{ site: site.key, ts: bucket / 1_000, version: 1, quality: 0, pv_wh: 1 }]);
  }
  return site;
}

const ask = (site: { id: string }): Promise<SiteForecast> =>
  plants.read(forecastEndpoints.forecast, { stationID: site.id }, token);

const keptOf = (site: { id: string }) =>
  plants.db.selectFrom('site_forecasts').selectAll().where('site_id', '=', site.id).orderBy('day').execute();

const partsOf = (weather: WeatherSource | null = null): ForecastParts => ({
  db: plants.db,
  telemetry: plants.stores.telemetry.client,
  nowMs: () => plants.time.nowMs ?? Date.now(),
  clearDays: new ClearDays(),
  weather,
});

describe('the forecast of a plant', () => {
  test('is today what came and a range of the rest, and tomorrow a range, by the clear sky and its last weeks', async () => {
    plants.time.nowMs = at(13);
    const site = await plantWith({
      days: 72,
      share: (back) => 0.3 + 0.05 * (back % 13),
      today: { hour: 13, share: 0.6 },
    });
    const { today, tomorrow, gap } = await ask(site);
    const soFarWh =
      0.6 *
      clearOf(TODAY)
        .slice(0, 13)
        .reduce((sum, wh) => sum + wh, 0);
    expect(today).toMatchObject({ day: TODAY, untilMs: at(13), isOver: false });
    expect(today.soFarWh).toBeCloseTo(soFarWh, 0);
    const range = today.range ?? { p10Wh: 0, p50Wh: 0, p90Wh: 0 };
    expect(range.p10Wh).toBeGreaterThan(soFarWh);
    expect(range.p10Wh).toBeLessThan(range.p90Wh);
    expect(range.p50Wh).toBeCloseTo(0.6 * clearDayWh(TODAY), -3);
    expect(range.p90Wh - range.p10Wh).toBeLessThan(0.2 * clearDayWh(TODAY));
    expect(tomorrow).toMatchObject({ day: '2026-06-16', range: { source: 'ownSky', isLearned: true } });
    const clearWh = clearDayWh('2026-06-16');
    expect(tomorrow.range?.p10Wh).toBeGreaterThanOrEqual(0.299 * clearWh);
    expect(tomorrow.range?.p90Wh).toBeLessThanOrEqual(0.901 * clearWh);
    expect((tomorrow.range?.p90Wh ?? 0) - (tomorrow.range?.p10Wh ?? 0)).toBeGreaterThan(0.3 * clearWh);
    expect(gap).toBeNull();
  });

  test('is not known before a fortnight was recorded, and says how many days are missing', async () => {
    plants.time.nowMs = at(13);
    const young = await plantWith({ days: 11, today: { hour: 13, share: 0.6 } });
    const { today, tomorrow, gap, daysMissing, hits } = await ask(young);
    expect({ range: today.range, next: tomorrow.range, gap, daysMissing, hits }).toEqual({
      range: null,
      next: null,
      gap: 'fewDays',
      daysMissing: 3,
      hits: [],
    });
    expect(await keptOf(young)).toEqual([]);
  });

  test('does not exist where nobody knows where the plant stands', async () => {
    const nowhere = await plants.addSite(installerId);
    expect(await ask(nowhere)).toMatchObject({ gap: 'noPlace', today: { range: null }, tomorrow: { range: null } });
  });

  test('has no range of today where nothing was heard for hours of sun, and none once the sun is gone', async () => {
    const site = await plantWith({ days: 60, today: { hour: 10, share: 0.6 } });
    plants.time.nowMs = at(16);
    expect(await ask(site)).toMatchObject({ gap: 'silent', today: { range: null, isOver: false, untilMs: at(10) } });
    const whole = await plantWith({ days: 60, today: { hour: 22, share: 0.6 } });
    plants.time.nowMs = at(22);
    const { today, tomorrow, gap } = await ask(whole);
    expect({ range: today.range, isOver: today.isOver, gap }).toEqual({ range: null, isOver: true, gap: null });
    expect(today.soFarWh).toBeCloseTo(0.6 * clearDayWh(TODAY), -2);
    expect(tomorrow.range).not.toBeNull();
  });

  test('leaves out days of which hours of light are missing and days that its history has not come to', async () => {
    plants.time.nowMs = at(13);
    const holes = await plants.addSite(installerId, place);
    const rows = Array.from({ length: 20 }, (_, back) => hoursOf(holes, dayBack(back + 1), 0.6));
    await plants.insert(
      'site_hour',
      rows.flatMap((hours, back) => (back < 8 ? hours.toSpliced(13, 1) : hours)),
    );
    expect(await ask(holes)).toMatchObject({ gap: 'fewDays', daysMissing: 2 });
    const arriving = await plants.addSite(installerId, {
      ...place,
      latest: { history_percent: 40, local_day: dayBack(10) },
    });
    await plants.insert(
      'site_hour',
      Array.from({ length: 20 }, (_, back) => hoursOf(arriving, dayBack(back + 1), 0.6)).flat(),
    );
    expect(await ask(arriving)).toMatchObject({ gap: 'fewDays', daysMissing: 3 });
  });
});

test('hours without a counter in which more was told than a plant can give are not known to the forecast', async () => {
  plants.time.nowMs = at(13);
  const [site, counted] = [await plants.addSite(installerId, place), await plants.addSite(installerId, place)];
  for (const [each, qualities] of [
    [site, 1],
    [counted, 0],
  ] as const) {
    const rows = Array.from({ length: 40 }, (_, back) => hoursOf(each, dayBack(back + 1), 0.6)).flat();
    // Every third day a power of 3 MW for a quarter of an hour.
    const told = rows.map((row, place) => ({ ...row, qualities, pv_wh: place % 72 === 12 ? 750_000 : row.pv_wh }));
    await plants.insert('site_hour', told);
  }
  const { tomorrow, hits } = await ask(site);
  expect(tomorrow.range?.p90Wh).toBeLessThan(1.01 * 0.6 * clearDayWh('2026-06-16'));
  expect(hits.every(({ p90Wh, cameWh }) => p90Wh < 80_000 && cameWh < 80_000)).toBe(true);
  // Counters that say more than the plant is said to give are right: then its size is wrong.
  expect((await ask(counted)).hits.some(({ cameWh }) => cameWh > 750_000)).toBe(true);
});

describe('what was told', () => {
  test('of a day is kept as it was told first and held against what came, days before that as they would have been told', async () => {
    plants.time.nowMs = at(9, dayBack(1));
    const site = await plantWith({ days: 75, share: (back) => (back === 1 ? 0.6 : 0.5 + 0.01 * (back % 11)) });
    const told = (await ask(site)).tomorrow.range;
    plants.time.nowMs = at(18, dayBack(1));
    await ask(site);
    const kept = await keptOf(site);
    expect(kept).toHaveLength(1);
    expect(kept[0]).toMatchObject({ p10_wh: told?.p10Wh, p90_wh: told?.p90Wh, source: 'ownSky', expected_wh: null });

    await plants.insert('site_hour', hoursOf(site, TODAY, 0.9));
    plants.time.nowMs = at(9, '2026-06-16');
    const { hits, held } = await ask(site);
    expect(hits).toHaveLength(30);
    expect(hits[0]).toMatchObject({ day: TODAY, isKept: true, p10Wh: told?.p10Wh, p90Wh: told?.p90Wh });
    expect(hits[0]?.cameWh).toBeCloseTo(0.9 * clearDayWh(TODAY), -2);
    expect(hits.slice(1).every(({ isKept }) => !isKept)).toBe(true);
    const within = hits.filter(({ p10Wh, cameWh, p90Wh }) => p10Wh <= cameWh && cameWh <= p90Wh);
    expect(held).toBe(within.length);
    expect(within).not.toContain(hits[0]);
    expect(held).toBeGreaterThan(20);
  });

  test('afterwards of a day takes nothing of that day or of later ones', async () => {
    plants.time.nowMs = at(9);
    const [one, other] = [
      await plantWith({ days: 72, share: (back) => 0.4 + 0.03 * (back % 7) }),
      await plantWith({ days: 72, share: (back) => (back <= 5 ? 0.05 : 0.4 + 0.03 * (back % 7)) }),
    ];
    const [first, second] = [await ask(one), await ask(other)];
    const fifth = dayBack(5);
    const of = (answer: SiteForecast) => {
      const { p10Wh, p50Wh, p90Wh } = answer.hits.find(({ day }) => day === fifth) ?? {};
      return { p10Wh, p50Wh, p90Wh };
    };
    expect(of(first).p50Wh).toBeGreaterThan(0);
    expect(of(second)).toEqual(of(first));
  });

  test('is kept in the evening of plants that somebody looked at in the last fortnight, and of no others', async () => {
    plants.time.nowMs = at(9, '2026-06-14');
    const [looked, unseen] = [await plantWith({ days: 40 }), await plantWith({ days: 40 })];
    await ask(looked);
    expect((await keptOf(looked)).map(({ day }) => day)).toHaveLength(1);
    plants.time.nowMs = at(15);
    await keepForecasts(partsOf(), notEnding);
    expect(await keptOf(looked)).toHaveLength(1);
    plants.time.nowMs = at(18);
    await keepForecasts(partsOf(), notEnding);
    await keepForecasts(partsOf(), notEnding);
    expect(await keptOf(looked)).toHaveLength(2);
    expect(await keptOf(unseen)).toEqual([]);
    plants.time.nowMs = at(18) + 20 * DAY_MS;
    await keepForecasts(partsOf(), notEnding);
    expect(await keptOf(looked)).toHaveLength(2);
    plants.time.nowMs = at(18) + 200 * DAY_MS;
    await forgetForecasts(partsOf());
    expect(await keptOf(looked)).toEqual([]);
  });
});

describe('with a source of weather forecasts', () => {
  let server: Server;
  let url: string;
  let ghiWm2 = 400;
  let isDown = false;
  beforeAll(async () => {
    server = createServer((_, response) => {
      if (isDown) {
        response.writeHead(503).end();
        return;
      }
      const time = Array.from({ length: 96 }, (__, hour) => (at(0) - DAY_MS) / 1_000 + hour * 3_600);
      response.end(
        JSON.stringify({
          hourly: {
            time,
            shortwave_radiation: time.map(() => ghiWm2),
            temperature_2m: time.map(() => 18),
            wind_speed_10m: time.map(() => 2),
          },
        }),
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/forecast`;
  });
  afterAll(() => server.close());

  const sourced = () => {
    const rules = { privateAddresses: true, plainLoopback: true };
    const nowMs = () => plants.time.nowMs ?? Date.now();
    return partsOf(new WeatherSource({ url, rules, nowMs, logger: pino({ level: 'silent' }) }));
  };
  const keptAt = async (site: { id: string }) => {
    plants.time.nowMs = at(18);
    await plants.db.insertInto('site_forecast_looks').values({ site_id: site.id, looked_on: TODAY }).execute();
    await keepForecasts(sourced(), notEnding);
    return (await keptOf(site)).find(({ day }) => day !== null);
  };

  test('tomorrow follows its light, widely as long as its own errors are not known', async () => {
    ghiWm2 = 400;
    const bright = await keptAt(await plantWith({ days: 2 }));
    ghiWm2 = 100;
    const dull = await keptAt(await plantWith({ days: 2 }));
    expect(bright).toMatchObject({ source: 'weather' });
    expect(bright?.expected_wh).toBeGreaterThan(3 * (dull?.expected_wh ?? 0));
    expect(bright?.p10_wh).toBeCloseTo(0.5 * (bright?.expected_wh ?? 0), 1);
    expect(bright?.p90_wh).toBeCloseTo(1.3 * (bright?.expected_wh ?? 0), 1);
  });

  test('the range comes of its own errors once a fortnight of them is known', async () => {
    ghiWm2 = 400;
    const site = await plantWith({ days: 30, share: () => 0.6 });
    const told = Array.from({ length: 20 }, (_, back) => ({
      site_id: site.id,
      day: dayBack(back + 1),
      source: 'weather' as const,
      p10_wh: 1,
      p50_wh: 2,
      p90_wh: 3,
      expected_wh: (0.6 * clearDayWh(dayBack(back + 1))) / 0.8,
    }));
    await plants.db.insertInto('site_forecasts').values(told).execute();
    plants.time.nowMs = at(18);
    await plants.db.insertInto('site_forecast_looks').values({ site_id: site.id, looked_on: TODAY }).execute();
    await keepForecasts(sourced(), notEnding);
    const newest = (await keptOf(site)).at(-1);
    expect((newest?.p10_wh ?? 0) / (newest?.expected_wh ?? 1)).toBeCloseTo(0.8, 4);
    expect((newest?.p90_wh ?? 0) / (newest?.expected_wh ?? 1)).toBeCloseTo(0.8, 4);
  });

  test('that is slow nobody waits for: twelve plants at once are forecast by themselves and say so, the next time by the weather', async () => {
    const held: (() => void)[] = [];
    let isHeld = true;
    const slow = createServer((_, response) => {
      const answer = () => {
        const time = Array.from({ length: 96 }, (__, hour) => (at(0) - DAY_MS) / 1_000 + hour * 3_600);
        const [shortwave_radiation, temperature_2m, wind_speed_10m] = [400, 18, 2].map((each) => time.map(() => each));
        response.end(JSON.stringify({ hourly: { time, shortwave_radiation, temperature_2m, wind_speed_10m } }));
      };
      if (isHeld) held.push(answer);
      else answer();
    });
    await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
    const slowUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/v1/forecast`;
    const other = await PlantsFixture.start(undefined, { FORECAST_URL: slowUrl, FORECAST_PRIVATE: 'on' });
    try {
      other.time.nowMs = at(13);
      const owner = await other.addInstaller();
      const sites = await Promise.all(
        Array.from({ length: 12 }, (_, each) =>
          other.addSite(owner.installerId, { ...place, latitude: 40 + each, system_size_kwp: 10 }),
        ),
      );
      await other.insert(
        'site_hour',
        sites.flatMap((site) => Array.from({ length: 20 }, (_, back) => hoursOf(site, dayBack(back + 1), 0.6)).flat()),
      );
      const askAll = () =>
        Promise.all(sites.map(({ id }) => other.read(forecastEndpoints.forecast, { stationID: id }, owner.token))).then(
          (answers) => answers.map(({ tomorrow }) => tomorrow.range?.source),
        );
      expect(await askAll()).toEqual(sites.map(() => 'ownSky'));
      isHeld = false;
      for (const answer of held) answer();
      await vi.waitFor(async () => expect(await askAll()).toEqual(sites.map(() => 'weather')), { timeout: 10_000 });
    } finally {
      await other.stop();
      slow.closeAllConnections();
      slow.close();
    }
  });

  test('that cannot be reached the plant forecasts by itself', async () => {
    isDown = true;
    const kept = await keptAt(await plantWith({ days: 40 }));
    isDown = false;
    expect(kept).toMatchObject({ source: 'ownSky', expected_wh: null });
  });
});
