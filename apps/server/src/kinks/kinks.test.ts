import { kinkEndpoints } from '@sonnenwarte/contract/kinks/kinks';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { columnOf, pointByName } from '@sonnenwarte/device-protocol/points/points';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const DATE = '2026-06-20';
const ZONE = 'Europe/Berlin';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BUCKET_MS = 5 * MINUTE_MS;
const BOUNDS = dayBounds(DATE, ZONE);
const NOON_MS = BOUNDS.startMs + 13 * HOUR_MS;
const NOW_MS = BOUNDS.endMs + 12 * HOUR_MS;

let plants: PlantsFixture;
let token: string;
let installerId: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  ({ installerId, token } = await plants.addInstaller());
});

afterAll(() => plants.stop());

const place = { latitude: 48.4, longitude: 11.75, system_size_kwp: 10 };
const arrays = [{ azimuthDeg: 180, inclinationDeg: 35, kwp: 10 }];
/** The hour in which a test's plants give less. */
const isFallen = (tsMs: number): boolean => tsMs >= NOON_MS && tsMs < NOON_MS + HOUR_MS;

/** A plant with the curve of a clear day but for an hour, of which a share is left or nothing told. */
async function plantWith(left: number | null, near = place) {
  const site = await plants.addSite(installerId, { ...near, arrays, time_zone: ZONE });
  const datalogger = await plants.addDatalogger(site.id);
  const { tsMs, clearSkyW } = await plants.read(siteEndpoints.day, { stationID: site.id, date: DATE }, token);
  const rows = tsMs.flatMap((each, at) => {
    const healthyW = 0.9 * (clearSkyW?.[at] ?? 0);
    if (isFallen(each) && left === null) return [];
    const pv_w = isFallen(each) ? healthyW * (left ?? 0) : healthyW;
    return [{ ts: each / 1_000, version: 1, quality: 0, pv_w, grid_w: 300, load_w: pv_w + 300 }];
  });
  await plants.insert(
    'site_5m',
    rows.map((row) => ({ site: site.key, ...row })),
  );
  const addInverter = async (values: Record<string, number>, share: (tsMs: number) => number | null) => {
    const timed = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, [value, NOW_MS] as [number, number]]),
    );
    const device = await plants.addDevice(site.id, datalogger.id, { values: timed });
    await plants.insert(
      'device_5m',
      tsMs.flatMap((each, at) => {
        const part = share(each);
        const pv_w = part === null ? null : 0.9 * part * (clearSkyW?.[at] ?? 0);
        return pv_w === null
          ? []
          : [{ device: device.key, ts: each / 1_000, version: 1, samples: 5, quality: 0, pv_w }];
      }),
    );
    return device;
  };
  /** Currents of the strings of an inverter minute by minute around noon. */
  const tellStrings = (device: { key: number }, currents: (tsMs: number) => readonly number[]) =>
    plants.insert(
      'raw_inverter',
      Array.from({ length: 180 }, (_, minute) => {
        const at = NOON_MS - HOUR_MS + minute * MINUTE_MS;
        const ts = new Date(at).toISOString().slice(0, 23).replace('T', ' ');
        const strings = currents(at).map((amps, index) => {
          const name = `DC/String${index + 1}/Current`;
          return [`${columnOf(name)}_n`, Math.round(amps * (pointByName('inverter', name)?.steps ?? 1))];
        });
        return { device: device.key, ts, received: ts, ...Object.fromEntries(strings) };
      }),
    );
  const alarm = (device: { id: string }, code: number, sinceMs: number, level = 3) =>
    plants.db
      .insertInto('alarms')
      .values({
        device_id: device.id,
        logger_id: null,
        site_id: site.id,
        code,
        level,
        since: new Date(sinceMs),
        until: null,
      })
      .execute();
  const kinks = async () => (await plants.read(kinkEndpoints.kinks, { stationID: site.id, date: DATE }, token)).kinks;
  const explained = async () => {
    const [kink] = await kinks();
    return plants.read(kinkEndpoints.explain, { stationID: site.id, date: DATE, fromMs: kink?.fromMs ?? 0 }, token);
  };
  return { site, addInverter, tellStrings, alarm, kinks, explained };
}

