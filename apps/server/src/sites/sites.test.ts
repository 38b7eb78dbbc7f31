import { randomUUID } from 'node:crypto';
import { errno } from '@sonnenwarte/contract/errors';
import type { Level } from '@sonnenwarte/contract/levels';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const NOW_MS = Date.UTC(2026, 5, 21, 10, 0);
const HOUR_MS = 3_600_000;
let plants: PlantsFixture;
let admin: string;
const tokens = new Map<Level, string>();
const sites: Record<'sun' | 'moon' | 'silent' | 'far' | 'deleted', { id: string; key: number }> = {} as never;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  const platform = await plants.addOrganisation('platform');
  const distributor = await plants.addOrganisation('distributor', platform.path);
  const agent = await plants.addOrganisation('agent', distributor.path);
  const installer = await plants.addOrganisation('installer', agent.path);
  const elsewhere = await plants.addOrganisation('installer', platform.path);
  const owner = await plants.addAccount(platform.id, 1);
  const accounts = [
    owner,
    await plants.addAccount(installer.id, 2),
    await plants.addAccount(agent.id, 3),
    await plants.addAccount(distributor.id, 4),
    await plants.addAccount(platform.id, 255),
  ];
  for (const account of accounts) tokens.set(account.level, plants.signIn(account));
  admin = tokens.get(255) ?? '';

  sites.sun = await plants.addSite(installer.id, {
    name: 'Sun_100%',
    city: 'Ulm',
    owner_account_id: owner.id,
    latest: { pv_w: 4_000, today_wh: 20_000, month_wh: 400_000, local_day: '2026-06-21', total_wh: 9e6 },
  });
  sites.moon = await plants.addSite(agent.id, {
    name: 'Moon',
    type: 2,
    country: 'FR',
    time_zone: 'Europe/Paris',
    latest: {
      state: 'alarm',
      pv_w: 2_000,
      today_wh: 5_000,
      month_wh: 70_000,
      local_day: '2026-06-20',
      soc_percent: 55,
    },
  });
  sites.silent = await plants.addSite(distributor.id, {
    name: 'abandoned',
    latest: { state: 'normal', ts: new Date(NOW_MS - HOUR_MS), pv_w: 9_000, today_wh: 1_000, local_day: '2026-06-21' },
  });
  sites.far = await plants.addSite(elsewhere.id, { name: 'Far' });
  sites.deleted = await plants.addSite(installer.id, { name: 'Gone', deleted_at: new Date(NOW_MS) });
});

afterAll(() => plants.stop());

const list = (input: Parameters<typeof plants.read<typeof siteEndpoints.list>>[1], token = admin) =>
  plants.read(siteEndpoints.list, input, token);
const names = async (input: Parameters<typeof list>[0], token = admin) =>
  (await list(input, token)).plants.map(({ name }) => name);

describe('plants in scope', () => {
  test.each([
    [1, ['Sun_100%']],
    [2, ['Sun_100%']],
    [3, ['Moon', 'Sun_100%']],
    [4, ['abandoned', 'Moon', 'Sun_100%']],
    [255, ['abandoned', 'Far', 'Moon', 'Sun_100%']],
  ] as const)('level %i sees exactly its plants, and the total counts them', async (level, expected) => {
    const answer = await list({}, tokens.get(level));
    expect(answer.plants.map(({ name }) => name).sort()).toEqual([...expected].sort());
    expect(answer.total).toBe(expected.length);
    const counts = await plants.read(siteEndpoints.statusAll, {}, tokens.get(level) ?? '');
    expect(counts.total).toBe(expected.length);
  });

  test("a stranger's plant and a deleted one answer exactly like one that does not exist", async () => {
    const installer = tokens.get(2) ?? '';
    const day = { date: '2026-06-21' };
    const report = {
      reportType: 'day' as const,
      variables: ['loads' as const],
      queryDate: { year: 2026, month: 6, day: 21 },
    };
    for (const ask of [
      (stationID: string) => plants.call(siteEndpoints.detail, { stationID }, installer),
      (stationID: string) => plants.call(siteEndpoints.live, { stationID }, installer),
      (stationID: string) => plants.call(siteEndpoints.figures, { stationID }, installer),
      (stationID: string) => plants.call(siteEndpoints.devices, { stationID }, installer),
      (stationID: string) => plants.call(siteEndpoints.day, { stationID, ...day }, installer),
      (stationID: string) => plants.call(siteEndpoints.historyReport, { stationID, ...report }, installer),
    ]) {
      const missing = await ask(randomUUID());
      expect(missing.errno).toBe(errno.siteNotFound);
      for (const id of [sites.far.id, sites.moon.id, sites.deleted.id]) expect(await ask(id)).toEqual(missing);
    }
  });
});

