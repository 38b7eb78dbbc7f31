import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeviceSample } from './channels.ts';
import { FLOW_TOLERANCE_W, sitePowers } from './live-balance.ts';
import type { SiteTopology } from './site-topology.ts';

const NOW_MS = Date.UTC(2026, 5, 1, 12);

const TOPOLOGY: SiteTopology = {
  devices: [
    { deviceKey: 1, kind: 'inverter' },
    { deviceKey: 2, kind: 'battery', capacityWh: 10_240 },
    { deviceKey: 3, kind: 'meter', role: 'grid' },
    { deviceKey: 4, kind: 'pile' },
    { deviceKey: 5, kind: 'meter', role: 'generator' },
  ],
};

function samples(powers: Record<number, DeviceSample['powers']>, ageMs: Record<number, number> = {}) {
  return new Map(
    Object.entries(powers).map(([key, own]) => [
      Number(key),
      { tsMs: NOW_MS - (ageMs[Number(key)] ?? 1000), powers: own, counters: {} },
    ]),
  );
}

const watts = fc.option(fc.integer({ min: -20_000, max: 20_000 }), { nil: undefined });

describe('sitePowers', () => {
  test('where grid and load are shown all powers shown add up, whatever the devices say', () => {
    fc.assert(
      fc.property(
        fc.record({
          pv: watts,
          ac: watts,
          load: watts,
          battery: watts,
          grid: watts,
          charger: watts,
          external: watts,
        }),
        ({ pv, ac, load, battery, grid, charger, external }) => {
          const shown = sitePowers(
            samples({ 1: { pv, ac, load }, 2: { battery }, 3: { grid }, 4: { charger }, 5: { external } }),
            TOPOLOGY,
            NOW_MS,
          );
          if (
            load !== undefined &&
            grid !== undefined &&
            ac !== undefined &&
            charger !== undefined &&
            external !== undefined
          ) {
            expect(shown.loadW).toBeDefined();
          }
          if (shown.loadW !== undefined) expect(shown.loadW).toBeGreaterThanOrEqual(0);
          if (shown.pvW !== undefined) expect(shown.pvW).toBeGreaterThanOrEqual(0);
          if (shown.externalW !== undefined) expect(shown.externalW).toBeGreaterThanOrEqual(0);
          if (shown.chargerW !== undefined) expect(shown.chargerW).toBeGreaterThanOrEqual(0);
          const isWhole =
            shown.loadW !== undefined &&
            shown.gridW !== undefined &&
            shown.chargerW !== undefined &&
            shown.externalW !== undefined &&
            shown.pvW !== undefined &&
            shown.batteryW !== undefined;
          if (!isWhole) return;
          const sources = (shown.pvW ?? 0) + (shown.externalW ?? 0) + (shown.batteryW ?? 0) + (shown.gridW ?? 0);
          expect(Math.abs(sources - (shown.loadW ?? 0) - (shown.chargerW ?? 0))).toBeLessThan(FLOW_TOLERANCE_W);
          expect(shown.inverterAcW).toBeCloseTo((shown.pvW ?? 0) + (shown.batteryW ?? 0), 6);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('conversion loss is taken off PV, the battery stays as measured', () => {
    const shown = sitePowers(
      samples({
        1: { pv: 5000, ac: 2850, load: 850 },
        2: { battery: -2000 },
        3: { grid: -2000 },
        4: { charger: 0 },
        5: { external: 0 },
      }),
      TOPOLOGY,
      NOW_MS,
    );
    expect(shown).toMatchObject({
      pvW: 4850,
      batteryW: -2000,
      gridW: -2000,
      loadW: 850,
      inverterAcW: 2850,
      lossW: 150,
      derived: [],
    });
  });

  test('at dawn inverters lose more than a fifth: up to a hundredth of their rating is loss, and the load stays as measured', () => {
    const topology: SiteTopology = {
      devices: [
        { deviceKey: 1, kind: 'inverter', ratedW: 60_000 },
        { deviceKey: 2, kind: 'inverter', ratedW: 50_000 },
        { deviceKey: 3, kind: 'meter', role: 'grid' },
      ],
    };
    const dawn = samples({
      1: { pv: 1000, ac: 700, load: 10_000 },
      2: { pv: 1000, ac: 650, load: 9000 },
      3: { grid: 17_650 },
    });
    expect(sitePowers(dawn, topology, NOW_MS)).toMatchObject({
      pvW: 1350,
      inverterAcW: 1350,
      gridW: 17_650,
      loadW: 19_000,
      lossW: 650,
      derived: [],
    });
  });

  test('a standing loss is taken once, first off PV, and no port loses more than it has', () => {
    const topology: SiteTopology = {
      devices: [
        { deviceKey: 1, kind: 'inverter', ratedW: 10_000 },
        { deviceKey: 2, kind: 'battery' },
        { deviceKey: 3, kind: 'meter', role: 'grid' },
      ],
    };
    const night = samples({ 1: { pv: 30, ac: 0, load: 200 }, 2: { battery: 60 }, 3: { grid: 200 } });
    expect(sitePowers(night, topology, NOW_MS)).toMatchObject({ pvW: 0, batteryW: 0, loadW: 200, lossW: 90 });
    const beyond = samples({ 1: { pv: 90, ac: 0, load: 200 }, 2: { battery: 200 }, 3: { grid: 200 } });
    expect(sitePowers(beyond, topology, NOW_MS)).toMatchObject({ pvW: 0, batteryW: 160, lossW: 130 });
  });

  test('AC terminals that contradict the DC ports are shown as what comes from them, and named', () => {
    const shown = sitePowers(
      samples({
        1: { pv: 5000, ac: 1000, load: 850 },
        2: { battery: 0 },
        3: { grid: -3150 },
        4: { charger: 0 },
        5: { external: 0 },
      }),
      TOPOLOGY,
      NOW_MS,
    );
    expect(shown).toMatchObject({ pvW: 4000, inverterAcW: 4000, gridW: -3150, loadW: 850, derived: ['inverterAc'] });
  });

  test('a load that no device measures is derived and named', () => {
    const topology: SiteTopology = { devices: TOPOLOGY.devices.slice(0, 3) };
    const shown = sitePowers(
      samples({ 1: { pv: 3000, ac: 2900 }, 2: { battery: 0 }, 3: { grid: -1000 } }),
      topology,
      NOW_MS,
    );
    expect(shown).toMatchObject({ loadW: 1900, derived: ['load'] });
    expect(shown).not.toHaveProperty('chargerW');
  });

  test('without meter and load nothing is invented', () => {
    const topology: SiteTopology = { devices: [{ deviceKey: 1, kind: 'inverter' }] };
    const shown = sitePowers(samples({ 1: { pv: 3000, ac: 2900 } }), topology, NOW_MS);
    expect(shown).toMatchObject({ pvW: 3000, inverterAcW: 2900, derived: [] });
    expect(shown).not.toHaveProperty('loadW');
    expect(shown).not.toHaveProperty('gridW');
  });

  test('readings of different times are not mixed, and the age is that of the oldest that counts', () => {
    const shown = sitePowers(
      samples({ 1: { pv: 3000, ac: 2900 }, 2: { battery: 0 }, 3: { grid: 0 } }, { 1: 3_600_000, 2: 60_000, 3: 5000 }),
      TOPOLOGY,
      NOW_MS,
    );
    expect(shown.missing).toEqual([1, 4, 5]);
    expect(shown).not.toHaveProperty('pvW');
    expect(shown).toMatchObject({ ageMs: 60_000, asOfMs: NOW_MS - 60_000 });
  });

  test('a site that is silent altogether keeps its last picture with its age', () => {
    const shown = sitePowers(
      samples({ 1: { pv: 3000, ac: 2900 }, 3: { grid: 0 } }, { 1: 7_200_000, 3: 7_200_000 }),
      { devices: [TOPOLOGY.devices[0], TOPOLOGY.devices[2]].filter((device) => device !== undefined) },
      NOW_MS,
    );
    expect(shown).toMatchObject({ pvW: 2900, loadW: 2900, ageMs: 7_200_000, missing: [] });
  });

  test('a site without samples has neither values nor an age', () => {
    expect(sitePowers(new Map(), TOPOLOGY, NOW_MS)).toEqual({
      derived: [],
      missing: [1, 2, 3, 4, 5],
      batteryCapacityWh: 10_240,
    });
  });
});
