import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { batteryEndpoints } from '@sonnenwarte/contract/batteries/batteries';
import { dataloggerEndpoints } from '@sonnenwarte/contract/dataloggers/dataloggers';
import { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import { errno } from '@sonnenwarte/contract/errors';
import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const NOW_MS = Date.UTC(2026, 9, 25, 12, 0);
const HOUR_MS = 3_600_000;
const MISSING_SINGLE = -(2 ** 31) + 1;
let plants: PlantsFixture;
let installer: string;
let integrator: string;
let admin: string;
let site: { id: string; key: number };
let datalogger: { id: string; sn: string };
let granted: { id: string; key: number; sn: string };
let silent: { id: string; sn: string };
let battery: { id: string; sn: string };
let stranger: { id: string };
let removed: { id: string };

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  const own = await plants.addOrganisation('installer');
  const other = await plants.addOrganisation('installer');
  installer = plants.signIn(await plants.addAccount(own.id, 2));
  admin = plants.signIn(await plants.addAccount(own.id, 255));
  const integratorAccount = await plants.addAccount(other.id, 10);
  integrator = plants.signIn(integratorAccount);
  site = await plants.addSite(own.id, {
    name: 'Hof',
    city: 'Ulm',
    latest: { pv_w: 3_000, today_wh: 11_000, month_wh: 200_000, total_wh: 9e6, local_day: '2026-10-25' },
  });
  datalogger = await plants.addDatalogger(site.id);
  granted = await plants.addDevice(site.id, datalogger.id, {
    sn: 'INV-A',
    model: 'H1',
    powerW: 2_500,
    todayWh: 10_000,
    totalWh: 5e6,
    values: {
      'AC/ActivePower': [2_500, NOW_MS],
      'DC/Mppt1/Voltage': [410.5, NOW_MS - 5_000],
      'Vendor/Own': ['x', NOW_MS],
    },
  });
  silent = await plants.addDevice(site.id, datalogger.id, { sn: 'INV-B', last_seen_at: new Date(NOW_MS - HOUR_MS) });
  removed = await plants.addDevice(site.id, datalogger.id, { sn: 'INV-C', deleted_at: new Date(NOW_MS) });
  battery = await plants.addDevice(site.id, datalogger.id, {
    kind: 'battery',
    sn: 'BAT-A',
    values: {
      'Bat/Soc': [61, NOW_MS],
      'Bat/Power': [-900, NOW_MS],
      'Bat/State': [1, NOW_MS],
      'Bat/RemainingEnergy': [6.2, NOW_MS],
    },
  });
  const farSite = await plants.addSite(other.id, { name: 'Fern' });
  const farDatalogger = await plants.addDatalogger(farSite.id, new Date(NOW_MS - HOUR_MS));
  stranger = await plants.addDevice(farSite.id, farDatalogger.id, {
    sn: 'INV-Z',
    powerW: 700,
    totalWh: 1e6,
    values: {},
  });
  await plants.addDatalogger(null);
  await plants.db
    .insertInto('device_grants')
    .values([granted, removed].map(({ id }) => ({ account_id: integratorAccount.id, device_id: id })))
    .execute();
  await plants.db
    .insertInto('alarms')
    .values(
      [
        { code: 3_003, level: 1 },
        { code: 3_002, level: 2 },
        { code: 1_001, level: 3, until: new Date(NOW_MS) },
      ].map((alarm) => ({
        device_id: granted.id,
        logger_id: null,
        site_id: site.id,
        since: new Date(NOW_MS - HOUR_MS),
        until: null,
        ...alarm,
      })),
    )
    .execute();
});

afterAll(() => plants.stop());

const list = (input: Parameters<typeof plants.read<typeof deviceEndpoints.list>>[1], token: string) =>
  plants.read(deviceEndpoints.list, input, token);

