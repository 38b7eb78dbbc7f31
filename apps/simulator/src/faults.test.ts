import { alarmByCode } from '@sonnenwarte/device-protocol/points/alarms';
import { describe, expect, test } from 'vitest';
import { FaultBoard, type FaultName, faultKind, faultKinds, isFaultName } from './faults.ts';
import { Run } from './plant/inverter-unit.ts';
import { Plant } from './plant/plant.ts';
import { samplePlant } from './testing/sample-plant.ts';

const NOON = Date.UTC(2026, 5, 1, 10);
const MINUTE_MS = 60_000;
const INVERTER = 'H8T2311A00117';
const BATTERY = 'B10231100117';

/** A plant at noon with a fault from then on, a few minutes later. */
function withFault(name: FaultName, device = INVERTER, durationMs?: number, string?: number): Plant {
  const faults = new FaultBoard();
  const plant = new Plant(samplePlant('lindenblick'), NOON - 6 * 60 * MINUTE_MS, faults);
  plant.advanceTo(NOON);
  faults.inject(device, name, NOON, durationMs, string);
  plant.advanceTo(NOON + 5 * MINUTE_MS);
  return plant;
}

const inverter = (plant: Plant) => plant.inverters[0] ?? expect.fail('no inverter');
const storage = (plant: Plant) => plant.storages[0] ?? expect.fail('no battery');

describe('the catalogue', () => {
  test('names only alarms that exist', () => {
    for (const name of Object.keys(faultKinds).filter(isFaultName)) {
      const { alarm } = faultKind(name);
      if (alarm !== undefined) expect(alarmByCode(alarm.code), name).toBeDefined();
    }
  });
});

