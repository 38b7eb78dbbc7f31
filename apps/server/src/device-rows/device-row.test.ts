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

test('a float32 is told by the fewest digits that are it, and a strategy by the phrase of the work mode that it is called as', () => {
  const told = (kind: 'ems' | 'inverter', variable: string, value: number | string) =>
    toLatestValues({ kind, values: { [variable]: [value, 0] } })[0];
  expect(told('inverter', 'AC/L1/Voltage', 50.70000076293945)?.value).toBe(50.7);
  expect(told('ems', 'Ems/Strategy', 'Peak shaving')).toMatchObject({
    value: 'Peak shaving',
    phrase: 'points.modePeakShaving',
  });
  expect(told('ems', 'Ems/Strategy', 'Night owl')?.phrase).toBeUndefined();
});