const twoStrings = { 'DC/String1/Current': 8, 'DC/String2/Current': 8, 'DC/Power': 6_000 };

describe('kinks of a day', () => {
  test('are the drop alone, from its first five minutes to its end, with what it cost against the clear sky', async () => {
    const plant = await plantWith(0.5);
    const [kink, ...others] = await plant.kinks();
    expect(others).toEqual([]);
    expect(kink).toMatchObject({ shape: 'fall', fromMs: NOON_MS, toMs: NOON_MS + HOUR_MS, recovers: true });
    const day = await plants.read(siteEndpoints.day, { stationID: plant.site.id, date: DATE }, token);
    const missingWh = day.tsMs.reduce(
      (sum, tsMs, at) => sum + (isFallen(tsMs) ? (0.45 * (day.clearSkyW?.[at] ?? 0)) / 12 : 0),
      0,
    );
    expect(Math.abs((kink?.lostWh ?? 0) / missingWh - 1)).toBeLessThan(0.01);
  });

  test('are none of a whole day, and none of a day of which nothing is known', async () => {
    const plant = await plantWith(1);
    expect(await plant.kinks()).toEqual([]);
    const other = { stationID: plant.site.id, date: '2026-06-19' };
    expect((await plants.read(kinkEndpoints.kinks, other, token)).kinks).toEqual([]);
  });

  test('and their reasons are not told of a plant out of scope, as of one that does not exist', async () => {
    const stranger = await plants.addInstaller();
    const { site } = await plantWith(0.5);
    const asked = { stationID: site.id, date: DATE };
    const answers = await Promise.all([
      plants.call(kinkEndpoints.kinks, asked, stranger.token),
      plants.call(kinkEndpoints.kinks, { ...asked, stationID: crypto.randomUUID() }, stranger.token),
      plants.call(kinkEndpoints.explain, { ...asked, fromMs: NOON_MS }, stranger.token),
    ]);
    const [first] = answers;
    expect(first?.errno).not.toBe(0);
    expect(answers.map(({ errno }) => errno)).toEqual(answers.map(() => first?.errno));
  });
});

