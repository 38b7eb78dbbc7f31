import {
  type BatteryModel,
  type BatteryStep,
  batteryCycles,
  batteryEnergyWh,
  batteryLimits,
  batterySohPercent,
  batteryTerminals,
  HOUSEHOLD_BATTERY,
  stepBattery,
} from '@sonnenwarte/energy/physics/battery';
import type { FaultBoard } from '../faults.ts';
import type { FleetBattery } from '../fleet.ts';
import type { StorageState } from './state.ts';

/** Storages above this are of high voltage: packs in series. */
const HIGH_VOLTAGE_FROM_WH = 30_000;
const CELLS_PER_PACK = 16;
const HIGH_VOLTAGE_CELLS = 224;
const COLD_CELL_C = -3;

/** One battery behind its inverter. */
export class StorageUnit {
  readonly device: FleetBattery;
  readonly state: StorageState;
  readonly model: BatteryModel;
  readonly #faults: FaultBoard;
  powerW = 0;
  voltageV: number;
  currentA = 0;

  constructor(device: FleetBattery, state: StorageState, faults: FaultBoard) {
    this.device = device;
    this.state = state;
    this.#faults = faults;
    const scale = device.capacityWh / HOUSEHOLD_BATTERY.capacityWh;
    const cellsInSeries = device.capacityWh > HIGH_VOLTAGE_FROM_WH ? HIGH_VOLTAGE_CELLS : CELLS_PER_PACK;
    const parallel = (scale * CELLS_PER_PACK) / cellsInSeries;
    this.model = {
      ...HOUSEHOLD_BATTERY,
      capacityWh: device.capacityWh,
      maxChargeW: device.params.maxChargeW,
      maxDischargeW: device.params.maxDischargeW,
      minSocPercent: 0,
      cellsInSeries,
      resistanceOhm: (HOUSEHOLD_BATTERY.resistanceOhm * (cellsInSeries / CELLS_PER_PACK)) / parallel,
      coolingWPerK: HOUSEHOLD_BATTERY.coolingWPerK * scale,
      heatCapacityJPerK: HOUSEHOLD_BATTERY.heatCapacityJPerK * scale,
    };
    this.voltageV = batteryTerminals(state.battery.socPercent, 0, this.model).voltageV;
  }

  get socPercent(): number {
    return this.state.battery.socPercent;
  }

  get sohPercent(): number {
    return batterySohPercent(this.state.battery, this.model);
  }

  get cycles(): number {
    return batteryCycles(this.state.battery, this.model);
  }

  get storedWh(): number {
    return (batteryEnergyWh(this.state.battery, this.model) * this.socPercent) / 100;
  }

  /** Power limits now, W, both >= 0. */
  limits(tsMs: number, minSocPercent: number): { chargeW: number; dischargeW: number } {
    if (this.#faults.has(this.device.sn, 'bms-lost', tsMs)) return { chargeW: 0, dischargeW: 0 };
    const { chargeW, dischargeW } = batteryLimits(this.state.battery, this.model, minSocPercent);
    return { chargeW: this.#faults.has(this.device.sn, 'battery-cold', tsMs) ? 0 : chargeW, dischargeW };
  }

  /** Runs for a time at the wanted power, as far as it can; returns what flowed, W. */
  step(wantedW: number, durationMs: number, ambientC: number, minSocPercent: number): number {
    // A battery stands indoors: never as cold nor as hot as the air outside.
    const roomC = Math.min(30, Math.max(12, 14 + 0.5 * ambientC));
    const step: BatteryStep = stepBattery(this.state.battery, wantedW, durationMs, roomC, this.model, minSocPercent);
    this.state.battery = step.state;
    // Adding nought makes a negative nought a plain one.
    this.powerW = step.powerW + 0;
    this.voltageV = step.voltageV;
    this.currentA = step.currentA;
    const energyWh = (step.powerW * durationMs) / 3_600_000;
    this.state.chargeTodayWh += Math.max(0, -energyWh);
    this.state.dischargeTodayWh += Math.max(0, energyWh);
    return this.powerW;
  }

  cellTemperatureC(tsMs: number): number {
    return this.#faults.has(this.device.sn, 'battery-cold', tsMs) ? COLD_CELL_C : this.state.battery.temperatureC;
  }
}
