import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseFleet, readFleet } from './fleet.ts';
import { demoFleetPath } from './testing/sample-plant.ts';

function demo(): { plants: Record<string, unknown>[] } {
  return JSON.parse(readFileSync(demoFleetPath, 'utf8'));
}

describe('the demo fleet', () => {
  const { plants } = readFleet(demoFleetPath);
  const kinds = (key: string) =>
    plants
      .find((plant) => plant.key === key)
      ?.loggers.flatMap((datalogger) => datalogger.devices.map((each) => each.kind));

  test('has twelve plants in twelve zones, one at +05:30 and one south of the equator that faces north', () => {
    expect(plants).toHaveLength(12);
    expect(new Set(plants.map((plant) => plant.timeZone)).size).toBe(12);
    expect(plants.some((plant) => plant.timeZone === 'Asia/Kolkata')).toBe(true);
    const south = plants.find((plant) => plant.latitude < 0);
    expect(Math.cos(((south?.arrays[0]?.azimuthDeg ?? 180) * Math.PI) / 180)).toBeGreaterThan(0.9);
  });

  test('begins with the plants of an owner: one with a charging pile, one with a smart gateway', () => {
    expect(kinds('lindenblick')).toEqual(['inverter', 'battery', 'meter', 'pile']);
    expect(kinds('ulivo')).toContain('gateway');
    expect(plants.slice(0, 2).map((plant) => plant.key)).toEqual(['lindenblick', 'ulivo']);
  });

  test('has three inverters in parallel, an EMS, other generation, a plant without battery and one that is offline', () => {
    expect(kinds('livada')?.filter((kind) => kind === 'inverter')).toHaveLength(3);
    expect(kinds('valdeluz')).toContain('ems');
    expect(plants.flatMap((p) => p.loggers.flatMap((l) => l.devices)).some((d) => d.role === 'pv')).toBe(true);
    expect(plants.filter((plant) => plant.type === 1).length).toBeGreaterThanOrEqual(2);
    expect(plants.filter((plant) => plant.offlineSinceDaysAgo !== undefined)).toHaveLength(1);
  });
});

describe('a fleet file that is wrong is refused with the place of the error', () => {
  const cases: [name: string, change: (plant: Record<string, unknown>) => void, message: RegExp][] = [
    ['unknown zone', (plant) => (plant.timeZone = 'Europe/Freising'), /plants\[0\]\.timeZone "Europe\/Freising"/],
    ['kWp that are not connected', (plant) => (plant.arrays = []), /array 0, which is not there/],
    ['size that differs', (plant) => (plant.systemSizeKwp = 12), /systemSizeKwp is 12, but the arrays have 9\.9/],
    ['price as a number', (plant) => (plant.feedInPrice = 0.08), /feedInPrice must be a text/],
    ['no settings', (plant) => delete plant.settings, /plants\[0\]\.settings must be an object/],
    ['unknown work mode', (plant) => (plant.workMode = 'auto'), /workMode must be one of self-use/],
  ];
  test.each(cases)('%s', (_name, change, message) => {
    const fleet = demo();
    change(fleet.plants[0] ?? {});
    expect(() => parseFleet(fleet)).toThrow(message);
  });

  test('a serial number that is used twice', () => {
    const fleet = demo();
    fleet.plants.push({ ...fleet.plants[0], key: 'copy' });
    expect(() => parseFleet(fleet)).toThrow(/302311010000017 is used twice/);
  });

  test('a file that is not there', () => {
    expect(() => readFleet('/nowhere/fleet.json')).toThrow(/\/nowhere\/fleet\.json cannot be read/);
  });
});
