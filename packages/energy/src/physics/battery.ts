/** One-way efficiency: charging and discharging lose 4.5 % each, 91 % of a round trip remains. */
export const ONE_WAY_EFFICIENCY = 0.955;

export interface BatteryModel {
  /** Usable energy when new, Wh. */
  capacityWh: number;
  maxChargeW: number;
  maxDischargeW: number;
  minSocPercent: number;
  oneWayEfficiency: number;
  cellsInSeries: number;
  resistanceOhm: number;
  /** Heat given to the surroundings, W/K. */
  coolingWPerK: number;
  /** J/K. */
  heatCapacityJPerK: number;
}

/** A household storage of 10.24 kWh, 16 cells LFP, 5 kW. */
export const HOUSEHOLD_BATTERY: BatteryModel = {
  capacityWh: 10_240,
  maxChargeW: 5000,
  maxDischargeW: 5000,
  minSocPercent: 10,
  oneWayEfficiency: ONE_WAY_EFFICIENCY,
  cellsInSeries: 16,
  resistanceOhm: 0.025,
  coolingWPerK: 8,
  heatCapacityJPerK: 90_000,
};

export interface BatteryState {
  socPercent: number;
  temperatureC: number;
  /** Lifetime energy at the terminals, Wh. */
  chargedWh: number;
  dischargedWh: number;
  ageYears: number;
  /** Discharge stopped at the minimum and not yet 3 % above it. */
  isDischargeHeld: boolean;
}

export interface BatteryStep {
  state: BatteryState;
  /** What flowed, W, + = discharge. */
  powerW: number;
  voltageV: number;
  /** + = discharge. */
  currentA: number;
}

/** Resting voltage of one LiFePO4 cell by state of charge (typical curve at 25 degC): [percent, V]. */
const LFP_CELL_OCV: readonly (readonly [number, number])[] = [
  [0, 2.85],
  [5, 3.08],
  [10, 3.17],
  [20, 3.235],
  [30, 3.262],
  [40, 3.281],
  [50, 3.289],
  [60, 3.294],
  [70, 3.316],
  [80, 3.325],
  [90, 3.331],
  [95, 3.338],
  [98, 3.36],
  [100, 3.42],
];

const RESTART_MARGIN_PERCENT = 3;
const TAPER_FROM_PERCENT = 95;
const TAPER_FLOOR = 0.05;
const HOUR_MS = 3_600_000;
const YEAR_MS = 365.25 * 24 * HOUR_MS;

/** Resting voltage of one cell, V, linear between the points of the table. */
export function cellOpenCircuitV(socPercent: number): number {
  const soc = Math.min(100, Math.max(0, socPercent));
  for (let index = 1; index < LFP_CELL_OCV.length; index += 1) {
    const [upperSoc, upperV] = LFP_CELL_OCV[index] as readonly [number, number];
    if (soc > upperSoc) continue;
    const [lowerSoc, lowerV] = LFP_CELL_OCV[index - 1] as readonly [number, number];
    return lowerV + ((upperV - lowerV) * (soc - lowerSoc)) / (upperSoc - lowerSoc);
  }
  return (LFP_CELL_OCV[LFP_CELL_OCV.length - 1] as readonly [number, number])[1];
}

/** Full cycles so far: discharged energy over capacity. */
export function batteryCycles(state: BatteryState, model: BatteryModel): number {
  return state.dischargedWh / model.capacityWh;
}

/** State of health, percent: 20 % lost in 6000 cycles and 1 % a year. */
export function batterySohPercent(state: BatteryState, model: BatteryModel): number {
  return Math.max(0, 100 * (1 - (0.2 * batteryCycles(state, model)) / 6000 - 0.01 * state.ageYears));
}

/** Energy the battery holds when full, Wh, at its health. */
export function batteryEnergyWh(state: BatteryState, model: BatteryModel): number {
  return (model.capacityWh * batterySohPercent(state, model)) / 100;
}

/**
 * Power limits now, W, both >= 0: charging is cut below 0 degC and halved below 10 degC, tapers above 95 % and ends at
 * 100 %; discharging ends at the minimum and begins again 3 % above it.
 */
