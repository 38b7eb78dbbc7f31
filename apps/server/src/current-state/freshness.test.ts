import { batteryEndpoints } from '@sonnenwarte/contract/batteries/batteries';
import { dataloggerEndpoints } from '@sonnenwarte/contract/dataloggers/dataloggers';
import { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import type { Endpoint } from '@sonnenwarte/contract/endpoint';
import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import { searchEndpoints } from '@sonnenwarte/contract/search/search';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

/** Midnight in Berlin: whoever reports is awake all the same. */
const NOW_MS = Date.UTC(2026, 10, 20, 23);

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
});

afterAll(() => plants.stop());

interface Seen {
  readonly stationID: string;
  readonly token: string;
}

/** A plant whose inverter sleeps: no power, told every so many seconds, and last heard some seconds ago. */
async function sleepingPlant(intervalS: number, heardS: number): Promise<Seen> {
  const heard = new Date(NOW_MS - heardS * 1_000);
  const { id } = await plants.addOrganisation('installer');
  const site = await plants.addSite(id, {
    name: `Sleeper ${intervalS} ${heardS}`,
    latitude: 52.5,
    longitude: 13.4,
    latest: { state: 'normal', ts: heard, pv_w: 0, load_w: 250, grid_w: 250 },
  });
  await plants.db.updateTable('site_latest').set({ interval_s: intervalS }).where('site_id', '=', site.id).execute();
  const datalogger = await plants.addDatalogger(site.id, heard);
  await plants.db
    .updateTable('loggers')
    .set({ report_interval_s: intervalS })
    .where('id', '=', datalogger.id)
    .execute();
  const powers = { 'DC/Power': [0, heard.getTime()], 'AC/ActivePower': [0, heard.getTime()] } as const;
  await plants.addDevice(site.id, datalogger.id, {
    last_seen_at: heard,
    powerW: 0,
    values: Object.fromEntries(Object.entries(powers).map(([name, [value, atMs]]) => [name, [value, atMs]])),
  });
  const token = plants.signIn(await plants.addAccount(id, 2));
  return { stationID: site.id, token };
}

/** Every place that says whether something reports, and what it says of the plant, its datalogger or its inverter. */
const places: Readonly<Record<string, (seen: Seen) => Promise<string>>> = {
  'plant list': async ({ token }) =>
    (await plants.read(siteEndpoints.list, { pageSize: 10 }, token)).plants[0]?.state ?? '',
  'plant list, filtered': async ({ token }) => {
    const condition = { states: ['offline' as const] };
    return (await plants.read(siteEndpoints.list, { pageSize: 10, condition }, token)).plants[0]?.state ?? 'normal';
  },
  'plants by state': async ({ token }) => counted(await plants.read(siteEndpoints.statusAll, {}, token)),
  'plant detail': async ({ stationID, token }) => (await plants.read(siteEndpoints.detail, { stationID }, token)).state,
  'live picture': async ({ stationID, token }) => (await plants.read(siteEndpoints.live, { stationID }, token)).state,
  'live picture, status code': async ({ stationID, token }) =>
    ofCode((await plants.read(siteEndpoints.live, { stationID }, token)).status),
  'inverter of the live picture': async ({ stationID, token }) =>
    ofOnline((await plants.read(siteEndpoints.live, { stationID }, token)).inverter?.online),
  'grid of the live picture': async ({ stationID, token }) =>
    ofOnline((await plants.read(siteEndpoints.live, { stationID }, token)).grid?.online),
  'devices of the plant': async ({ stationID, token }) =>
    (await plants.read(siteEndpoints.devices, { stationID }, token)).devices[0]?.state ?? '',
  'dataloggers of the plant': async ({ stationID, token }) =>
    (await plants.read(siteEndpoints.devices, { stationID }, token)).modules[0]?.state ?? '',
  'why it is silent': async ({ stationID, token }) =>
    (await plants.read(siteEndpoints.alarms, { stationID }, token)).silence === null ? 'normal' : 'offline',
  map: async ({ token }) =>
    (await plants.read(siteEndpoints.positions, {}, token)).states === '3' ? 'normal' : 'offline',
  'fleet, plants': async ({ token }) => counted((await plants.read(fleetEndpoints.summary, {}, token)).plants),
  'fleet, devices': async ({ token }) => counted((await plants.read(fleetEndpoints.summary, {}, token)).devices),
  'fleet, reporting': async ({ token }) =>
    ofOnline((await plants.read(fleetEndpoints.summary, {}, token)).reporting === 1),
  'needs attention': async ({ token }) =>
    (await plants.read(fleetEndpoints.attention, {}, token)).plants[0]?.state ?? 'normal',
  'device list': async ({ token }) =>
    (await plants.read(deviceEndpoints.list, { pageSize: 10 }, token)).devices[0]?.state ?? '',
  'devices by state': async ({ token }) => counted(await plants.read(deviceEndpoints.statusAll, {}, token)),
  'datalogger list': async ({ token }) =>
    ofOnline((await plants.read(dataloggerEndpoints.list, { pageSize: 10 }, token)).data[0]?.communication === 1),
  'search, plants': async ({ token }) =>
    (await plants.read(searchEndpoints.find, { content: 'Sleeper' }, token)).plants.rows[0]?.state ?? '',
  'search, devices': async ({ token }) =>
    (await plants.read(searchEndpoints.find, { content: 'Sleeper' }, token)).devices.rows[0]?.state ?? '',
};

