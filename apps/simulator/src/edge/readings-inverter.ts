import type { FleetInverter, WorkMode } from '../fleet.ts';
import { Run } from '../plant/inverter-unit.ts';
import { wanderAt } from '../plant/noise.ts';
import type { Plant } from '../plant/plant.ts';
import type { Reading } from './readings.ts';

const KWH = 1000;
const STREAM = { insulation: 71, leakage: 72 };

export const WORK_MODE_NUMBER: Record<WorkMode, number> = {
  'self-use': 1,
  'feed-in-priority': 2,
  backup: 3,
  'battery-support': 4,
  'peak-shaving': 5,
};

/** The points of an inverter. Load is measured by the first of the plant's inverters only, at its meter. */
export function readInverter(plant: Plant, device: FleetInverter): Reading {
  const unit = plant.inverters.find((each) => each.device.sn === device.sn);
  if (unit === undefined) throw new Error(`plant ${plant.plant.key} has no inverter ${device.sn}`);
  const { state } = unit;
  const { tsMs, grid, faults } = plant;
  const { phases } = device.params;
  const hasBattery = plant.storages.some((storage) => storage.device.params.inverter === device.sn);
  const isIsland = !grid.isPresent;
  const isOnGrid = grid.isPresent && !unit.isStopped && unit.run !== Run.off;
  const voltageV = isIsland ? 0 : grid.voltageV;
  const reactiveVar = 0.02 * Math.abs(unit.acW);
  const apparentVa = Math.hypot(unit.acW, reactiveVar);
  const reading: Reading = {
    'AC/ActivePower': unit.acW,
    'AC/ReactivePower': reactiveVar,
    'AC/ApparentPower': apparentVa,
    'AC/PowerFactor': apparentVa > 1 ? unit.acW / apparentVa : 1,
    'AC/Frequency': isIsland ? 0 : grid.frequencyHz,
  };
  for (let phase = 1; phase <= phases; phase += 1) {
    const phaseV = voltageV > 0 ? voltageV + (phase - 2) * 0.6 : 0;
    reading[`AC/L${phase}/Voltage`] = phaseV;
    reading[`AC/L${phase}/Current`] = phaseV > 0 ? apparentVa / phases / phaseV : 0;
    reading[`AC/L${phase}/Power`] = unit.acW / phases;
  }
  if (phases === 3) for (const pair of ['L12', 'L23', 'L31']) reading[`AC/${pair}/Voltage`] = voltageV * Math.sqrt(3);
  reading['DC/Power'] = unit.dcW;
  let string = 0;
  unit.mppts.forEach((mppt, index) => {
    reading[`DC/Mppt${index + 1}/Voltage`] = mppt.voltageV;
    reading[`DC/Mppt${index + 1}/Current`] = mppt.currentA;
    reading[`DC/Mppt${index + 1}/Power`] = mppt.powerW;
    for (const currentA of mppt.stringsA) {
      string += 1;
      reading[`DC/String${string}/Current`] = currentA;
    }
  });
  const isLowInsulation = faults.has(device.sn, 'insulation-low', tsMs);
  const humid = wanderAt(plant.plant.seed, STREAM.insulation, tsMs / 7_200_000);
  reading['DC/BusVoltage'] = unit.dcW > 0 || unit.batteryW !== 0 ? (phases === 3 ? 640 : 390) : 0;
  reading['DC/InsulationResistance'] = isLowInsulation ? 42 : Math.max(600, 2400 + 350 * humid);
  reading['DC/LeakageCurrent'] =
    unit.dcW > 0 ? Math.max(2, 12 + 3 * wanderAt(plant.plant.seed, STREAM.leakage, tsMs / 600_000)) : 0;
  reading['Energy/PvToday'] = state.pvTodayWh / KWH;
  reading['Energy/PvTotal'] = state.pvWh / KWH;
  reading['Energy/AcOutToday'] = state.acOutTodayWh / KWH;
  reading['Energy/AcOutTotal'] = state.acOutWh / KWH;
  reading['Energy/AcInTotal'] = state.acInWh / KWH;
  if (unit === plant.inverters[0]) {
    reading['Energy/LoadToday'] = plant.state.loadTodayWh / KWH;
    reading['Energy/LoadTotal'] = plant.state.loadWh / KWH;
    reading['Load/Power'] = plant.powers.loadW;
  }
  if (hasBattery) {
    reading['Eps/Voltage'] = isIsland ? 230 : 0;
    reading['Eps/Current'] = unit.epsW / 230;
    reading['Eps/Frequency'] = isIsland ? 50 : 0;
    reading['Eps/Power'] = unit.epsW;
    reading['Eps/EnergyTotal'] = state.epsWh / KWH;
  }
  reading['Temp/Heatsink'] = faults.has(device.sn, 'over-temperature', tsMs) ? 82 : unit.heatsinkC;
  reading['Temp/Ambient'] = plant.conditions.ambientC + 6 + 0.15 * (unit.heatsinkC - plant.conditions.ambientC);
  reading['Temp/Boost'] = unit.heatsinkC + 2.5;
  reading['Fan/Speed'] =
    unit.heatsinkC < 40 || faults.has(device.sn, 'fan-failure', tsMs)
      ? 0
      : Math.min(4200, 900 + (unit.heatsinkC - 40) * 90);
  reading['State/Run'] = unit.run;
  reading['State/Derating'] = unit.deratingBits;
  reading['State/WorkMode'] = WORK_MODE_NUMBER[plant.workMode];
  reading['State/GridRelay'] = isOnGrid && unit.run !== Run.sleeping;
  reading['State/OperatingHours'] = state.operatingHours;
  reading['State/Efficiency'] = unit.dcW > 50 ? Math.min(100, (100 * unit.pvAcW) / unit.dcW) : 0;
  reading['Arc/SignalStrength'] = faults.has(device.sn, 'arc-fault', tsMs) ? 870 : 14;
  reading['Rating/ActivePower'] = device.ratedPowerW;
  reading['Rating/MpptCount'] = device.params.mppts.length;
  return reading;
}
