import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PortEnergies } from './flows.ts';
import { addFlows, allocateFlows, FLOW_NAMES } from './flows.ts';

const wh = fc.oneof(
  { weight: 3, arbitrary: fc.double({ min: 0, max: 1e6, noNaN: true }) },
  { weight: 1, arbitrary: fc.constant(0) },
);
const ports = fc.record({
  pvWh: wh,
  externalWh: wh,
  dischargeWh: wh,
  importWh: wh,
  loadWh: wh,
  chargerWh: wh,
  chargeWh: wh,
  exportWh: wh,
});

const NONE: PortEnergies = {
  pvWh: 0,
  externalWh: 0,
  dischargeWh: 0,
  importWh: 0,
  loadWh: 0,
  chargerWh: 0,
  chargeWh: 0,
  exportWh: 0,
};

/** Only the flows that are not nought. */
function flowing(energies: Partial<PortEnergies>): Record<string, number> {
  const flows = allocateFlows({ ...NONE, ...energies });
  return Object.fromEntries(
    FLOW_NAMES.filter((name) => flows[name] > 1e-9).map((name) => [name, Math.round(flows[name])]),
  );
}

describe('allocateFlows', () => {
  test('every source gives and every sink takes exactly its energy, and no flow is negative', () => {
    fc.assert(
      fc.property(ports, (energies) => {
        const flows = allocateFlows(energies);
        for (const name of FLOW_NAMES) expect(flows[name]).toBeGreaterThanOrEqual(-1e-9);
        const total = (pattern: RegExp) =>
          FLOW_NAMES.filter((name) => pattern.test(name)).reduce((sum, name) => sum + flows[name], 0);
        expect(total(/^pv/)).toBeCloseTo(energies.pvWh, 5);
        expect(total(/^external/)).toBeCloseTo(energies.externalWh, 5);
        expect(total(/^battery/)).toBeCloseTo(energies.dischargeWh, 5);
        expect(total(/^grid/)).toBeCloseTo(energies.importWh, 5);
        expect(total(/ToLoadWh$/)).toBeCloseTo(energies.loadWh, 5);
        expect(total(/ToChargerWh$/)).toBeCloseTo(energies.chargerWh, 5);
        expect(total(/ToBatteryWh$/)).toBeCloseTo(energies.chargeWh, 5);
        expect(total(/ToGridWh$/)).toBeCloseTo(energies.exportWh, 5);
      }),
    );
  });

  test('meters that agree leave nothing unexplained and nothing lost', () => {
    fc.assert(
      fc.property(
        fc.record({
          load: wh,
          charger: wh,
          charge: wh,
          sold: wh,
          pvShare: fc.double({ min: 0, max: 1, noNaN: true }),
          local: wh,
        }),
        ({ load, charger, charge, sold, pvShare, local }) => {
          const ownWh = load + charger + charge;
          const localWh = Math.min(local, ownWh) + sold;
          const energies = {
            ...NONE,
            loadWh: load,
            chargerWh: charger,
            chargeWh: charge,
            exportWh: sold,
            pvWh: localWh * pvShare,
            externalWh: localWh * (1 - pvShare),
            importWh: Math.max(0, ownWh + sold - localWh),
          };
          const flows = allocateFlows(energies);
          for (const name of FLOW_NAMES) if (/Loss|unexplained/.test(name)) expect(flows[name]).toBeCloseTo(0, 4);
        },
      ),
    );
  });

  test('generation goes to the load first, then the charger, then the battery, then the grid', () => {
    expect(flowing({ pvWh: 1000, loadWh: 300, chargerWh: 200, chargeWh: 400, exportWh: 100 })).toEqual({
      pvToLoadWh: 300,
      pvToChargerWh: 200,
      pvToBatteryWh: 400,
      pvToGridWh: 100,
    });
  });

  test('the battery serves the load and purchase what remains', () => {
    expect(flowing({ dischargeWh: 500, importWh: 400, loadWh: 600, chargerWh: 300 })).toEqual({
      batteryToLoadWh: 500,
      gridToLoadWh: 100,
      gridToChargerWh: 300,
    });
  });

  test('what was bought is never sold within the same span', () => {
    expect(flowing({ pvWh: 1000, importWh: 200, loadWh: 1000, exportWh: 200 })).toEqual({
      pvToLoadWh: 800,
      pvToGridWh: 200,
      gridToLoadWh: 200,
    });
  });

  test('conversion loss is that of PV as far as it can be', () => {
    expect(flowing({ pvWh: 1000, loadWh: 960 })).toEqual({ pvToLoadWh: 960, pvToLossWh: 40 });
    expect(flowing({ dischargeWh: 1000, loadWh: 950 })).toEqual({ batteryToLoadWh: 950, batteryToLossWh: 50 });
    expect(flowing({ importWh: 1000, chargeWh: 950 })).toEqual({ gridToBatteryWh: 950, gridToLossWh: 50 });
  });

  test('a battery that charged and discharged in one span still explains all', () => {
    expect(flowing({ pvWh: 1000, dischargeWh: 500, importWh: 500, loadWh: 1000, chargeWh: 1000 })).toEqual({
      pvToLoadWh: 500,
      pvToBatteryWh: 500,
      batteryToLoadWh: 500,
      gridToBatteryWh: 500,
    });
  });

  test('what no source gave is named unexplained', () => {
    expect(flowing({ pvWh: 100, loadWh: 150 })).toEqual({ pvToLoadWh: 100, unexplainedToLoadWh: 50 });
  });

  test('flows of spans add up', () => {
    const part = allocateFlows({ ...NONE, pvWh: 10, loadWh: 10 });
    expect(addFlows([part, part])).toEqual(allocateFlows({ ...NONE, pvWh: 20, loadWh: 20 }));
  });
});
