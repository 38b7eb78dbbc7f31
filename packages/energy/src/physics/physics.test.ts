import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BatteryState } from './battery.ts';
import { batteryEnergyWh, cellOpenCircuitV, HOUSEHOLD_BATTERY, ONE_WAY_EFFICIENCY, stepBattery } from './battery.ts';
import { dcForAcW, inverterOutput, partLoadEfficiency } from './inverter.ts';
import { cosIncidence, erbsSplit, isotropicPlane } from './irradiance.ts';
import type { StringFault } from './iv-curve.ts';
import { sampleCurve, stringCircuit, stringKeyPoints, stringVoltageV } from './iv-curve.ts';
import { faimanTemperatureC, pvWattsDcW, stringVmpV } from './module.ts';
import { deSotoParameters, keyPoints } from './single-diode.ts';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });

describe('irradiance', () => {
  test('a split sky adds up to the global irradiance', () => {
    fc.assert(
      fc.property(number(0, 1200), number(0, 120), (ghiWm2, zenithDeg) => {
        const { dniWm2, dhiWm2 } = erbsSplit(ghiWm2, zenithDeg, 1361);
        const cosZenith = Math.max(0, Math.cos((zenithDeg * Math.PI) / 180));
        expect(dniWm2 * cosZenith + dhiWm2).toBeCloseTo(ghiWm2, 6);
        expect(Math.min(dniWm2, dhiWm2)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('a horizontal plane receives the global irradiance, a plane that faces the sun its direct part in full', () => {
    const sky = erbsSplit(700, 40, 1361);
    expect(isotropicPlane(sky, 40, 150, { tiltDeg: 0, azimuthDeg: 180 }).totalWm2).toBeCloseTo(700, 6);
    expect(cosIncidence(40, 150, { tiltDeg: 40, azimuthDeg: 150 })).toBeCloseTo(1, 9);
    expect(isotropicPlane(sky, 40, 150, { tiltDeg: 90, azimuthDeg: 330 }).directWm2).toBe(0);
  });
});

describe('module and inverter', () => {
  test('modules are warmer than the air by day and cooled by wind', () => {
    fc.assert(
      fc.property(number(1, 1200), number(-20, 40), number(0, 15), (planeWm2, ambientC, windMs) => {
        const moduleC = faimanTemperatureC(planeWm2, ambientC, windMs);
        expect(moduleC).toBeGreaterThan(ambientC);
        expect(faimanTemperatureC(planeWm2, ambientC, windMs + 1)).toBeLessThan(moduleC);
      }),
    );
  });

  test('DC power is the rating under standard conditions and falls with heat and loss', () => {
    const array = { ratedW: 10_000, gammaPerK: -0.0035, lossFraction: 0.1 };
    expect(pvWattsDcW({ ...array, lossFraction: 0 }, 1000, 25)).toBe(10_000);
    expect(pvWattsDcW(array, 1000, 45)).toBeCloseTo(10_000 * 0.93 * 0.9, 6);
    expect(stringVmpV({ modulesInSeries: 10, moduleVmpV: 40, betaPerK: -0.0029 }, 100, 25)).toBeCloseTo(376, 6);
  });

  test('AC power never exceeds the rating, the limit or the DC power, and energy is accounted for', () => {
    fc.assert(
      fc.property(number(-100, 30_000), number(500, 20_000), number(0, 25_000), (availableW, ratedW, limitW) => {
        const { acW, dcW, lossW, clippedW } = inverterOutput(availableW, ratedW, 0.965, limitW);
        expect(acW).toBeGreaterThanOrEqual(0);
        expect(acW).toBeLessThanOrEqual(Math.min(ratedW, limitW));
        expect(acW).toBeLessThanOrEqual(dcW + 1e-9);
        expect(acW + lossW + clippedW).toBeCloseTo(Math.max(0, availableW), 6);
        expect(clippedW).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('the DC power for an AC power is the inverse of the part-load curve', () => {
    fc.assert(
      fc.property(number(0.02, 1), (share) => {
        const acW = 8000 * share;
        const dcW = dcForAcW(acW, 8000);
        expect(dcW * partLoadEfficiency(dcW / (8000 / 0.965))).toBeCloseTo(acW, 6);
      }),
    );
    expect(partLoadEfficiency(0)).toBe(0);
  });
});

describe('battery', () => {
  const start: BatteryState = {
    socPercent: 50,
    temperatureC: 20,
    chargedWh: 0,
    dischargedWh: 0,
    ageYears: 0,
    isDischargeHeld: false,
  };

  test('charge stays within 0 and 100 %, above its minimum, within its limits, and follows the energy', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(number(-9000, 9000), fc.integer({ min: 1000, max: 3_600_000 }), number(-15, 40))),
        (runs) => {
          let state = start;
          for (const [wantedW, durationMs, ambientC] of runs) {
            const {
              state: next,
              powerW,
              voltageV,
              currentA,
            } = stepBattery(state, wantedW, durationMs, ambientC, HOUSEHOLD_BATTERY);
            expect(Math.abs(powerW)).toBeLessThanOrEqual(5000);
            expect(powerW * wantedW).toBeGreaterThanOrEqual(0);
            expect(voltageV * currentA).toBeCloseTo(powerW, 6);
            expect(next.socPercent).toBeGreaterThanOrEqual(HOUSEHOLD_BATTERY.minSocPercent - 1e-9);
            expect(next.socPercent).toBeLessThanOrEqual(100);
            if (powerW < 0) expect(state.temperatureC).toBeGreaterThanOrEqual(0);
            const storedWh = ((next.socPercent - state.socPercent) / 100) * batteryEnergyWh(state, HOUSEHOLD_BATTERY);
            const flowedWh = (-powerW * durationMs) / 3_600_000;
            expect(storedWh).toBeCloseTo(
              flowedWh > 0 ? flowedWh * ONE_WAY_EFFICIENCY : flowedWh / ONE_WAY_EFFICIENCY,
              6,
            );
            state = next;
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('an empty battery rests until it is 3 % above its minimum', () => {
    const empty = stepBattery({ ...start, socPercent: 10.5 }, 5000, 3_600_000, 20, HOUSEHOLD_BATTERY).state;
    expect(empty.socPercent).toBeCloseTo(10, 6);
    const little = stepBattery(empty, -200, 3_600_000, 20, HOUSEHOLD_BATTERY).state;
    expect(stepBattery(little, 500, 60_000, 20, HOUSEHOLD_BATTERY).powerW).toBe(0);
    const enough = stepBattery(little, -300, 3_600_000, 20, HOUSEHOLD_BATTERY).state;
    expect(stepBattery(enough, 500, 60_000, 20, HOUSEHOLD_BATTERY).powerW).toBe(500);
  });

  test('charging is halved in the cold and cut below freezing', () => {
    const power = (temperatureC: number) =>
      stepBattery({ ...start, temperatureC }, -5000, 1000, 20, HOUSEHOLD_BATTERY).powerW;
    expect([power(20), power(5), Math.abs(power(-1))]).toEqual([-5000, -2500, 0]);
  });

  test('the resting voltage rises with the charge', () => {
    fc.assert(
      fc.property(number(0, 100), number(0, 100), (a, b) => {
        expect(cellOpenCircuitV(Math.max(a, b))).toBeGreaterThanOrEqual(cellOpenCircuitV(Math.min(a, b)));
      }),
    );
  });
});

describe('IV curves', () => {
  const module = {
    lightCurrentA: 9.45232,
    saturationCurrentA: 3.2246e-10,
    seriesOhm: 0.297814,
    shuntOhm: 125.798,
    idealityV: 1.59128,
    alphaAPerK: 0.005658,
  };
  const spec = { module, modulesInSeries: 12 };
  const faults: Record<string, StringFault> = {
    connector: { kind: 'series-resistance', ohm: 4 },
    pid: { kind: 'low-shunt', factor: 0.1 },
    shade: { kind: 'low-current', factor: 0.7, share: 0.25 },
    missing: { kind: 'missing-modules', count: 1 },
    bypass: { kind: 'shorted-bypass', count: 2 },
  };

  test('curves fall from short circuit to open circuit under any light, heat and fault', () => {
    fc.assert(
      fc.property(
        number(100, 1100),
        number(-10, 75),
        fc.constantFrom(undefined, ...Object.values(faults)),
        (light, cellC, fault) => {
          const curve = sampleCurve(stringCircuit(spec, light, cellC, fault === undefined ? [] : [fault]), 40);
          curve.slice(1).forEach(({ voltageV, currentA }, index) => {
            expect(voltageV).toBeGreaterThan(curve[index]?.voltageV ?? Number.NaN);
            expect(currentA).toBeLessThanOrEqual((curve[index]?.currentA ?? Number.NaN) + 1e-9);
          });
          expect(curve.at(-1)?.currentA).toBe(0);
        },
      ),
      { numRuns: 15 },
    );
  });

  test('a healthy string is so many modules in series', () => {
    const one = keyPoints(deSotoParameters(module, 800, 40));
    const string = stringKeyPoints(stringCircuit(spec, 800, 40));
    expect(string.iscA).toBeCloseTo(one.iscA, 6);
    expect(string.vocV).toBeCloseTo(12 * one.vocV, 6);
    expect(string.pmpW).toBeCloseTo(12 * one.pmpW, 3);
  });

  test('each fault shows where it should', () => {
    const healthy = stringKeyPoints(stringCircuit(spec, 900, 45));
    const withFault = (name: string) => stringKeyPoints(stringCircuit(spec, 900, 45, [faults[name] as StringFault]));
    for (const name of Object.keys(faults)) expect(withFault(name).pmpW, name).toBeLessThan(healthy.pmpW);
    expect(withFault('connector').vocV).toBeCloseTo(healthy.vocV, 6);
    expect(withFault('missing').vocV).toBeCloseTo((healthy.vocV * 11) / 12, 6);
    expect(withFault('bypass').vocV).toBeCloseTo((healthy.vocV * 34) / 36, 6);
    expect(withFault('shade').iscA).toBeCloseTo(healthy.iscA, 1);
  });

  test('a shaded part is bypassed: the current beyond its own costs a diode drop for each group', () => {
    const circuit = stringCircuit(spec, 900, 45, [{ kind: 'low-current', factor: 0.5, share: 0.25 }]);
    const bright = stringCircuit({ module, modulesInSeries: 9 }, 900, 45);
    expect(stringVoltageV(circuit, 7)).toBeCloseTo(stringVoltageV(bright, 7) - 9 * 0.5, 6);
  });

  test('a reversed string shows negative voltages, a dark one nothing', () => {
    const reversed = sampleCurve(stringCircuit(spec, 900, 45, [{ kind: 'reversed' }]), 20);
    expect(reversed.slice(0, -1).every(({ voltageV }) => voltageV < 0)).toBe(true);
    expect(stringKeyPoints(stringCircuit(spec, 0, 10)).pmpW).toBe(0);
    expect(sampleCurve(stringCircuit(spec, 0, 10), 5).every(({ currentA }) => currentA === 0)).toBe(true);
  });
});
