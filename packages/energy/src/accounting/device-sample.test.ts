import { describe, expect, test } from 'vitest';
import type { DeviceKind } from './device-sample.ts';
import { sampleFields, toDeviceSample } from './device-sample.ts';

const from = (values: Record<string, number>) => (name: string) => values[name];

describe('toDeviceSample', () => {
  test('an inverter gives powers in W and counters in Wh', () => {
    const values = { 'DC/Power': 5000, 'AC/ActivePower': 4800, 'Energy/PvTotal': 12.5, 'ExtGen/EnergyTotal': 1 };
    expect(toDeviceSample('inverter', 7, from(values))).toEqual({
      tsMs: 7,
      powers: { pv: 5000, ac: 4800 },
      counters: { pv: 12_500, external: 1000 },
    });
  });

  test('without a DC total the trackers are added', () => {
    expect(toDeviceSample('inverter', 7, from({ 'DC/Mppt1/Power': 100, 'DC/Mppt3/Power': 50 })).powers).toEqual({
      pv: 150,
    });
  });

  test('a battery gives its state of charge, NaN counts as not there', () => {
    const values = { 'Bat/Power': -500, 'Bat/Soc': 55, 'Bat/ChargeTotal': Number.NaN, 'Bat/DischargeTotal': 2 };
    expect(toDeviceSample('battery', 7, from(values))).toEqual({
      tsMs: 7,
      powers: { battery: -500 },
      counters: { discharge: 2000 },
      socPercent: 55,
    });
  });

  test('only a grid meter keeps its sign; a reversed transformer elsewhere changes nothing', () => {
    const values = { 'Meter/ActivePower': -700, 'Meter/ImportTotal': 1, 'Meter/ExportTotal': 9 };
    expect(toDeviceSample('meter', 7, from(values), 'grid')).toMatchObject({
      powers: { grid: -700 },
      counters: { import: 1000, export: 9000 },
    });
    const reversed = { 'Meter/ActivePower': 700, 'Meter/ImportTotal': 9, 'Meter/ExportTotal': 1 };
    for (const role of ['pv', 'generator'] as const) {
      const sample = toDeviceSample('meter', 7, from(values), role);
      expect(sample).toMatchObject({ powers: { external: 700 }, counters: { external: 9000 } });
      expect(toDeviceSample('meter', 7, from(reversed), role)).toEqual(sample);
    }
    expect(toDeviceSample('meter', 7, from(values), 'load').counters).toEqual({ load: 9000 });
  });

  test('an EMS gives the powers of the plant, a pile those of the charger', () => {
    expect(toDeviceSample('ems', 7, from({ 'Ems/PlantGrid': -5, 'Ems/PlantLoad': 9 })).powers).toEqual({
      grid: -5,
      load: 9,
    });
    expect(toDeviceSample('pile', 7, from({ 'Pile/Power': 11_000, 'Pile/EnergyTotal': 3 }))).toMatchObject({
      powers: { charger: 11_000 },
      counters: { charger: 3000 },
    });
  });

  test('every kind reads the fields it names and no other', () => {
    const kinds: DeviceKind[] = ['inverter', 'battery', 'meter', 'ems', 'gateway', 'pile'];
    for (const kind of kinds) {
      const read = new Set<string>();
      toDeviceSample(kind, 7, (name) => {
        read.add(name);
        return undefined;
      });
      expect([...read].sort()).toEqual([...sampleFields(kind)].sort());
    }
  });
});
