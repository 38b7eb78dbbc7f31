import { cellOpenCircuitV } from '@sonnenwarte/energy/physics/battery';
import type { FleetBattery } from '../fleet.ts';
import { wanderAt } from '../plant/noise.ts';
import type { Plant } from '../plant/plant.ts';
import type { Reading } from './readings.ts';

const KWH = 1000;
const SPREAD_STREAM = 81;
const STATE = { charging: 1, normal: 2, idle: 3 } as const;
const IDLE_BELOW_W = 15;
const CELL_FULL_V = 3.55;
const CELL_EMPTY_V = 2.85;

/** The points of a battery. */
export function readBattery(plant: Plant, device: FleetBattery): Reading {
  const unit = plant.storages.find((each) => each.device.sn === device.sn);
  if (unit === undefined) throw new Error(`plant ${plant.plant.key} has no battery ${device.sn}`);
  const { tsMs, faults } = plant;
  const { state, model, socPercent, powerW, voltageV } = unit;
  const limits = unit.limits(tsMs, plant.settings.minSocPercent);
  const isImbalanced = faults.has(device.sn, 'cell-imbalance', tsMs);
  const cellV = voltageV / model.cellsInSeries;
  const spreadV = isImbalanced
    ? 0.24
    : 0.008 + 0.003 * Math.abs(wanderAt(plant.plant.seed, SPREAD_STREAM, tsMs / 3.6e6));
  const cellC = unit.cellTemperatureC(tsMs);
  let batteryState: number = STATE.idle;
  if (powerW < -IDLE_BELOW_W) batteryState = STATE.charging;
  else if (powerW > IDLE_BELOW_W) batteryState = STATE.normal;
  const reading: Reading = {
    'Bat/Voltage': voltageV,
    'Bat/Current': unit.currentA,
    'Bat/Power': powerW,
    'Bat/Soc': socPercent,
    'Bat/Soh': unit.sohPercent,
    'Bat/Capacity': device.capacityWh / KWH,
    'Bat/RemainingEnergy': unit.storedWh / KWH,
    'Bat/Temperature': cellC,
    'Bat/CellVoltageMax': cellV + spreadV / 2,
    'Bat/CellVoltageMin': cellV - spreadV / 2,
    'Bat/CellTempMax': cellC + 1.1,
    'Bat/CellTempMin': cellC - 0.9,
    'Bat/CellIndexVmax': 1 + (plant.plant.seed % model.cellsInSeries),
    'Bat/CellIndexVmin': 1 + ((plant.plant.seed * 7) % model.cellsInSeries),
    'Bat/ChargeLimit': limits.chargeW / voltageV,
    'Bat/DischargeLimit': limits.dischargeW / voltageV,
    'Bat/ChargeVoltageLimit': model.cellsInSeries * CELL_FULL_V,
    'Bat/DischargeVoltageLimit': model.cellsInSeries * CELL_EMPTY_V,
    'Bat/Cycles': unit.cycles,
    'Bat/State': batteryState,
    'Bat/ChargeToday': state.chargeTodayWh / KWH,
    'Bat/ChargeTotal': state.battery.chargedWh / KWH,
    'Bat/DischargeToday': state.dischargeTodayWh / KWH,
    'Bat/DischargeTotal': state.battery.dischargedWh / KWH,
    'Bat/PackCount': device.params.packs,
  };
  const packsInSeries = model.cellsInSeries > 16 ? device.params.packs : 1;
  for (let pack = 1; pack <= device.params.packs; pack += 1) {
    const offset = ((pack * 37 + plant.plant.seed) % 9) - 4;
    const packSoc = Math.min(100, Math.max(0, socPercent + offset * 0.12));
    const restV = model.cellsInSeries * cellOpenCircuitV(packSoc);
    reading[`Bat/Pack${pack}/Voltage`] = (restV + voltageV) / 2 / packsInSeries;
    reading[`Bat/Pack${pack}/Soc`] = packSoc;
  }
  reading['Bat/BmsFirmware'] = device.versions.manager ?? device.versions.master;
  reading['Bat/BmsFault'] = isImbalanced ? 4 : 0;
  reading['Bat/Relay'] = true;
  return reading;
}
