import { expect, test } from 'vitest';
import { toLatestValues } from './device-row.ts';

test('values stand in the order of their meaning in the catalogue, and unknown ones behind it by name', () => {
  const names = ['Vendor/B', 'AC/L2/Voltage', 'DC/Mppt10/Voltage', 'AC/L1/Voltage', 'AC/ActivePower', 'Vendor/A'];
  const values = Object.fromEntries(names.map((name): [string, [number, number]] => [name, [1, 0]]));
  expect(toLatestValues({ kind: 'inverter', values }).map(({ variable }) => variable)).toEqual([
    'AC/ActivePower',
    'AC/L1/Voltage',
    'AC/L2/Voltage',
    'DC/Mppt10/Voltage',
    'Vendor/A',
    'Vendor/B',
  ]);
});
