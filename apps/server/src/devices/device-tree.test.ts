import { batteryEndpoints } from '@sonnenwarte/contract/batteries/batteries';
import { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import { errno } from '@sonnenwarte/contract/errors';
import { columnOf, pointByName } from '@sonnenwarte/device-protocol/points/points';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS, type ListedDevices, NOW_MS, startListedDevices, told } from '../testing/listed-devices.ts';

let fixture: ListedDevices;

beforeAll(async () => {
  fixture = await startListedDevices();
});
afterAll(() => fixture?.plants.stop());

describe('the tree', () => {
  const tree = (input: Parameters<typeof fixture.plants.read<typeof deviceEndpoints.tree>>[1], token: string) =>
    fixture.plants.read(deviceEndpoints.tree, input, token);

  test('has the dataloggers of which a device of the kind passes, the worst first, with all that is below them', async () => {
    const { modules, total } = await tree({ condition: { kind: 'battery' } }, fixture.installer);
    expect(total).toBe(2);
    expect(
      modules.map(({ moduleSN, isOnline, devices }) => [moduleSN === fixture.logger.sn, isOnline, devices.length]),
    ).toEqual([
      [true, true, 8],
      [false, false, 1],
    ]);
    expect(modules[0]?.devices.map(({ kind }) => kind)).toEqual([
      'inverter',
      'battery',
      'battery',
      'battery',
      'meter',
      'meter',
      'ems',
      'gateway',
    ]);
    expect((await tree({ condition: { kind: 'ems' } }, fixture.installer)).total).toBe(1);
    expect((await tree({ condition: { kind: 'battery', content: 'BAT-4' } }, fixture.installer)).modules).toHaveLength(
      1,
    );
  });

  test('gives a device below a silent datalogger no alarm of its own', async () => {
    const { modules } = await tree({ condition: { kind: 'battery' } }, fixture.installer);
    const of = (sn: string) => modules.flatMap(({ devices }) => devices).find(({ deviceSN }) => deviceSN === sn);
    expect(of('BAT-3')?.alarm?.code).toBe(3_002);
    expect(of('BAT-4')).toMatchObject({ alarm: null, state: 'offline', nowW: null });
  });

  test('shows an integrator the granted devices alone', async () => {
    const { modules } = await tree({ condition: { kind: 'battery' } }, fixture.integrator);
    expect(modules.map(({ devices, deviceCount }) => [devices.map(({ deviceSN }) => deviceSN), deviceCount])).toEqual([
      [['BAT-1', 'MET-1'], 2],
    ]);
  });
});

describe('the details of a device', () => {
  const DAY = '2026-06-16';
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');

  test('name the battery of an inverter that is alone on its datalogger, its arrays and whether that is heard', async () => {
    const one = await fixture.plants.addDatalogger(fixture.site.id);
    const alone = await fixture.add('INV-9', { powerW: 1_000, values: {} }, one);
    await fixture.add(
      'BAT-9',
      { kind: 'battery', powerW: -400, values: told({ 'Bat/State': 1, 'Bat/Power': -400 }) },
      one,
    );
    const found = await fixture.plants.read(deviceEndpoints.surroundings, { deviceID: alone.id }, fixture.installer);
    expect(found).toMatchObject({ moduleOnline: true, battery: { powerW: -400, batteryStatus: 'charging' } });
    await fixture.add('INV-10', { powerW: 1_000, values: {} }, one);
    // Of two inverters it is not known whose the battery is.
    expect(
      (await fixture.plants.read(deviceEndpoints.surroundings, { deviceID: alone.id }, fixture.installer)).battery,
    ).toBeNull();
    const missing = await fixture.plants.call(deviceEndpoints.surroundings, { deviceID: alone.id }, fixture.stranger);
    expect(missing.errno).toBe(errno.deviceNotFound);
  });

  test('hold the age of a battery day by day, the last word of each day and its widest spread', async () => {
    const device = await fixture.plants.db
      .selectFrom('devices')
      .select(['id', 'key'])
      .where('sn', '=', 'BAT-1')
      .executeTakeFirstOrThrow();
    const at = (hours: number, soh: number, cycles: number, most: number) => ({
      device: device.key,
      ts: text(NOW_MS - hours * HOUR_MS),
      received: text(NOW_MS - hours * HOUR_MS),
      ...stepsOf({ 'Bat/Soh': soh, 'Bat/Cycles': cycles, 'Bat/CellVoltageMax': most, 'Bat/CellVoltageMin': 3.3 }),
    });
    await fixture.plants.insert('raw_battery', [at(30, 95, 800, 3.31), at(28, 94.5, 801, 3.35), at(2, 94, 802, 3.32)]);
    const { days } = await fixture.plants.read(batteryEndpoints.batteryAging, { id: device.id }, fixture.installer);
    expect(days).toEqual([
      { day: '2026-06-15', sohPercent: 94.5, cycles: 801, spreadMv: 50 },
      { day: DAY, sohPercent: 94, cycles: 802, spreadMv: 20 },
    ]);
    expect((await fixture.plants.call(batteryEndpoints.batteryAging, { id: device.id }, fixture.stranger)).errno).toBe(
      errno.deviceNotFound,
    );
  });

  test('are saved as told over a day, in the time of the plant and in UTC', async () => {
    const device = await fixture.plants.db
      .selectFrom('devices')
      .select(['id', 'key'])
      .where('sn', '=', 'MET-2')
      .executeTakeFirstOrThrow();
    const ms = NOW_MS - HOUR_MS;
    await fixture.plants.insert('raw_meter', [
      { device: device.key, ts: text(ms), received: text(ms), ...stepsOf({ 'Meter/L1/Voltage': 231.5 }, 'meter') },
    ]);
    const file = async (token: string) =>
      fixture.plants.fetch(deviceEndpoints.exportHistory, { deviceID: device.id, date: DAY, format: 'csv' }, token);
    const lines = (await (await file(fixture.installer)).text())
      .replace(/^\ufeff/, '')
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('(V)');
    expect(lines[1]).toBe(`2026-06-16 12:00:00,${new Date(ms).toISOString()},231.5`);
    expect(await (await file(fixture.stranger)).json()).toMatchObject({ errno: errno.deviceNotFound });
  });
});

/** Numbers as the telemetry store keeps them: whole steps of their points. */
function stepsOf(values: Record<string, number>, kind: 'battery' | 'meter' = 'battery'): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      `${columnOf(name)}_n`,
      Math.round(value * (pointByName(kind, name)?.steps ?? 1)),
    ]),
  );
}