describe('list', () => {
  test('a plant that has been silent too long is offline whatever was stored, in rows, filters and counts', async () => {
    const offline = await list({ condition: { status: 3 } });
    expect(offline.plants.map(({ name, state }) => [name, state])).toEqual([
      ['abandoned', 'offline'],
      ['Far', 'offline'],
    ]);
    expect(await names({ condition: { status: 1 } })).toEqual(['Sun_100%']);
    expect(await names({ condition: { status: 2 } })).toEqual(['Moon']);
    expect(await names({ condition: { state: 'alarm' } })).toEqual(['Moon']);
    expect(await plants.read(siteEndpoints.statusAll, {}, admin)).toEqual({
      total: 4,
      normal: 1,
      abnormal: 1,
      alarm: 1,
      fault: 0,
      offline: 2,
    });
  });

  test("yesterday's energy is not today's, this month's is", async () => {
    const { plants: rows } = await list({ condition: { content: 'moon' } });
    expect(rows).toMatchObject([{ todayWh: null, monthWh: 70_000, specificYieldToday: null, socPercent: 55 }]);
  });

  test.each([
    ['asc', ['Moon', 'Sun_100%', 'abandoned', 'Far']],
    ['desc', ['abandoned', 'Sun_100%', 'Moon', 'Far']],
  ] as const)('unknown values come last in %s order', async (order, expected) => {
    const sorted = await names({ sort: { field: 'updatedAtMs', order } });
    expect(sorted.at(-1)).toBe('Far');
    expect(new Set(sorted)).toEqual(new Set(expected));
    const powers = (await list({ sort: { field: 'pvPowerW', order } })).plants.map(({ pvPowerW }) => pvPowerW);
    expect(powers).toEqual(order === 'asc' ? [2_000, 4_000, null, null] : [4_000, 2_000, null, null]);
  });

  test('every sort column orders its own field', async () => {
    for (const field of siteEndpoints.list.input.shape.sort._zod.def.innerType.shape.field.options) {
      const answer = await list({ sort: { field, order: 'asc' } });
      expect(answer.plants).toHaveLength(4);
    }
    expect(await names({ sort: { field: 'country', order: 'desc' } })).toContain('Moon');
    expect((await names({ sort: { field: 'country', order: 'desc' } }))[0]).toBe('Moon');
    expect((await names({ sort: { field: 'todayWh', order: 'desc' } }))[0]).toBe('Sun_100%');
  });

  test('a search takes wild cards as letters and looks where it was told', async () => {
    expect(await names({ condition: { content: '_100%' } })).toEqual(['Sun_100%']);
    expect(await names({ condition: { content: '%' } })).toEqual(['Sun_100%']);
    expect(await names({ condition: { content: "'; drop table sites; --" } })).toEqual([]);
    expect(await names({ condition: { content: 'ulm', contentType: 3 } })).toEqual(['Sun_100%']);
    expect(await names({ condition: { content: 'ulm', contentType: 2 } })).toEqual([]);
    expect(await names({ condition: { content: 'installer', contentType: 1 } })).toEqual(['Far', 'Sun_100%']);
    expect(await names({ condition: { content: 'user-', contentType: 4 } })).toEqual(['Sun_100%']);
    expect(await names({ condition: { country: 'FR' } })).toEqual(['Moon']);
    expect(await names({ condition: { type: 2 } })).toEqual(['Moon']);
  });

  test('pages follow each other without a plant twice or missing, and the total is that of all', async () => {
    const scale = await plants.addOrganisation('installer');
    const token = plants.signIn(await plants.addAccount(scale.id, 2));
    for (let number = 0; number < 23; number += 1) await plants.addSite(scale.id, { name: 'Same name' });
    const pages = await Promise.all([1, 2, 3, 4].map((currentPage) => list({ currentPage, pageSize: 10 }, token)));
    expect(pages.map(({ plants: rows, total }) => [rows.length, total])).toEqual([
      [10, 23],
      [10, 23],
      [3, 23],
      [0, 23],
    ]);
    expect(new Set(pages.flatMap(({ plants: rows }) => rows.map(({ stationID }) => stationID))).size).toBe(23);
  });

  test('an unknown sort column or page size is refused', async () => {
    const sort = { field: 'sites.id; --', order: 'asc' } as never;
    expect((await plants.call(siteEndpoints.list, { sort }, admin)).errno).toBe(errno.refusedInput);
    expect((await plants.call(siteEndpoints.list, { pageSize: 11 as never }, admin)).errno).toBe(errno.refusedInput);
  });
});