describe('devices in scope', () => {
  test('an installer sees the inverters of its plants, an integrator exactly those granted, deleted ones nobody', async () => {
    expect((await list({}, installer)).devices.map(({ deviceSN }) => deviceSN).sort()).toEqual(['INV-A', 'INV-B']);
    const own = await list({}, integrator);
    expect(own.devices.map(({ deviceSN, plantName }) => [deviceSN, plantName])).toEqual([['INV-A', 'Hof']]);
    expect(own.total).toBe(1);
    expect((await list({}, admin)).devices.map(({ deviceSN }) => deviceSN).sort()).toEqual(['INV-A', 'INV-B', 'INV-Z']);
    expect((await plants.read(deviceEndpoints.statusAll, {}, integrator)).total).toBe(1);
  });

  test('a device out of scope answers exactly like one that does not exist', async () => {
    const begin = { year: 2026, month: 10, day: 25 };
    const history = { variables: ['AC/ActivePower'], timespan: 'day' as const, beginDate: begin };
    for (const [token, hidden] of [
      [installer, [stranger.id, removed.id]],
      [integrator, [stranger.id, removed.id, silent.id, battery.id]],
    ] as const) {
      for (const ask of [
        (deviceID: string) => plants.call(deviceEndpoints.addressbook, { deviceID }, token),
        (deviceID: string) => plants.call(deviceEndpoints.variables, { deviceID }, token),
        (deviceID: string) => plants.call(deviceEndpoints.real, { deviceID }, token),
        (deviceID: string) => plants.call(deviceEndpoints.earnings, { deviceID }, token),
        (deviceID: string) => plants.call(deviceEndpoints.historyRaw, { deviceID, ...history }, token),
        (deviceID: string) => plants.call(batteryEndpoints.batteryInfo, { id: deviceID }, token),
      ]) {
        const missing = await ask(randomUUID());
        expect(missing.errno).toBe(errno.deviceNotFound);
        for (const id of hidden) expect(await ask(id)).toEqual(missing);
      }
    }
  });

  test("an integrator cannot ask for a plant's other devices by filter", async () => {
    expect((await list({ condition: { kind: 'battery' } }, integrator)).total).toBe(0);
    expect((await list({ condition: { stationID: site.id } }, integrator)).total).toBe(1);
  });

  test('dataloggers without a plant are for the platform alone', async () => {
    const own = await plants.read(dataloggerEndpoints.list, {}, installer);
    expect(own).toMatchObject({ total: 1, data: [{ moduleSN: datalogger.sn, communication: 1, plantName: 'Hof' }] });
    const all = await plants.read(dataloggerEndpoints.list, {}, admin);
    expect(all.data.filter(({ stationID }) => stationID === null)).toHaveLength(1);
    const offline = await plants.read(dataloggerEndpoints.list, { condition: { communication: 2 } }, admin);
    expect(offline.data.map(({ plantName }) => plantName)).toEqual(['Fern']);
  });
});

describe('device list', () => {
  test('a silent device is offline whatever was stored; the worst active alarm stands on its row', async () => {
    const { devices } = await list({}, installer);
    expect(devices.map(({ state, status }) => [state, status])).toEqual([
      ['offline', 3],
      ['normal', 1],
    ]);
    const [, talking] = devices;
    expect(talking?.alarm).toEqual({ code: 3_002, level: 2, sinceMs: NOW_MS - HOUR_MS });
    expect(talking).toMatchObject({ hasBattery: true, hasPV: true, todayWh: 10_000, powerW: 2_500 });
    expect((await list({ condition: { state: 'offline' } }, installer)).devices).toMatchObject([{ deviceSN: 'INV-B' }]);
  });

  test('every sort column works in both orders with unknown values last', async () => {
    for (const field of deviceEndpoints.list.input.shape.sort._zod.def.innerType.shape.field.options) {
      for (const order of ['asc', 'desc'] as const) {
        expect((await list({ sort: { field, order } }, admin)).devices).toHaveLength(3);
      }
    }
    for (const order of ['asc', 'desc'] as const) {
      expect((await list({ sort: { field: 'powerW', order } }, admin)).devices.at(-1)?.deviceSN).toBe('INV-B');
    }
  });
});

