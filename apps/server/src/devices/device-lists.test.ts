import { batteryEndpoints } from '@sonnenwarte/contract/batteries/batteries';
import { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import type { ListEndpoint } from '@sonnenwarte/contract/endpoint';
import { sortFieldsOf } from '@sonnenwarte/contract/kinds';
import { batteryStatusCodes, batteryStatusOf, statusCodeOf } from '@sonnenwarte/contract/status';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  HOUR_MS,
  listedKinds as kinds,
  type ListedDevices,
  NOW_MS,
  startListedDevices,
  told,
} from '../testing/listed-devices.ts';

let fixture: ListedDevices;

beforeAll(async () => {
  fixture = await startListedDevices();
});
afterAll(() => fixture?.plants.stop());

const lists = {
  inverter: deviceEndpoints.list,
  battery: deviceEndpoints.batteryList,
  meter: deviceEndpoints.meterList,
  ems: deviceEndpoints.emsList,
  gateway: deviceEndpoints.gatewayList,
} as const;
const files = {
  inverter: deviceEndpoints.exportList,
  battery: deviceEndpoints.exportBatteryList,
  meter: deviceEndpoints.exportMeterList,
  ems: deviceEndpoints.exportEmsList,
  gateway: deviceEndpoints.exportGatewayList,
} as const;

type Rows = { total: number; devices: Record<string, unknown>[] };
const ask = async (kind: keyof typeof lists, input: object, token: string): Promise<Rows> =>
  (await fixture.plants.read(lists[kind] as ListEndpoint, input as never, token)) as unknown as Rows;
const namesOf = ({ devices }: Rows) => devices.map(({ deviceSN }) => deviceSN);

describe('the list of a kind', () => {
  test('tells what its devices tell', async () => {
    const [inverter] = (await ask('inverter', {}, fixture.installer)).devices;
    expect(inverter).toMatchObject({ deviceSN: 'INV-1', powerW: 4_000, loadPercent: 50 });
    const battery = (await ask('battery', { condition: { content: 'BAT-1' } }, fixture.installer)).devices[0];
    expect(battery).toMatchObject({
      nowW: -900,
      sohPercent: 94,
      cycles: 812,
      firmware: '1.8.3',
      batteryStatus: 'charging',
    });
    expect(battery?.spreadMv).toBeCloseTo(12, 6);
    const meter = (await ask('meter', { condition: { content: 'MET-1' } }, fixture.installer)).devices[0];
    expect(meter).toMatchObject({
      meterRole: 'grid',
      phases: 3,
      ctRatio: 40,
      nowW: -1_500,
      importTodayWh: 1_250,
      exportTodayWh: 8_500,
      importWh: 900_000,
      exportWh: 1_200_500,
    });
    expect((await ask('ems', {}, fixture.installer)).devices).toMatchObject([
      { deviceCount: 6, devicesOnline: 5, strategy: 'peak-shaving', exportLimitW: 15_000, peakLimitW: null },
    ]);
    expect((await ask('gateway', {}, fixture.installer)).devices).toMatchObject([
      { relay1: 'closed', relay2: 'open', sgReady: 3, heatPumpW: 2_200, grid: 'on' },
    ]);
  });

  test('holds the devices of its kind in scope and no others', async () => {
    expect(namesOf(await ask('battery', {}, fixture.installer)).sort()).toEqual(['BAT-1', 'BAT-2', 'BAT-3', 'BAT-4']);
    expect(namesOf(await ask('battery', {}, fixture.stranger))).toEqual(['FAR-battery']);
    expect((await ask('battery', {}, fixture.admin)).total).toBe(5);
    for (const kind of kinds) {
      const granted: Partial<Record<string, string[]>> = { battery: ['BAT-1'], meter: ['MET-1'] };
      expect(namesOf(await ask(kind, {}, fixture.integrator)), kind).toEqual(granted[kind] ?? []);
    }
    expect(await fixture.plants.read(deviceEndpoints.kindCounts, {}, fixture.installer)).toEqual({
      inverter: 1,
      module: 2,
      battery: 4,
      ems: 1,
      gateway: 1,
      meter: 2,
    });
    expect(await fixture.plants.read(deviceEndpoints.kindCounts, {}, fixture.integrator)).toMatchObject({
      battery: 1,
      meter: 1,
      ems: 0,
      module: 0,
    });
  });

  test.each(kinds)('of %s has every order both ways, unknown values last, each device once', async (kind) => {
    const whole = namesOf(await ask(kind, {}, fixture.admin)).sort();
    for (const field of sortFieldsOf(lists[kind].list.fields)) {
      for (const order of ['asc', 'desc'] as const) {
        const { devices } = await ask(kind, { sort: { field, order } }, fixture.admin);
        expect(devices.map(({ deviceSN }) => deviceSN).sort(), `${field} ${order}`).toEqual(whole);
        const isKnown = devices.map((device) => device[field] !== null && device[field] !== '');
        expect(isKnown, `${field} ${order}`).toEqual(isKnown.toSorted((a, b) => Number(b) - Number(a)));
      }
    }
  });

  test('begins with what needs a hand, and filters by what it is and does', async () => {
    expect(namesOf(await ask('battery', {}, fixture.installer))).toEqual(['BAT-3', 'BAT-4', 'BAT-1', 'BAT-2']);
    const only = async (condition: object) => namesOf(await ask('battery', { condition }, fixture.installer)).sort();
    expect(await only({ states: ['fault', 'alarm', 'offline'] })).toEqual(['BAT-3', 'BAT-4']);
    expect(await only({ batteryStatus: 'charging' })).toEqual(['BAT-1']);
    expect(await only({ content: 'hof' })).toHaveLength(4);
    expect(await only({ content: '%' })).toEqual([]);
    expect(namesOf(await ask('meter', { condition: { meterRole: 'pv' } }, fixture.installer))).toEqual(['MET-2']);
    expect(namesOf(await ask('meter', { condition: { meterRole: 'grid' } }, fixture.installer))).toEqual(['MET-1']);
  });
});

