import { insightEndpoints } from '@sonnenwarte/contract/insight/insight';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawTableOf } from '../stores/telemetry-tables.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { addRoof } from '../testing/roofs.ts';

const NOW_MS = Date.UTC(2026, 5, 20, 10);
const DAY = '2026-06-19';
const MINUTE_MS = 60_000;
const KWP = 9;

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
});
afterAll(() => plants?.stop());

test.each([5, 10, 15])(
  'a sensor that reports every %i minutes tells the light of a plant alone, and its ratio is that of yield over what was measured',
  async (minutes) => {
    const { installerId, token } = await plants.addInstaller();
    const roof = await addRoof(plants, installerId, 'Alone', {
      latitude: 30 + minutes,
      longitude: 11.6,
      time_zone: 'UTC',
    });
    const datalogger = await plants.addDatalogger(roof.id);
    const station = await plants.addDevice(roof.id, datalogger.id, { kind: 'station' });
    const irradiance = rawTableOf('station').numbers.find(({ point }) => point.name === 'Env/Irradiance');
    if (irradiance === undefined) throw new Error('a station tells irradiance');
    const { startMs } = dayBounds(DAY, 'UTC');
    /** The sun of eleven hours. */
    const lightAt = (atMs: number): number => {
      const hour = (atMs - startMs) / 3_600_000;
      return hour <= 6 || hour >= 17 ? 0 : 750 * Math.sin((Math.PI * (hour - 6)) / 11);
    };
    const buckets = Array.from({ length: 288 }, (_, at) => startMs + at * 5 * MINUTE_MS);
    const powerAt = (atMs: number): number => 0.8 * KWP * lightAt(atMs);
    await plants.insert(
      'site_5m',
      buckets.map((atMs) => ({
        site: roof.key,
        ts: atMs / 1_000,
        version: 1,
        pv_w: powerAt(atMs),
        load_w: 4_000 + powerAt(atMs),
        grid_w: 4_000,
        battery_w: 0,
      })),
    );
    await plants.insert(
      'device_5m',
      buckets.map((atMs) => ({
        device: roof.inverter.key,
        ts: atMs / 1_000,
        version: 1,
        samples: 5,
        ac_w: powerAt(atMs),
        pv_w: powerAt(atMs) / 0.96,
      })),
    );
    await plants.insert(
      rawTableOf('station').name,
      buckets
        .filter((atMs) => (atMs - startMs) % (minutes * MINUTE_MS) === 0)
        .map((atMs) => ({
          device: station.key,
          ts: atMs,
          received: atMs,
          [irradiance.column]: Math.round(lightAt(atMs) * irradiance.point.steps),
        })),
    );
    const found = await plants.read(insightEndpoints.evidence, { stationID: roof.id, date: DAY }, token);
    expect(found).toMatchObject({ source: 'sensor', missing: expect.not.arrayContaining(['reference']) });
    expect(Math.abs((found.performanceRatio ?? 0) - 0.8)).toBeLessThan(0.002);
  },
);
