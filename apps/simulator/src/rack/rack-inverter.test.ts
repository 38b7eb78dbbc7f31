import { describe, expect, test } from 'vitest';
import { type Behaviour, rackValues } from './rack-inverter.ts';

const told = (behaviour: Behaviour, minutes: number, limit: number) =>
  rackValues({ sn: 'HX1', ratedW: 10_000, behaviour }, 0, minutes, limit);

describe('a unit on the rack', () => {
  test('gives what its limit lets it, a weak one an eighth less', () => {
    expect(told('steady', 30, 50)?.['AC/ActivePower']).toBeGreaterThan(4_900);
    expect(told('steady', 30, 50)?.['AC/ActivePower']).toBeLessThanOrEqual(5_000);
    expect(told('weak', 30, 100)?.['AC/ActivePower']).toBeLessThan(9_000);
  });

  test('stays below 65 °C; a hot one is above 80 °C within half an hour, and a silent one tells nothing then', () => {
    expect(told('steady', 600, 100)?.['Temp/Heatsink']).toBeLessThan(65);
    expect(told('hot', 30, 100)?.['Temp/Heatsink']).toBeGreaterThan(80);
    expect(told('silent', 10, 100)).toBeDefined();
    expect(told('silent', 30, 100)).toBeUndefined();
  });
});
