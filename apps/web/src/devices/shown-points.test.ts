import { expect, test } from 'vitest';
import { isShownOfKind } from './shown-points.ts';

test('what the panels of a kind show is not listed a second time, and all else is', () => {
  const inverter = [
    'DC/Power',
    'DC/String3/Current',
    'DC/Mppt1/Voltage',
    'AC/L2/Power',
    'Temp/Heatsink',
    'Energy/PvTotal',
  ];
  for (const name of inverter) expect(isShownOfKind('inverter', name), name).toBe(true);
  for (const name of ['Bat/Soh', 'Bat/Pack2/Soc', 'Bat/CellVoltageMax', 'Bat/ChargeToday'])
    expect(isShownOfKind('battery', name), name).toBe(true);
  for (const name of ['DC/Mppt1/Energy', 'State/WorkMode', 'Vendor/X'])
    expect(isShownOfKind('inverter', name), name).toBe(false);
  expect(isShownOfKind('battery', 'Bat/Voltage')).toBe(false);
  expect(isShownOfKind('ems', 'Ems/PlantGrid')).toBe(true);
  expect(isShownOfKind('station', 'Env/Irradiance')).toBe(false);
});