describe('the status rules of the specification', () => {
  test('are those of rows, counts, filters and details alike, whatever the kind', async () => {
    for (const kind of kinds) {
      const { devices } = await ask(kind, {}, fixture.admin);
      const counted = await fixture.plants.read(deviceEndpoints.statusAll, { kind }, fixture.admin);
      for (const state of ['normal', 'alarm', 'fault', 'offline'] as const) {
        const inState = devices.filter((device) => device.state === state);
        expect(
          inState.map(({ status }) => status),
          `${kind} ${state}`,
        ).toEqual(inState.map(() => statusCodeOf(state)));
        expect(counted[state]).toBe(inState.length);
        expect((await ask(kind, { condition: { state } }, fixture.admin)).total).toBe(inState.length);
      }
      for (const { deviceID, state, status } of devices) {
        const { device } = await fixture.plants.read(
          deviceEndpoints.real,
          { deviceID: String(deviceID) },
          fixture.admin,
        );
        expect([device.state, device.status]).toEqual([state, status]);
      }
      const rows = await fileOf(kind, ['deviceSN', 'state']);
      const words = { normal: 'Normal', alarm: 'Alarm', fault: 'Fault', offline: 'Offline' } as const;
      expect(rows.sort()).toEqual(
        devices.map(({ deviceSN, state }) => `${deviceSN},${words[state as keyof typeof words]}`).sort(),
      );
    }
  });

  test('of batteries are those of rows, order, filter, file and the call for one, while it reports', async () => {
    const { devices } = await ask('battery', { sort: { field: 'batteryStatus', order: 'asc' } }, fixture.installer);
    expect(devices.map(({ deviceSN, batteryStatus }) => [deviceSN, batteryStatus])).toEqual([
      ['BAT-1', 'charging'],
      ['BAT-2', 'idle'],
      ['BAT-3', 'normal'],
      ['BAT-4', null],
    ]);
    for (const { deviceID, batteryStatus, nowW } of devices) {
      const { status } = await fixture.plants.read(
        batteryEndpoints.batteryInfo,
        { id: String(deviceID) },
        fixture.installer,
      );
      expect(status).toBe(batteryStatus === null ? 0 : batteryStatusCodes[batteryStatus as 'idle']);
      if (batteryStatus !== null) expect(batteryStatusOf(null, nowW as number)).toBe(batteryStatus);
    }
    expect((await fileOf('battery', ['deviceSN', 'batteryStatus'], fixture.installer)).sort()).toEqual([
      'BAT-1,Charging',
      'BAT-2,Idle',
      'BAT-3,Normal',
      'BAT-4,',
    ]);
  });

  test('hide what a silent device told of a moment that is over, and keep what it is', async () => {
    const silent = (await ask('battery', { condition: { state: 'offline' } }, fixture.installer)).devices[0];
    expect(silent).toMatchObject({ nowW: null, spreadMv: null, batteryStatus: null, sohPercent: 90 });
  });
});

