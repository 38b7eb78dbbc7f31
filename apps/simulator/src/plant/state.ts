import type { BatteryState } from '@sonnenwarte/energy/physics/battery';
import type { Climate, FleetInverter, FleetPlant } from '../fleet.ts';
import type { HeatPumpState } from './consumption.ts';
import type { CloudState } from './weather.ts';

/** Counters of an inverter, Wh, and what it carries from step to step. */
export interface InverterState {
  pvWh: number;
  pvTodayWh: number;
  acOutWh: number;
  acOutTodayWh: number;
  acInWh: number;
  epsWh: number;
  operatingHours: number;
  heatsinkC: number;
  /** The grid has to be good until then before the inverter feeds in. */
  readyAtMs: number;
}

export interface StorageState {
  battery: BatteryState;
  chargeTodayWh: number;
  dischargeTodayWh: number;
}

export interface ExternalState {
  energyWh: number;
  todayWh: number;
}

export interface ChargerState {
  energyWh: number;
  sessionWh: number;
  sessionDay: number;
}

/** Everything of a plant that is not a function of time; plain data that can be written to a file. */
export interface PlantState {
  tsMs: number;
  localDay: number;
  clouds: CloudState;
  inverters: Record<string, InverterState>;
  batteries: Record<string, StorageState>;
  externals: Record<string, ExternalState>;
  /** By this name in the files that are kept between two runs. */
  piles: Record<string, ChargerState>;
  heatPump: HeatPumpState;
  loadWh: number;
  loadTodayWh: number;
  /** What the meter at the grid has counted, as import and as export. */
  importWh: number;
  importTodayWh: number;
  exportWh: number;
  exportTodayWh: number;
}

const YEAR_MS = 365.25 * 86_400_000;

/** What an inverter takes at its AC terminals, for its battery and for itself, of what it gives. */
const TAKEN_OF_GIVEN = 0.1;

const YIELD_KWH_PER_KWP: Record<Climate, number> = { temperate: 990, mediterranean: 1420, monsoon: 1460, arid: 1720 };

/** The plant as its years of service left it: counters follow from size, climate and age. */
export function initialState(plant: FleetPlant, climate: Climate, startMs: number, localDay: number): PlantState {
  const years = Math.max(0, (startMs - Date.parse(plant.gridConnectedOn)) / YEAR_MS);
  const devices = plant.loggers.flatMap((datalogger) => datalogger.devices);
  const inverters = devices.filter((device) => device.kind === 'inverter');
  const yieldWh = YIELD_KWH_PER_KWP[climate] * 1000 * years;
  const state: PlantState = {
    tsMs: startMs,
    localDay,
    clouds: { minute: 0, clearness: 0, nextClearness: 0, passageMinutes: 0, passageShare: 1 },
    inverters: {},
    batteries: {},
    externals: {},
    piles: {},
    heatPump: { isOn: false, sinceMs: 0 },
    loadWh: plant.load.annualKwh * 1000 * years,
    loadTodayWh: 0,
    importWh: 0,
    importTodayWh: 0,
    exportWh: 0,
    exportTodayWh: 0,
  };
  let generatedWh = 0;
  let usedWh = state.loadWh;
  let batteryWh = 0;
  for (const inverter of inverters) {
    const pvWh = kwpOf(inverter) * yieldWh;
    const acWh = pvWh * 0.96;
    generatedWh += acWh;
    state.inverters[inverter.sn] = {
      pvWh,
      pvTodayWh: 0,
      acOutWh: acWh,
      acOutTodayWh: 0,
      acInWh: acWh * TAKEN_OF_GIVEN,
      epsWh: 0,
      operatingHours: years * 4500,
      heatsinkC: 20,
      readyAtMs: 0,
    };
  }
  for (const device of devices) {
    if (device.kind === 'battery') {
      const dischargedWh = device.capacityWh * 215 * years;
      batteryWh += dischargedWh;
      state.batteries[device.sn] = {
        battery: {
          socPercent: 45,
          temperatureC: 20,
          chargedWh: dischargedWh / 0.91,
          dischargedWh,
          ageYears: years,
          isDischargeHeld: false,
        },
        chargeTodayWh: 0,
        dischargeTodayWh: 0,
      };
    } else if (device.kind === 'pile') {
      const energyWh = device.params.sessionsPerWeek * 52 * device.params.sessionKwh * 950 * years;
      usedWh += energyWh;
      state.piles[device.sn] = { energyWh, sessionWh: 0, sessionDay: -1 };
    } else if (device.kind === 'meter' && device.params.array !== undefined) {
      const energyWh = (plant.arrays[device.params.array]?.kwp ?? 0) * yieldWh * 0.96;
      generatedWh += energyWh;
      state.externals[device.sn] = { energyWh, todayWh: 0 };
    }
  }
  const ownWh = Math.min(usedWh * 0.9, generatedWh * 0.9, usedWh * 0.32 + batteryWh);
  state.importWh = usedWh - ownWh;
  state.exportWh = Math.max(0, generatedWh - ownWh - (batteryWh / 0.91 - batteryWh));
  return state;
}

export function kwpOf(inverter: FleetInverter): number {
  return inverter.params.mppts.reduce((sum, { kwp }) => sum + kwp, 0);
}