describe('a kink is explained', () => {
  test('by the string that fell against its neighbour, with its alarm, its points and what it cost', async () => {
    const plant = await plantWith(0.56);
    await plants.db
      .updateTable('sites')
      .set({ feed_in_price: '0.08', purchase_price: '0.30', currency: 'EUR' })
      .where('id', '=', plant.site.id)
      .execute();
    const device = await plant.addInverter(twoStrings, (tsMs) => (isFallen(tsMs) ? 0.56 : 1));
    await plant.tellStrings(device, (tsMs) => [8, isFallen(tsMs) ? 0.96 : 8]);
    await plant.alarm(device, 2006, NOON_MS + 30 * MINUTE_MS, 2);
    const { causes, money, currency, device: look, kink } = await plant.explained();
    expect(causes[0]).toMatchObject({
      kind: 'string',
      device: { deviceID: device.id, deviceSN: device.sn },
      of: 'string',
      n: 2,
      percent: 12,
      other: { n: 1, percent: expect.closeTo(100, 0) },
      code: 2006,
    });
    expect(look).toEqual({
      deviceID: device.id,
      deviceSN: device.sn,
      variables: ['DC/String1/Current', 'DC/String2/Current'],
    });
    // 300 W were bought throughout the hour; the rest would have been fed in.
    const lostWh = kink?.lostWh ?? 0;
    expect(currency).toBe('EUR');
    expect(Number(money)).toBeCloseTo((300 * 0.3 + (lostWh - 300) * 0.08) / 1_000, 2);
  });

  test('by the inverter that stood while another ran on', async () => {
    const plant = await plantWith(0.5);
    const still = await plant.addInverter({ 'DC/Power': 0 }, (tsMs) => (isFallen(tsMs) ? 0 : 0.5));
    await plant.addInverter({ 'DC/Power': 3_000 }, () => 0.5);
    const { causes } = await plant.explained();
    expect(causes[0]).toMatchObject({
      kind: 'inverter',
      device: { deviceID: still.id },
      percent: 0,
      others: 1,
    });
  });

  test('by the inverter that came to stand some time after the drop began', async () => {
    const plant = await plantWith(0.5);
    const half = (tsMs: number) => (isFallen(tsMs) ? 0.25 : 0.5);
    const still = await plant.addInverter({ 'DC/Power': 0 }, (tsMs) =>
      isFallen(tsMs) && tsMs >= NOON_MS + 20 * MINUTE_MS ? 0 : half(tsMs),
    );
    await plant.addInverter({ 'DC/Power': 3_000 }, half);
    const { causes } = await plant.explained();
    expect(causes.map(({ kind }) => kind)).toEqual(['inverter']);
    expect(causes[0]).toMatchObject({ device: { deviceID: still.id }, percent: 0, others: 1 });
  });

  test('by the alarm that began with it, before the standstill that followed of it', async () => {
    const plant = await plantWith(0);
    const device = await plant.addInverter({ 'DC/Power': 0 }, (tsMs) => (isFallen(tsMs) ? 0 : 1));
    expect((await plant.explained()).causes).toMatchObject([{ kind: 'standstill', inverters: 1 }]);
    await plant.alarm(device, 1001, NOON_MS + 1_000);
    expect((await plant.explained()).causes).toMatchObject([
      { kind: 'alarm', code: 1001, device: { deviceSN: device.sn } },
    ]);
  });

  test('by a cloud where five plants in scope within 50 km fell too, and not where these ran on', async () => {
    for (const [left, far, kinds] of [
      [0.5, 5, ['cloud']],
      [1, 20, []],
    ] as const) {
      const at = { ...place, latitude: place.latitude - far, longitude: place.longitude + far };
      const plant = await plantWith(0.5, at);
      await plant.addInverter({ 'DC/Power': 3_000 }, (tsMs) => (isFallen(tsMs) ? 0.5 : 1));
      for (let n = 0; n < 5; n += 1) await plantWith(left, { ...at, latitude: at.latitude + 0.02 * (n + 1) });
      const { causes } = await plant.explained();
      expect(causes.map(({ kind }) => kind)).toEqual(kinds);
      const [cause] = causes;
      if (cause?.kind === 'cloud') expect(cause).toMatchObject({ by: 'neighbours', count: 5, percent: 50 });
    }
  });

  test('by the silence of a device, with neither energy nor money', async () => {
    const plant = await plantWith(null);
    const device = await plant.addInverter({ 'DC/Power': 0 }, (tsMs) => (isFallen(tsMs) ? null : 1));
    const { kink, causes, money } = await plant.explained();
    expect(kink).toMatchObject({ shape: 'gap', fromMs: NOON_MS, toMs: NOON_MS + HOUR_MS, lostWh: null });
    expect(causes).toMatchObject([{ kind: 'gap', devices: [{ deviceID: device.id }] }]);
    expect(money).toBeNull();
  });

  test('by nothing where nothing is known, and no more once it is gone', async () => {
    const plant = await plantWith(0.5, { ...place, longitude: -60 });
    const { causes, kink, device } = await plant.explained();
    expect([causes, device, kink?.fromMs]).toEqual([[], null, NOON_MS]);
    const elsewhere = { stationID: plant.site.id, date: DATE, fromMs: NOON_MS + BUCKET_MS };
    expect((await plants.read(kinkEndpoints.explain, elsewhere, token)).kink).toBeNull();
  });
});