const counted = ({ offline }: { offline: number }): string => (offline === 0 ? 'normal' : 'offline');
const ofOnline = (isOnline: boolean | undefined): string => (isOnline === true ? 'normal' : 'offline');
const ofCode = (code: number): string => (code === 1 ? 'normal' : 'offline');

test.each([
  { intervalS: 10, limitS: 300 },
  { intervalS: 60, limitS: 300 },
  { intervalS: 300, limitS: 900 },
  { intervalS: 900, limitS: 2_700 },
])(
  'who reports each $intervalS seconds and sleeps is normal for $limitS seconds and then offline, wherever one looks',
  async ({ intervalS, limitS }) => {
    for (const [heardS, wanted] of [
      [limitS - 1, 'normal'],
      [limitS + 1, 'offline'],
    ] as const) {
      const seen = await sleepingPlant(intervalS, heardS);
      const told: Record<string, string> = {};
      for (const [place, look] of Object.entries(places)) told[place] = await look(seen);
      expect(told).toEqual(Object.fromEntries(Object.keys(places).map((place) => [place, wanted])));
    }
  },
);

/** A file of one column, without its header. */
async function fileOf(endpoint: Endpoint, column: string, token: string): Promise<string[]> {
  const response = await plants.fetch(endpoint, { columns: [column] }, token);
  return (await response.text()).trimEnd().split('\r\n').slice(1);
}

test('who does not report has no power and no state of charge now: in no row, order, file or answer', async () => {
  const { id } = await plants.addOrganisation('installer');
  const token = plants.signIn(await plants.addAccount(id, 2));
  const made = async (name: string, heardS: number, powerW: number) => {
    const heard = new Date(NOW_MS - heardS * 1_000);
    const site = await plants.addSite(id, {
      name,
      latitude: 52.5,
      longitude: 13.4,
      latest: { state: 'normal', ts: heard, pv_w: powerW, soc_percent: 50 },
    });
    const datalogger = await plants.addDatalogger(site.id, heard);
    const more = { last_seen_at: heard, powerW };
    const inverter = await plants.addDevice(site.id, datalogger.id, { ...more, values: {} });
    const battery = { 'Bat/Power': [powerW, heard.getTime()], 'Bat/Soc': [50, heard.getTime()] } as const;
    await plants.addDevice(site.id, datalogger.id, {
      ...more,
      kind: 'battery',
      values: Object.fromEntries(Object.entries(battery).map(([point, [value, atMs]]) => [point, [value, atMs]])),
    });
    return { stationID: site.id, deviceID: inverter.id };
  };
  const silent = await made('Silent', 3_600, 5_000);
  await made('Small', 10, 1_000);
  await made('Large', 10, 3_000);

  for (const [order, wanted] of [
    ['desc', [3_000, 1_000, null]],
    ['asc', [1_000, 3_000, null]],
  ] as const) {
    const { plants: rows } = await plants.read(
      siteEndpoints.list,
      { pageSize: 10, sort: { field: 'pvPowerW', order } },
      token,
    );
    expect(rows.map(({ pvPowerW }) => pvPowerW)).toEqual(wanted);
    const { devices } = await plants.read(
      deviceEndpoints.list,
      { pageSize: 10, sort: { field: 'powerW', order } },
      token,
    );
    expect(devices.map(({ powerW }) => powerW)).toEqual(wanted);
  }
  expect((await fileOf(siteEndpoints.exportList, 'pvPowerW', token)).toSorted()).toEqual(['', '1', '3']);
  expect((await fileOf(siteEndpoints.exportList, 'socPercent', token)).toSorted()).toEqual(['', '50', '50']);
  expect((await fileOf(deviceEndpoints.exportList, 'powerW', token)).toSorted()).toEqual(['', '1', '3']);
  const { stationID, deviceID } = silent;
  expect(await plants.read(siteEndpoints.detail, { stationID }, token)).toMatchObject({
    pvPowerW: null,
    socPercent: null,
  });
  const { devices } = await plants.read(siteEndpoints.devices, { stationID }, token);
  expect(devices.map(({ powerW }) => powerW)).toEqual([null, null]);
  expect((await plants.read(siteEndpoints.rows, { stationIDs: [stationID] }, token)).plants).toMatchObject([
    { pvPowerW: null, socPercent: null },
  ]);
  expect(await plants.read(batteryEndpoints.batteryInfo, { id: deviceID }, token)).toMatchObject({
    power: null,
    soc: null,
  });
  expect((await plants.read(deviceEndpoints.earnings, { deviceID }, token)).power).toBeNull();
});