describe('one device', () => {
  test('the address book has identity, place and versions', async () => {
    expect(await plants.read(deviceEndpoints.addressbook, { deviceID: granted.id }, integrator)).toMatchObject({
      deviceSN: 'INV-A',
      moduleSN: datalogger.sn,
      plantName: 'Hof',
      countryCode: 'DE',
      city: 'Ulm',
      deviceType: 'H1',
      status: 1,
    });
  });

  test('newest values carry their own time, and only points of the catalogue are variables', async () => {
    const real = await plants.read(deviceEndpoints.real, { deviceID: granted.id }, installer);
    expect(real.values).toContainEqual({ variable: 'DC/Mppt1/Voltage', unit: 'V', value: 410.5, tsMs: NOW_MS - 5_000 });
    expect(real.alarms.map(({ code }) => code)).toEqual([3_002, 3_003]);
    const { variables } = await plants.read(deviceEndpoints.variables, { deviceID: granted.id }, installer);
    expect(variables.map(({ variable }) => variable)).toEqual(['AC/ActivePower', 'DC/Mppt1/Voltage']);
  });

  test('the battery of an inverter is found by the inverter and by itself', async () => {
    const expected = { status: 2, soc: 61, power: -900, residual: 6_200, volt: null };
    expect(await plants.read(batteryEndpoints.batteryInfo, { id: granted.id }, integrator)).toMatchObject(expected);
    expect(await plants.read(batteryEndpoints.batteryInfo, { id: battery.id }, installer)).toMatchObject(expected);
  });

  test('raw history of a local day of 25 hours holds each sample once, without those that a message left out', async () => {
    const startMs = Date.UTC(2026, 9, 24, 22);
    const text = (ms: number) => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
    const sample = (ms: number, columns: Record<string, unknown>, receivedMs = ms) => ({
      device: granted.key,
      ts: text(ms),
      received: text(receivedMs),
      ...columns,
    });
    await plants.insert('raw_inverter', [
      sample(startMs - 1, { ac_active_power_n: 10 }),
      sample(startMs, { ac_active_power_n: 20 }),
      sample(startMs + HOUR_MS, { temp_heatsink_n: 300 }),
      sample(startMs + 24.5 * HOUR_MS, { ac_active_power_n: 30 }),
      sample(startMs + 25 * HOUR_MS, { ac_active_power_n: 40 }),
    ]);
    await plants.insert('raw_inverter', [sample(startMs, { ac_active_power_n: 50 }, startMs + 9_000)]);
    const input = {
      deviceID: granted.id,
      variables: ['AC/ActivePower', 'device', 'ts FROM raw_inverter --', 'AC/ActivePower'],
      timespan: 'day' as const,
      beginDate: { year: 2026, month: 10, day: 25 },
    };
    const answer = await plants.read(deviceEndpoints.historyRaw, input, integrator);
    expect(answer, 'the shape that the contract tells').toEqual(deviceEndpoints.historyRaw.result.parse(answer));
    expect(answer).toHaveLength(1);
    expect(answer[0]).toMatchObject({ variable: 'AC/ActivePower', unit: 'W' });
    expect(answer[0]?.data).toEqual([
      { time: '2026-10-25 00:00:00 CEST+0200', tsMs: startMs, value: 5 },
      { time: '2026-10-25 23:30:00 CET+0100', tsMs: startMs + 24.5 * HOUR_MS, value: 3 },
    ]);
    const beginDate = { year: 2026, month: 10, day: 25, hour: 23 };
    const hour = await plants.read(deviceEndpoints.historyRaw, { ...input, timespan: 'hour', beginDate }, installer);
    expect(hour[0]?.data.map(({ value }) => value)).toEqual([3]);
  });

  test('raw history tells the same number however it is stored: in steps, beside, missing, and in a table from before steps', async () => {
    const startMs = Date.UTC(2026, 8, 1, 10);
    const text = (ms: number) => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
    const odd = 0.125;
    const rows = [
      { ac_active_power_n: 12_345, energy_pv_total_n: 1_000_001 },
      { ac_active_power_n: MISSING_SINGLE, energy_pv_total_n: 1_000_002 },
      {
        ac_active_power_n: MISSING_SINGLE + 1,
        energy_pv_total_n: 1_000_003,
        beside: [{ point: crc32('AC/ActivePower'), value: odd }],
      },
      { ac_active_power_n: -7, energy_pv_total_n: 0 },
    ];
    const at = (index: number) => startMs + index * 60_000;
    const common = (index: number) => ({ device: granted.key, ts: text(at(index)), received: text(at(index)) });
    await plants.insert(
      'raw_inverter',
      rows.map((row, index) => ({ ...common(index), ac_frequency_n: MISSING_SINGLE, ...row })),
    );
    const input = {
      deviceID: granted.id,
      variables: ['AC/ActivePower', 'Energy/PvTotal', 'AC/Frequency'],
      timespan: 'hour' as const,
      beginDate: { year: 2026, month: 9, day: 1, hour: 12 },
    };
    const told = async () =>
      (await plants.read(deviceEndpoints.historyRaw, input, installer)).map(({ data }) =>
        data.map(({ value }) => value),
      );
    const inSteps = [[1_234.5, odd, -0.7], [1_000.001, 1_000.002, 1_000.003, 0], []];
    expect(await told()).toEqual(inSteps);
    // Of a row from before, integers say that the number stands in the column of floats.
    await plants.insert('raw_inverter', [{ ...common(9), energy_pv_total_n: 5_000 }]);
    expect(await told()).toEqual([inSteps[0], [...(inSteps[1] ?? []), 5], []]);
  });

  test('raw history tells a power below 0 as it was told, also where it is shown and counted as 0', async () => {
    const startMs = Date.UTC(2026, 8, 2, 10);
    const { steps = 0 } = pointByName('inverter', 'DC/Power') ?? {};
    const ts = new Date(startMs).toISOString().slice(0, 23).replace('T', ' ');
    await plants.insert('raw_inverter', [{ device: granted.key, ts, received: ts, dc_power_n: -12.5 * steps }]);
    const input = {
      deviceID: granted.id,
      variables: ['DC/Power'],
      timespan: 'hour' as const,
      beginDate: { year: 2026, month: 9, day: 2, hour: 12 },
    };
    const [series] = await plants.read(deviceEndpoints.historyRaw, input, installer);
    expect(series?.data.map(({ value }) => value)).toEqual([-12.5]);
  });

  test('earnings are those of the plant, in kWh at its AC terminals and in its currency, as its reports have them', async () => {
    await plants.insert('site_day', [
      {
        site: site.key,
        day: '2026-10-25',
        version: 1,
        quality: 0,
        pv_wh: 11_000,
        ac_out_wh: 10_500,
        income: '1.25',
        saving: '2.5',
      },
    ]);
    await plants.db
      .insertInto('site_openings')
      .values({ site_id: site.id, pv_wh: 90_000, ac_out_wh: 80_000 })
      .execute();
    expect(await plants.read(deviceEndpoints.earnings, { deviceID: granted.id }, installer)).toMatchObject({
      currency: 'EUR(€)',
      power: 2.5,
      today: { generation: 10.5, earnings: 3.75 },
      cumulate: { generation: 90.5, earnings: 3.75 },
    });
    const report = await plants.read(
      siteEndpoints.historyReport,
      {
        stationID: site.id,
        reportType: 'month',
        variables: ['generation', 'PVEnergyTotal'],
        queryDate: { year: 2026, month: 10 },
      },
      installer,
    );
    expect(report.map(({ variable, data }) => [variable, data[24]?.value])).toEqual([
      ['generation', 10.5],
      ['PVEnergyTotal', 11],
    ]);
    const figures = await plants.read(siteEndpoints.figures, { stationID: site.id }, installer);
    expect(figures.today.generationWh).toBe(11_000);
  });
});