describe('physical effects', () => {
  test.each([
    'grid-over-voltage',
    'grid-under-voltage',
    'insulation-low',
    'arc-fault',
    'internal-communication',
  ] as const)('%s stops the inverter, which starts a minute after the fault is over', (name) => {
    const plant = withFault(name, INVERTER, 4.5 * MINUTE_MS);
    plant.advanceTo(NOON + 4 * MINUTE_MS);
    expect(inverter(withFault(name)).acW).toBe(0);
    expect(inverter(withFault(name)).run).toBe(Run.fault);
    plant.advanceTo(NOON + 8 * MINUTE_MS);
    expect(plant.powers.pvW).toBeGreaterThan(0);
  });

  test('over-frequency lowers the output by the droop', () => {
    const plant = withFault('grid-over-frequency');
    expect(plant.grid.frequencyHz).toBeGreaterThan(50.8);
    expect(plant.powers.pvW).toBeLessThanOrEqual(8000 * (1 - 0.62 * 0.4));
  });

  test('an open string carries nothing, a weak one less than its peers', () => {
    const open = withFault('string-open', INVERTER, undefined, 2);
    expect(inverter(open).mppts[1]?.powerW).toBe(0);
    expect(inverter(open).mppts[0]?.powerW).toBeGreaterThan(0);
    const weak = withFault('string-weak', INVERTER, undefined, 1);
    const healthy = withFault('fan-failure');
    const share = (inverter(weak).mppts[0]?.powerW ?? 0) / (inverter(healthy).mppts[0]?.powerW ?? 1);
    expect(share).toBeCloseTo(0.58, 2);
  });

  test('snow leaves a twentieth of the light, on all strings, and no alarm', () => {
    const plant = withFault('snow');
    const healthy = withFault('fan-failure');
    for (const [index, mppt] of inverter(plant).mppts.entries()) {
      const share = mppt.powerW / (inverter(healthy).mppts[index]?.powerW ?? 1);
      expect(share).toBeGreaterThan(0.05);
      expect(share).toBeLessThan(0.08);
    }
    expect(plant.faults.alarms(plant.tsMs)).toEqual([]);
  });

  test('dirt takes four thousandths more of the light each day', () => {
    const faults = new FaultBoard();
    faults.inject(INVERTER, 'soiling', NOON - 20 * 24 * 60 * MINUTE_MS);
    const start = NOON - 60 * MINUTE_MS;
    const dirty = new Plant(samplePlant('lindenblick'), start, faults);
    const clean = new Plant(samplePlant('lindenblick'), start, new FaultBoard());
    for (const plant of [dirty, clean]) plant.advanceTo(NOON);
    const share = inverter(dirty).offeredDcW / inverter(clean).offeredDcW;
    expect(share).toBeGreaterThan(0.915);
    expect(share).toBeLessThan(0.935);
  });

  test('shade takes the direct light in the afternoon only', () => {
    const faults = new FaultBoard();
    faults.inject(INVERTER, 'shade', 0);
    const start = NOON - 2 * 60 * MINUTE_MS;
    const shaded = new Plant(samplePlant('lindenblick'), start, faults);
    const open = new Plant(samplePlant('lindenblick'), start, new FaultBoard());
    const offered = (tsMs: number) => {
      for (const plant of [shaded, open]) plant.advanceTo(tsMs);
      return [inverter(shaded).offeredDcW, inverter(open).offeredDcW] as const;
    };
    const [morningShaded, morningOpen] = offered(NOON);
    expect(morningShaded).toBe(morningOpen);
    const [afternoonShaded, afternoonOpen] = offered(NOON + 4 * 60 * MINUTE_MS);
    expect(afternoonShaded).toBeLessThan(0.9 * afternoonOpen);
    expect(afternoonShaded).toBeGreaterThan(0);
  });

  test('without a battery answer nothing flows in or out of it', () => {
    const plant = withFault('bms-lost', BATTERY);
    expect(storage(plant).powerW).toBe(0);
    expect(plant.powers.gridW).not.toBe(0);
  });

  test('a cold battery takes no charge', () => {
    const plant = withFault('battery-cold', BATTERY);
    expect(storage(plant).powerW).toBeGreaterThanOrEqual(0);
  });

  test('without its meter the plant exports nothing', () => {
    const plant = withFault('meter-lost', 'M3T2311000117');
    expect(plant.powers.gridW).toBeGreaterThanOrEqual(-0.5);
  });

  test('without the grid the battery carries the load and PV gives no more than is used', () => {
    const plant = withFault('grid-lost');
    const { pvW, batteryW, gridW, loadW } = plant.powers;
    expect(gridW).toBe(0);
    expect(pvW + batteryW).toBeCloseTo(loadW, 6);
    expect(inverter(plant).epsW).toBeCloseTo(loadW, 6);
  });

  test('a meter whose current transformer is reversed counts feed-in as import from then on, and neither register ever jumps', () => {
    const plant = withFault('counter-reset');
    const meter = 'M3T2311000117';
    const before = { ...plant.state };
    plant.faults.inject(meter, 'meter-ct-reversed', plant.tsMs);
    plant.advanceTo(plant.tsMs + 60 * MINUTE_MS);
    const reversed = { ...plant.state };
    expect(plant.powers.gridW).toBeLessThan(0);
    expect(reversed.importWh - before.importWh).toBeGreaterThan(1_000);
    expect(reversed.exportWh - before.exportWh).toBeLessThan(500);
    plant.faults.clear(plant.tsMs);
    plant.advanceTo(plant.tsMs + MINUTE_MS);
    expect(plant.state.importWh - reversed.importWh).toBeLessThan(200);
    expect(plant.state.exportWh - reversed.exportWh).toBeLessThan(200);
    expect(plant.state.exportWh).toBeGreaterThanOrEqual(reversed.exportWh);
  });

  test('a counter reset begins again from 0', () => {
    const plant = withFault('fan-failure');
    plant.faults.inject(INVERTER, 'counter-reset', plant.tsMs + 1);
    plant.advanceTo(plant.tsMs + MINUTE_MS);
    expect(inverter(plant).state.pvWh).toBeLessThan(200);
  });
});

describe('the board', () => {
  test('tells an alarm after its delay and not after its end', () => {
    const faults = new FaultBoard();
    faults.inject(INVERTER, 'string-weak', NOON, 3_600_000, 2);
    expect(faults.alarms(NOON + 1_799_000)).toEqual([]);
    expect(faults.alarms(NOON + 1_800_000)).toMatchObject([{ code: 2006, level: 2, extra: 'String 2' }]);
    expect(faults.alarms(NOON + 3_600_000)).toEqual([]);
  });

  test('ends by device, by name, or all', () => {
    const faults = new FaultBoard();
    faults.inject('A', 'fan-failure', NOON);
    faults.inject('A', 'string-open', NOON);
    faults.inject('B', 'fan-failure', NOON);
    expect(faults.clear(NOON + 1, 'A', 'fan-failure')).toBe(1);
    expect(faults.active(NOON + 1).map(({ device, name }) => `${device} ${name}`)).toEqual([
      'A string-open',
      'B fan-failure',
    ]);
    expect(faults.clear(NOON + 2)).toBe(2);
    expect(faults.active(NOON + 2)).toEqual([]);
  });
});