async function fileOf(kind: keyof typeof files, columns: string[], token = fixture.admin): Promise<string[]> {
  const response = await fixture.plants.fetch(files[kind], { columns }, token);
  const text = await response.text();
  return text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n')
    .slice(1);
}

describe('what lists order by', () => {
  const placeOf = async (sn: string) =>
    namesOf(await ask('battery', { condition: { content: sn } }, fixture.installer));

  test('follows its device, its plant and its datalogger within the change', async () => {
    const moved = await fixture.add('MOV-1', { kind: 'battery', powerW: 100, values: told({ 'Bat/Soh': 70 }) });
    const { db } = fixture.plants;
    const listed = async () => (await ask('battery', { condition: { content: 'MOV-1' } }, fixture.admin)).devices[0];
    expect(await listed()).toMatchObject({ sohPercent: 70, plantName: 'Hof' });
    await db
      .updateTable('device_latest')
      .set({ values: JSON.stringify(told({ 'Bat/Soh': 69 })) })
      .where('device_id', '=', moved.id)
      .execute();
    expect(await listed()).toMatchObject({ sohPercent: 69 });
    await db.updateTable('devices').set({ state: 'alarm' }).where('id', '=', moved.id).execute();
    expect((await ask('battery', { condition: { state: 'alarm' } }, fixture.installer)).total).toBe(1);
    await db.updateTable('sites').set({ name: 'Neuer Name' }).where('id', '=', fixture.site.id).execute();
    expect(namesOf(await ask('battery', { condition: { content: 'neuer' } }, fixture.installer))).toContain('MOV-1');
    await db.updateTable('sites').set({ name: 'Hof' }).where('id', '=', fixture.site.id).execute();
    await db
      .updateTable('sites')
      .set({ deleted_at: new Date(NOW_MS) })
      .where('id', '=', fixture.site.id)
      .execute();
    expect(await placeOf('MOV-1')).toEqual([]);
    await db.updateTable('sites').set({ deleted_at: null }).where('id', '=', fixture.site.id).execute();
    expect(await placeOf('MOV-1')).toEqual(['MOV-1']);
    await db.deleteFrom('device_latest').where('device_id', '=', moved.id).execute();
    expect(await listed()).toMatchObject({ sohPercent: null, updatedAtMs: null });
    await db
      .updateTable('devices')
      .set({ last_seen_at: new Date(NOW_MS - 400_000) })
      .where('id', '=', moved.id)
      .execute();
    expect(await listed()).toMatchObject({ state: 'offline' });
    await db.updateTable('loggers').set({ report_interval_s: 600 }).where('id', '=', fixture.logger.id).execute();
    expect((await ask('battery', { condition: { state: 'alarm' } }, fixture.installer)).total).toBe(1);
    await db.updateTable('loggers').set({ report_interval_s: 60 }).where('id', '=', fixture.logger.id).execute();
    await db
      .updateTable('devices')
      .set({ deleted_at: new Date(NOW_MS) })
      .where('id', '=', moved.id)
      .execute();
    expect(await placeOf('MOV-1')).toEqual([]);
    await db.deleteFrom('devices').where('id', '=', moved.id).execute();
    const left = await db.selectFrom('device_listed').select('device_id').where('device_id', '=', moved.id).execute();
    expect(left).toEqual([]);
  });

  test('of the day are over with the day of the plant', async () => {
    fixture.plants.time.nowMs = NOW_MS + 24 * HOUR_MS;
    try {
      const { devices } = await ask('meter', { condition: { content: 'MET-1' } }, fixture.installer);
      expect(devices).toMatchObject([{ importTodayWh: null, exportTodayWh: null, importWh: 900_000 }]);
    } finally {
      fixture.plants.time.nowMs = NOW_MS;
    }
  });
});
