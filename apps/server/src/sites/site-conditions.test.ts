import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const NOW_MS = Date.UTC(2026, 5, 21, 11, 0);
let plants: PlantsFixture;
let token: string;
let installerId: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  const installer = await plants.addOrganisation('installer');
  installerId = installer.id;
  token = plants.signIn(await plants.addAccount(installer.id, 2));
});

afterAll(() => plants.stop());

const conditionsOf = (stationID: string) => plants.read(siteEndpoints.conditions, { stationID }, token);

async function plantWith(kind: 'inverter' | 'station', told: Record<string, number>) {
  const site = await plants.addSite(installerId);
  const datalogger = await plants.addDatalogger(site.id);
  const values = Object.fromEntries(
    Object.entries(told).map(([name, value]) => [name, [value, NOW_MS] as [number, number]]),
  );
  return { site, device: await plants.addDevice(site.id, datalogger.id, { kind, values }) };
}

const strings = (...currents: number[]) => ({
  'DC/Mppt1/Voltage': 600,
  'DC/Mppt1/Current': currents.reduce((sum, current) => sum + current, 0),
  ...Object.fromEntries(currents.map((current, place) => [`DC/String${place + 1}/Current`, current])),
});

test('a plant without weather station and weak strings has none', async () => {
  const { site } = await plantWith('inverter', strings(8, 8.1, 7.9));
  expect(await conditionsOf(site.id)).toMatchObject({ stations: [], weakStrings: [] });
});

test('the weather station tells what it measures, and no more', async () => {
  const { site, device } = await plantWith('station', { 'Env/Irradiance': 812, 'Env/ModuleTemp': 41.5, 'State/X': 3 });
  const { stations } = await conditionsOf(site.id);
  expect(stations).toMatchObject([{ deviceID: device.id, updatedAtMs: NOW_MS, offline: false }]);
  expect(stations[0]?.values).toEqual([
    { variable: 'Env/Irradiance', unit: 'W/m2', value: 812, tsMs: NOW_MS },
    { variable: 'Env/ModuleTemp', unit: 'degC', value: 41.5, tsMs: NOW_MS },
  ]);
});

test('the string that falls behind its neighbours is named with its inverter, while its values are those of now', async () => {
  const { site, device } = await plantWith('inverter', strings(8, 3.2, 8));
  expect((await conditionsOf(site.id)).weakStrings).toEqual([
    { deviceID: device.id, deviceSN: device.sn, kind: 'string', n: 2, percent: 40 },
  ]);
  plants.time.nowMs = NOW_MS + 3_600_000;
  expect((await conditionsOf(site.id)).weakStrings).toEqual([]);
});

test('inverters stand with their strings side by side, also while they are silent; one with a single string does not', async () => {
  plants.time.nowMs = NOW_MS;
  const { site, device } = await plantWith('inverter', strings(8, 3.2, 8));
  const seen = { deviceID: device.id, deviceSN: device.sn, updatedAtMs: NOW_MS, offline: false };
  expect((await conditionsOf(site.id)).inverters).toMatchObject([
    {
      ...seen,
      strings: [
        { kind: 'string', n: 1, tracker: 1, voltageV: 600, currentA: 8, powerW: 4_800, percent: 100, weak: false },
        { n: 2, currentA: 3.2, percent: 40, weak: true },
        { n: 3, currentA: 8, weak: false },
      ],
    },
  ]);
  plants.time.nowMs = NOW_MS + 3_600_000;
  expect((await conditionsOf(site.id)).inverters).toMatchObject([{ ...seen, offline: true }]);
  plants.time.nowMs = NOW_MS;
  const single = await plantWith('inverter', strings(8));
  expect((await conditionsOf(single.site.id)).inverters).toEqual([]);
});
