import type { FleetDatalogger, FleetDevice, WorkMode } from '../fleet.ts';
import { uniformAt } from '../plant/noise.ts';
import type { Plant } from '../plant/plant.ts';
import { readBattery } from './readings-battery.ts';
import { readInverter } from './readings-inverter.ts';

/** As an EMS unit calls them. */
const strategyNames: Readonly<Record<WorkMode, string>> = {
  'self-use': 'Self-use',
  'feed-in-priority': 'Feed-in priority',
  backup: 'Backup',
  'battery-support': 'Battery support',
  'peak-shaving': 'Peak shaving',
};

export type ReadingValue = number | boolean | string;
export type Reading = Record<string, ReadingValue>;

const KWH = 1000;
const SIGNAL_STREAM = 61;

/** All points of a device as they are now, by name. Constant in its keys for the life of the device. */
export function readDevice(plant: Plant, device: FleetDevice): Reading {
  switch (device.kind) {
    case 'inverter':
      return readInverter(plant, device);
    case 'battery':
      return readBattery(plant, device);
    case 'meter':
      return device.role === 'grid' ? gridMeter(plant, device.sn) : otherMeter(plant, device.sn);
    case 'pile':
      return charger(plant, device.sn);
    case 'gateway':
      return {
        'Gw/Relay1': plant.heatPumpW > 0,
        'Gw/Relay2': plant.isSurplusOffered,
        'Gw/SgReadyState': plant.isSurplusOffered ? 3 : 2,
        'Gw/DryContact': false,
        'Gw/HeatPumpPower': plant.heatPumpW,
      };
    case 'ems':
      return {
        'Ems/PlantPv': plant.powers.pvW,
        'Ems/PlantBattery': plant.powers.batteryW,
        'Ems/PlantGrid': plant.powers.gridW,
        'Ems/PlantLoad': plant.powers.loadW,
        'Ems/ExportLimit': plant.settings.exportLimitW ?? plant.plant.ratedPowerW,
        'Ems/PeakLimit': plant.settings.peakLimitW ?? 0,
        'Ems/DeviceCount': deviceCount(plant) - 1,
        'Ems/DevicesOnline': deviceCount(plant) - 1 - lostDevices(plant),
        'Ems/Strategy': strategyNames[plant.workMode],
        'Ems/PriceNow': Number(plant.plant.purchasePrice) * 100,
      };
    case 'station':
      return {
        'Env/Irradiance': plant.planes[0]?.planeWm2 ?? 0,
        'Env/ModuleTemp': plant.planes[0]?.moduleC ?? plant.conditions.ambientC,
        'Env/AmbientTemp': plant.conditions.ambientC,
        'Env/WindSpeed': plant.conditions.windMs,
      };
  }
}

/** Points that say something of the device rather than of the moment: only in births. */
export const BIRTH_ONLY: ReadonlySet<string> = new Set([
  'Rating/ActivePower',
  'Rating/MpptCount',
  'Bat/Capacity',
  'Bat/PackCount',
  'Bat/BmsFirmware',
  'Bat/ChargeVoltageLimit',
  'Bat/DischargeVoltageLimit',
  'Meter/CtRatio',
  'Ems/Strategy',
  'Ems/DeviceCount',
  'Pile/ErrorCode',
]);

/** Points that a logger leaves out of its store to make it last: they follow from others. */
export const NOT_STORED: ReadonlySet<string> = new Set([
  ...BIRTH_ONLY,
  'AC/ApparentPower',
  'AC/PowerFactor',
  'AC/L12/Voltage',
  'AC/L23/Voltage',
  'AC/L31/Voltage',
  'AC/L1/Power',
  'AC/L2/Power',
  'AC/L3/Power',
  'DC/BusVoltage',
  'DC/LeakageCurrent',
  'Temp/Ambient',
  'Temp/Boost',
  'Fan/Speed',
  'Arc/SignalStrength',
  'Eps/Voltage',
  'Eps/Current',
  'Eps/Frequency',
  'Bat/CellIndexVmax',
  'Bat/CellIndexVmin',
  'Bat/Relay',
  'Bat/BmsFault',
  'Meter/L1/Power',
  'Meter/L2/Power',
  'Meter/L3/Power',
  'Meter/PowerFactor',
  'Meter/Frequency',
]);

/** Points that a logger keeps for long: what energy is accounted of, and what tells how a plant ages. */
export const ARCHIVED: ReadonlySet<string> = new Set([
  'AC/ActivePower',
  'DC/Power',
  'Load/Power',
  'Energy/PvTotal',
  'Energy/AcOutTotal',
  'Energy/AcInTotal',
  'Energy/LoadTotal',
  'Temp/Heatsink',
  'Bat/Power',
  'Bat/Soc',
  'Bat/ChargeTotal',
  'Bat/DischargeTotal',
  'Meter/ActivePower',
  'Meter/ImportTotal',
  'Meter/ExportTotal',
  'Pile/Power',
  'Pile/EnergyTotal',
  'Env/Irradiance',
  'Env/ModuleTemp',
  'Env/AmbientTemp',
]);

function gridMeter(plant: Plant, sn: string): Reading {
  const { state, powers, grid, tsMs } = plant;
  const isReversed = plant.faults.has(sn, 'meter-ct-reversed', tsMs);
  return meterReading(plant, isReversed ? -powers.gridW : powers.gridW, grid.voltageV, {
    'Meter/ImportToday': state.importTodayWh / KWH,
    'Meter/ImportTotal': state.importWh / KWH,
    'Meter/ExportToday': state.exportTodayWh / KWH,
    'Meter/ExportTotal': state.exportWh / KWH,
  });
}