export function batteryLimits(
  state: BatteryState,
  model: BatteryModel,
  minSocPercent: number = model.minSocPercent,
): { chargeW: number; dischargeW: number } {
  const { socPercent, temperatureC } = state;
  const held = state.isDischargeHeld && socPercent < minSocPercent + RESTART_MARGIN_PERCENT;
  return {
    chargeW: model.maxChargeW * coldFactor(temperatureC) * taperFactor(socPercent),
    dischargeW: held || socPercent <= minSocPercent ? 0 : model.maxDischargeW,
  };
}

function coldFactor(temperatureC: number): number {
  if (temperatureC < 0) return 0;
  return temperatureC < 10 ? 0.5 : 1;
}

function taperFactor(socPercent: number): number {
  if (socPercent >= 100) return 0;
  if (socPercent <= TAPER_FROM_PERCENT) return 1;
  return Math.max(TAPER_FLOOR, (100 - socPercent) / (100 - TAPER_FROM_PERCENT));
}

/**
 * Lets a battery run for a time at the wanted power, + = discharge, as far as its limits allow; the state of charge never
 * leaves 0-100 % nor, by discharging, falls below the minimum. Power at the terminals; the one-way losses are inside.
 */
export function stepBattery(
  state: BatteryState,
  wantedW: number,
  durationMs: number,
  ambientC: number,
  model: BatteryModel,
  minSocPercent: number = model.minSocPercent,
): BatteryStep {
  const hours = durationMs / HOUR_MS;
  const energyWh = batteryEnergyWh(state, model);
  const limits = batteryLimits(state, model, minSocPercent);
  let powerW = Math.min(limits.dischargeW, Math.max(-limits.chargeW, wantedW));
  if (hours > 0) {
    const headroomW = (((100 - state.socPercent) / 100) * energyWh) / (model.oneWayEfficiency * hours);
    const reserveW =
      ((Math.max(0, state.socPercent - minSocPercent) / 100) * energyWh * model.oneWayEfficiency) / hours;
    powerW = Math.min(reserveW, Math.max(-headroomW, powerW));
  }
  const storedWh = powerW >= 0 ? (-powerW * hours) / model.oneWayEfficiency : -powerW * hours * model.oneWayEfficiency;
  const movedPercent = energyWh > 0 ? (100 * storedWh) / energyWh : 0;
  const socPercent = Math.min(100, Math.max(0, state.socPercent + movedPercent));
  const { voltageV, currentA } = batteryTerminals(socPercent, powerW, model);
  const atMinimum = socPercent <= minSocPercent + 1e-9;
  return {
    state: {
      socPercent,
      temperatureC: nextTemperatureC(state.temperatureC, currentA, ambientC, durationMs, model),
      chargedWh: state.chargedWh + Math.max(0, -powerW * hours),
      dischargedWh: state.dischargedWh + Math.max(0, powerW * hours),
      ageYears: state.ageYears + durationMs / YEAR_MS,
      isDischargeHeld: atMinimum || (state.isDischargeHeld && socPercent < minSocPercent + RESTART_MARGIN_PERCENT),
    },
    powerW,
    voltageV,
    currentA,
  };
}

/** Terminal voltage and current (+ = discharge) at a state of charge and power: V = OCV - I R and P = V I. */
export function batteryTerminals(
  socPercent: number,
  powerW: number,
  model: BatteryModel,
): { voltageV: number; currentA: number } {
  const openV = model.cellsInSeries * cellOpenCircuitV(socPercent);
  const discriminant = Math.max(0, openV * openV - 4 * model.resistanceOhm * powerW);
  const voltageV = (openV + Math.sqrt(discriminant)) / 2;
  return { voltageV, currentA: powerW / voltageV };
}

/** C dT/dt = I^2 R - h (T - Ta), solved exactly for a constant current, so that long steps stay stable. */
function nextTemperatureC(
  temperatureC: number,
  currentA: number,
  ambientC: number,
  durationMs: number,
  model: BatteryModel,
): number {
  const restC = ambientC + (currentA * currentA * model.resistanceOhm) / model.coolingWPerK;
  const decay = Math.exp((-durationMs / 1000) * (model.coolingWPerK / model.heatCapacityJPerK));
  return restC + (temperatureC - restC) * decay;
}
