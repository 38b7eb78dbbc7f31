import { describe, expect, test } from 'vitest';
import type { DeviceBucket } from './buckets.ts';
import { siteBucket } from './site-balance.ts';
import type { SiteTopology } from './site-topology.ts';

const INVERTER = 1;
const BATTERY = 2;
const GRID_METER = 3;
const SECOND_INVERTER = 4;
const PILE = 5;
const GENERATOR = 6;
const EMS = 7;

function bucket(energyWh: DeviceBucket['energyWh'], more: Partial<DeviceBucket> = {}): DeviceBucket {
  return { bucketMs: 0, energyWh, powerW: {}, maxPowerW: {}, samples: 5, quality: 'measured', ...more };
}

const HYBRID: SiteTopology = {
  devices: [
    { deviceKey: INVERTER, kind: 'inverter' },
    { deviceKey: BATTERY, kind: 'battery', capacityWh: 10_000 },
    { deviceKey: GRID_METER, kind: 'meter', role: 'grid' },
  ],
};

describe('siteBucket', () => {
  test('the load follows from the bus where no device measures it, and is marked', () => {
    const site = siteBucket(
      [
        { device: INVERTER, bucket: bucket({ pv: 500, acOut: 380, acIn: 0 }) },
        { device: BATTERY, bucket: bucket({ charge: 100, discharge: 0 }, { socPercent: 60 }) },
        { device: GRID_METER, bucket: bucket({ import: 0, export: 180 }) },
      ],
      HYBRID,
    );
    expect(site).toMatchObject({
      pvWh: 500,
      loadWh: 200,
      chargeWh: 100,
      exportWh: 180,
      socPercent: 60,
      derived: ['load'],
      qualities: { load: 'estimated' },
      missing: [],
      flows: { pvToLoadWh: 200, pvToBatteryWh: 100, pvToGridWh: 180, pvToLossWh: 20 },
    });
    expect(site).not.toHaveProperty('chargerWh');
    expect(site).not.toHaveProperty('externalWh');
  });

  test('all measured stays measured', () => {
    const site = siteBucket(
      [
        { device: INVERTER, bucket: bucket({ pv: 500, acOut: 480, acIn: 0, load: 480 }) },
        { device: BATTERY, bucket: bucket({ charge: 0, discharge: 0 }) },
        { device: GRID_METER, bucket: bucket({ import: 0, export: 0 }) },
      ],
      HYBRID,
    );
    expect(site).toMatchObject({ qualities: {}, derived: [] });
  });

  test('import and export follow from load and inverter where there is no meter', () => {
    const topology: SiteTopology = { devices: [{ deviceKey: INVERTER, kind: 'inverter' }] };
    const buying = siteBucket(
      [{ device: INVERTER, bucket: bucket({ pv: 100, acOut: 96, acIn: 0, load: 150 }) }],
      topology,
    );
    expect(buying).toMatchObject({ importWh: 54, exportWh: 0, derived: ['import', 'export'] });
    const selling = siteBucket(
      [{ device: INVERTER, bucket: bucket({ pv: 100, acOut: 96, acIn: 0, load: 50 }) }],
      topology,
    );
    expect(selling).toMatchObject({ importWh: 0, exportWh: 46 });
  });

  test('what cannot be known is absent, never 0', () => {
    const topology: SiteTopology = { devices: [{ deviceKey: INVERTER, kind: 'inverter' }] };
    const site = siteBucket([{ device: INVERTER, bucket: bucket({ pv: 100, acOut: 96, acIn: 0 }) }], topology);
    expect(site).toMatchObject({ pvWh: 100, acOutWh: 96, derived: [] });
    for (const name of ['loadWh', 'importWh', 'exportWh', 'chargeWh', 'flows']) expect(site).not.toHaveProperty(name);
  });

  test('a battery that its inverter reports too counts once', () => {
    const site = siteBucket(
      [
        { device: INVERTER, bucket: bucket({ pv: 0, acOut: 96, charge: 0, discharge: 100 }) },
        { device: BATTERY, bucket: bucket({ charge: 0, discharge: 100 }) },
      ],
      HYBRID,
    );
    expect(site.dischargeWh).toBe(100);
  });

  test('the meter wins over what an inverter or an EMS says of the grid', () => {
    const topology: SiteTopology = { devices: [...HYBRID.devices, { deviceKey: EMS, kind: 'ems' }] };
    const site = siteBucket(
      [
        { device: INVERTER, bucket: bucket({ import: 7, export: 7 }) },
        { device: EMS, bucket: bucket({ import: 9, export: 9, load: 70 }) },
        { device: GRID_METER, bucket: bucket({ import: 5, export: 6 }) },
      ],
      topology,
    );
    expect(site).toMatchObject({ importWh: 5, exportWh: 6, loadWh: 70 });
  });

  test('inverters in parallel add up, and one that is silent is named and makes the sums that it was part of estimated', () => {
    const topology: SiteTopology = { devices: [...HYBRID.devices, { deviceKey: SECOND_INVERTER, kind: 'inverter' }] };
    const one = { device: INVERTER, bucket: bucket({ pv: 100, acOut: 95 }) };
    const two = { device: SECOND_INVERTER, bucket: bucket({ pv: 200, acOut: 190 }) };
    const others = [
      { device: BATTERY, bucket: bucket({ charge: 0, discharge: 0 }) },
      { device: GRID_METER, bucket: bucket({ import: 0, export: 0 }) },
    ];
    expect(siteBucket([one, two, ...others], topology)).toMatchObject({ pvWh: 300, acOutWh: 285, missing: [] });
    expect(siteBucket([one, ...others], topology)).toMatchObject({
      pvWh: 100,
      missing: [SECOND_INVERTER],
      qualities: { pv: 'estimated', acOut: 'estimated', load: 'estimated' },
    });
  });

  test('other generation is kept apart from PV and takes part in the balance', () => {
    const topology: SiteTopology = {
      devices: [
        ...HYBRID.devices,
        { deviceKey: GENERATOR, kind: 'meter', role: 'generator' },
        { deviceKey: PILE, kind: 'pile' },
      ],
    };
    const site = siteBucket(
      [
        { device: INVERTER, bucket: bucket({ pv: 100, acOut: 100, acIn: 0, external: 999 }) },
        { device: BATTERY, bucket: bucket({ charge: 0, discharge: 0 }) },
        { device: GRID_METER, bucket: bucket({ import: 0, export: 0 }) },
        { device: GENERATOR, bucket: bucket({ external: 300 }) },
        { device: PILE, bucket: bucket({ charger: 50 }) },
      ],
      topology,
    );
    expect(site).toMatchObject({ pvWh: 100, externalWh: 300, chargerWh: 50, loadWh: 350 });
  });

  test('the state of charge is weighted by capacity', () => {
    const topology: SiteTopology = {
      devices: [
        { deviceKey: 1, kind: 'battery', capacityWh: 30_000 },
        { deviceKey: 2, kind: 'battery', capacityWh: 10_000 },
      ],
    };
    const site = siteBucket(
      [
        { device: 1, bucket: bucket({}, { socPercent: 80 }) },
        { device: 2, bucket: bucket({}, { socPercent: 40 }) },
      ],
      topology,
    );
    expect(site.socPercent).toBe(70);
  });

  test('an estimated channel makes that quantity estimated and no other, one that is not used none', () => {
    const meter = { device: GRID_METER, bucket: bucket({ import: 1, export: 0 }) };
    const battery = { device: BATTERY, bucket: bucket({ charge: 0, discharge: 0 }) };
    const inverter = (name: 'pv' | 'import') => ({
      device: INVERTER,
      bucket: bucket(
        { pv: 1, acOut: 1, load: 2, import: 1 },
        { quality: 'estimated', energyQuality: { [name]: 'estimated' } },
      ),
    });
    expect(siteBucket([inverter('pv'), battery, meter], HYBRID).qualities).toEqual({ pv: 'estimated' });
    expect(siteBucket([inverter('import'), battery, meter], HYBRID).qualities).toEqual({});
  });
});
