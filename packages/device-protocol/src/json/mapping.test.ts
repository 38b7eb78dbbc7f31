import { describe, expect, test } from 'vitest';
import { pointByName } from '../points/points.ts';
import { mapMetric, sunspecBatteryMapping, sunspecInverterMapping, sunspecMeterMapping } from './mapping.ts';

describe('mapping of names of third parties', () => {
  test('every SunSpec name leads to a point of the catalogue', () => {
    const tables = [
      sunspecInverterMapping,
      sunspecBatteryMapping,
      sunspecMeterMapping(false),
      sunspecMeterMapping(true),
    ];
    const rows = tables.flatMap((table) => [...table.values()]);
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.filter(({ kind, to }) => pointByName(kind, to) === undefined)).toEqual([]);
  });

  test('values are scaled to our units', () => {
    expect(mapMetric(sunspecInverterMapping, 'WH', 1_500)).toEqual({
      kind: 'inverter',
      name: 'Energy/AcOutTotal',
      value: 1.5,
    });
    expect(mapMetric(sunspecInverterMapping, '2_DCV', 612)).toEqual({
      kind: 'inverter',
      name: 'DC/Mppt2/Voltage',
      value: 612,
    });
  });

  test('an inverted meter changes the sign of powers and swaps the counters', () => {
    const inverted = sunspecMeterMapping(true);
    expect(mapMetric(inverted, 'W', 800)?.value).toBe(-800);
    expect(mapMetric(inverted, 'W', 0)?.value).toBe(0);
    expect(mapMetric(inverted, 'TotWhImp', 2_000)).toMatchObject({ name: 'Meter/ExportTotal', value: 2 });
    expect(mapMetric(sunspecMeterMapping(false), 'W', 800)?.value).toBe(800);
  });

  test('a name that the table does not know is not mapped, and texts pass unscaled', () => {
    expect(mapMetric(sunspecInverterMapping, 'Unknown', 1)).toBeUndefined();
    expect(mapMetric(sunspecInverterMapping, '__proto__', 1)).toBeUndefined();
    expect(mapMetric(sunspecInverterMapping, 'W', 'n/a')?.value).toBe('n/a');
  });
});