describe('fleet', () => {
  test('sums are over the plants in scope, powers only of those that report', async () => {
    const silentSite = await plants.read(fleetEndpoints.summary, {}, installer);
    expect(silentSite).toMatchObject({
      plants: { total: 1, normal: 1 },
      devices: { total: 2, normal: 1, offline: 1 },
      installedCapacity: 10,
      pvPowerW: 3_000,
      todayWh: 11_000,
      monthWh: 200_000,
      totalWh: 9e6,
      reporting: 1,
      asOfMs: NOW_MS,
    });
    plants.time.nowMs = NOW_MS + 4 * 60_000;
    expect(await plants.read(fleetEndpoints.summary, {}, installer)).toMatchObject({
      plants: { total: 1, normal: 1 },
      pvPowerW: 3_000,
      reporting: 1,
    });
    plants.time.nowMs = NOW_MS + 6 * 60_000;
    expect(await plants.read(fleetEndpoints.summary, {}, installer)).toMatchObject({
      plants: { total: 1, normal: 0, offline: 1 },
      pvPowerW: null,
      reporting: 0,
    });
    plants.time.nowMs = NOW_MS;
  });

  test("an integrator's sums are over its granted inverters", async () => {
    expect(await plants.read(fleetEndpoints.summary, {}, integrator)).toMatchObject({
      plants: { total: 0 },
      devices: { total: 1 },
      pvPowerW: 2_500,
      todayWh: 10_000,
      totalWh: 5e6,
      monthWh: null,
    });
  });
});