/** A meter at other generation counts what is generated as export: its power is negative by day. */
function otherMeter(plant: Plant, sn: string): Reading {
  const powerW = plant.externals.find((unit) => unit.device.sn === sn)?.powerW ?? 0;
  const state = plant.state.externals[sn];
  return meterReading(plant, -powerW, plant.grid.voltageV, {
    'Meter/ImportToday': 0,
    'Meter/ImportTotal': 0,
    'Meter/ExportToday': (state?.todayWh ?? 0) / KWH,
    'Meter/ExportTotal': (state?.energyWh ?? 0) / KWH,
  });
}

function meterReading(plant: Plant, powerW: number, voltageV: number, energies: Reading): Reading {
  const phases = plant.inverters[0]?.device.params.phases ?? 1;
  const reading: Reading = { 'Meter/ActivePower': powerW };
  for (let phase = 1; phase <= phases; phase += 1) {
    const phaseV = plant.grid.isPresent ? voltageV + (phase - 2) * 0.7 : 0;
    // Loads never stand evenly on the three phases.
    const share = phases === 1 ? 1 : [0.41, 0.32, 0.27][phase - 1];
    const phaseW = powerW * (share ?? 0);
    reading[`Meter/L${phase}/Power`] = phaseW;
    reading[`Meter/L${phase}/Voltage`] = phaseV;
    reading[`Meter/L${phase}/Current`] = phaseV > 0 ? Math.abs(phaseW) / phaseV : 0;
  }
  const reactiveVar = 40 + 0.03 * Math.abs(powerW);
  reading['Meter/ReactivePower'] = reactiveVar;
  reading['Meter/PowerFactor'] = Math.abs(powerW) / Math.hypot(powerW, reactiveVar);
  reading['Meter/Frequency'] = plant.grid.isPresent ? plant.grid.frequencyHz : 0;
  reading['Meter/CtRatio'] = plant.plant.ratedPowerW > 50_000 ? 40 : 1;
  return Object.assign(reading, energies);
}

const CHARGER_STATUS = { available: 1, charging: 3, finishing: 6, faulted: 9 } as const;

function charger(plant: Plant, sn: string): Reading {
  const unit = plant.chargers.find((each) => each.device.sn === sn);
  const state = plant.state.piles[sn];
  const isFaulted = plant.faults.has(sn, 'pile-fault', plant.tsMs);
  const powerW = unit?.powerW ?? 0;
  let status: number = CHARGER_STATUS.available;
  if (isFaulted) status = CHARGER_STATUS.faulted;
  else if (powerW > 0) status = CHARGER_STATUS.charging;
  else if (unit?.isPlugged === true) status = CHARGER_STATUS.finishing;
  const voltageV = plant.grid.isPresent ? plant.grid.voltageV : 0;
  const phases = 3;
  return {
    'Pile/Status': status,
    'Pile/Power': powerW,
    'Pile/Voltage': voltageV,
    'Pile/Current': voltageV > 0 ? powerW / voltageV / phases : 0,
    'Pile/SessionEnergy': (state?.sessionWh ?? 0) / KWH,
    'Pile/EnergyTotal': (state?.energyWh ?? 0) / KWH,
    'Pile/OfferedCurrent': (unit?.device.ratedPowerW ?? 0) / 230 / phases,
    'Pile/VehicleSoc': unit?.isPlugged === true ? unit.vehicleSocPercent : 0,
    'Pile/ErrorCode': isFaulted ? 'GroundFailure' : 'NoError',
  };
}

export interface DataloggerHealth {
  startedMs: number;
  reconnects: number;
  pending: number;
}

/** Points of the logger itself. */
export function readDatalogger(
  plant: Plant,
  datalogger: FleetDatalogger,
  tsMs: number,
  health: DataloggerHealth,
): Reading {
  const wobble = uniformAt(plant.plant.seed, SIGNAL_STREAM, Math.floor(tsMs / 60_000));
  const isWeak = plant.faults.has(datalogger.sn, 'weak-signal', tsMs);
  const serial = Number(datalogger.sn.slice(-3));
  const reading: Reading = {
    'Net/Ip': `192.168.${serial % 200}.${20 + (serial % 180)}`,
    'Net/Reconnects': health.reconnects,
    'Buffer/Pending': health.pending,
    'Sys/Uptime': Math.max(0, Math.round((tsMs - health.startedMs) / 1000)),
    'Sys/FreeMemory': 41_000 + Math.round(wobble * 3000),
    'Sys/CpuTemp': 38 + wobble * 4,
    'Sys/Rs485Errors': Math.floor(tsMs / 86_400_000) % 7,
    'Sys/SupplyVoltage': 5.02 + wobble * 0.05,
  };
  if (datalogger.type !== 'LAN') reading['Net/Rssi'] = Math.round((isWeak ? -93 : -58 - (serial % 14)) - wobble * 5);
  if (datalogger.type === '4G') reading['Net/Iccid'] = `8949${datalogger.sn}`;
  return reading;
}

/** Whether a device does not answer its logger. */
export function isLost(plant: Plant, device: FleetDevice, tsMs: number): boolean {
  if (device.kind === 'battery') return plant.faults.has(device.sn, 'bms-lost', tsMs);
  return device.kind === 'meter' && plant.faults.has(device.sn, 'meter-lost', tsMs);
}

function deviceCount(plant: Plant): number {
  return plant.plant.loggers.reduce((sum, datalogger) => sum + datalogger.devices.length, 0);
}

function lostDevices(plant: Plant): number {
  return plant.plant.loggers.reduce(
    (sum, datalogger) => sum + datalogger.devices.filter((device) => isLost(plant, device, plant.tsMs)).length,
    0,
  );
}