describe('one plant', () => {
  test('nodes that the plant has not are null, unmeasured powers too, and the tapped device is named', async () => {
    const installer = await plants.addOrganisation('installer');
    const token = plants.signIn(await plants.addAccount(installer.id, 2));
    const site = await plants.addSite(installer.id, {
      latest: { pv_w: 3_000, grid_w: -2_000, load_w: 1_000, derived: ['load'], today_wh: 7, local_day: '2026-06-21' },
    });
    const datalogger = await plants.addDatalogger(site.id);
    const inverter = await plants.addDevice(site.id, datalogger.id, {
      sn: 'INV-1',
      powerW: 2_900,
      values: { 'DC/Power': [3_000, NOW_MS], 'State/WorkMode': [2, NOW_MS], 'State/GridRelay': [true, NOW_MS] },
    });
    await plants.addDevice(site.id, datalogger.id, { kind: 'gateway', sn: 'GW-1', values: {} });
    await plants.addDevice(site.id, datalogger.id, {
      kind: 'pile',
      sn: 'CP-1',
      values: { 'Pile/Status': [3, NOW_MS] },
    });
    await plants.addDevice(site.id, datalogger.id, {
      kind: 'battery',
      sn: 'OLD',
      values: {},
      deleted_at: new Date(NOW_MS),
    });

    const live = await plants.read(siteEndpoints.live, { stationID: site.id }, token);
    expect(live).toMatchObject({
      state: 'normal',
      asOfMs: NOW_MS,
      todayWh: 7,
      pv: { powerW: 3_000, online: true, derived: false, deviceID: inverter.id, sn: 'INV-1' },
      external: null,
      battery: null,
      inverter: { workMode: 2, count: 1, sn: 'INV-1', powerW: null },
      gateway: { onGrid: true, sn: 'GW-1' },
      grid: { powerW: -2_000, deviceID: null },
      load: { powerW: 1_000, derived: true },
      charger: { powerW: null, sn: 'CP-1', status: 'points.pileCharging' },
    });
    const devices = await plants.read(siteEndpoints.devices, { stationID: site.id }, token);
    expect(devices.devices.map(({ deviceSN }) => deviceSN)).toEqual(['INV-1', 'GW-1', 'CP-1']);
    expect(devices.devices[0]).toMatchObject({
      hasPV: true,
      hasBattery: false,
      moduleSN: datalogger.sn,
      powerW: 2_900,
    });
    expect(devices.modules).toMatchObject([{ moduleSN: datalogger.sn, state: 'normal', signalDbm: -61 }]);
  });

  test('a plant without a sample answers with nothing known, not with zeros', async () => {
    const token = admin;
    const live = await plants.read(siteEndpoints.live, { stationID: sites.far.id }, token);
    expect(live).toMatchObject({ state: 'offline', status: 3, asOfMs: null, pv: null, inverter: null, todayWh: null });
    const figures = await plants.read(siteEndpoints.figures, { stationID: sites.far.id }, token);
    expect(figures.total).toMatchObject({
      generationWh: null,
      income: null,
      selfConsumptionPercent: null,
      co2Kg: null,
    });
    const detail = await plants.read(siteEndpoints.detail, { stationID: sites.far.id }, token);
    expect(detail).toMatchObject({ position: null, price: null, hasBattery: false, updatedAtMs: null });
  });
});
