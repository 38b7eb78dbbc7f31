import type { DataSet, MetricValue } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import type { FleetDevice, SchedulePeriod, WorkMode } from '../fleet.ts';
import type { Plant } from '../plant/plant.ts';
import { WORK_MODE_NUMBER } from './readings-inverter.ts';
import { emptyTable, isDataSet, SettingsBank, settingNames } from './settings-bank.ts';

/** Column `mode` of `Setting/Schedule`: what the battery is made to do; other numbers leave it to self-use. */
const PERIOD_MODE = { charge: 1, discharge: 2, hold: 3, sun: 4 } as const;
const periodModes = ['charge', 'discharge', 'hold', 'sun'] as const;
const BATTERY_SETTINGS = new Set([
  'Setting/WorkMode',
  'Setting/MinSoc',
  'Setting/BackupSoc',
  'Setting/Schedule',
  'Setting/PricePeriods',
  'Setting/ChargePower',
  'Setting/DischargePower',
  'Setting/GridCharge',
  'Setting/PeakLimit',
]);

/** The settings of a device with their effect on its plant. */
export function deviceSettings(plant: Plant, device: FleetDevice): SettingsBank {
  const hasBattery = device.kind === 'ems' || plant.storages.some((unit) => unit.device.params.inverter === device.sn);
  const initial: Record<string, MetricValue> = {};
  for (const name of settingNames(device.kind)) {
    if (!hasBattery && BATTERY_SETTINGS.has(name)) continue;
    const value = initialValue(plant, device, name);
    if (value !== undefined) initial[name] = value;
  }
  return new SettingsBank(initial, (name, value) => applySetting(plant, device, name, value));
}

/** The settings of the logger itself. `onInterval` hears the new report interval in seconds. */
export function dataloggerSettings(
  plant: Plant,
  intervalS: number,
  onInterval: (seconds: number) => void,
): SettingsBank {
  return new SettingsBank({ 'Clock/TimeZone': plant.plant.timeZone, 'Report/Interval': intervalS }, (name, value) => {
    if (name === 'Report/Interval' && typeof value === 'number') onInterval(value);
  });
}

function initialValue(plant: Plant, device: FleetDevice, name: string): MetricValue | undefined {
  const { settings, workMode } = plant;
  const battery = plant.storages.find((unit) => unit.device.params.inverter === device.sn) ?? plant.storages[0];
  const nominalV = plant.plant.country === 'KR' ? 220 : 230;
  const nominalHz = plant.plant.country === 'KR' ? 60 : 50;
  const plain: Record<string, MetricValue> = {
    'Setting/WorkMode': WORK_MODE_NUMBER[workMode],
    'Setting/MinSoc': settings.minSocPercent,
    'Setting/BackupSoc': settings.backupSocPercent,
    'Setting/Schedule': scheduleTable(settings.schedule),
    'Setting/PricePeriods': emptyTable('Setting/PricePeriods'),
    'Setting/ChargePower': battery?.device.params.maxChargeW ?? 0,
    'Setting/DischargePower': battery?.device.params.maxDischargeW ?? 0,
    'Setting/GridCharge': settings.gridCharge,
    'Setting/ExportLimit': settings.exportLimitW ?? plant.plant.ratedPowerW,
    'Setting/PeakLimit': settings.peakLimitW ?? plant.plant.ratedPowerW,
    'Setting/ActivePowerLimit': 100,
    'Setting/ReactiveMode': 0,
    'Setting/PowerFactor': 1,
    'Setting/GridCode': plant.plant.country === 'DE' ? 'VDE4105' : 'EN50549',
    'Setting/OvUv1': limitTable('Setting/OvUv1', nominalV * 1.1, 3, nominalV * 0.85, 3),
    'Setting/OvUv2': limitTable('Setting/OvUv2', nominalV * 1.25, 0.1, nominalV * 0.45, 0.3),
    'Setting/OfUf1': limitTable('Setting/OfUf1', nominalHz + 1.5, 0.1, nominalHz - 2.5, 0.1),
    'Setting/OfUf2': limitTable('Setting/OfUf2', nominalHz + 2, 0.1, nominalHz - 3, 0.1),
    'Setting/ReconnectDelay': 60,
    'Setting/RampRate': 10,
    'Setting/Afci': true,
    'Setting/IsoLimit': 100,
    'Setting/ParallelMode':
      ['', 'master', 'slave'].indexOf(device.role) < 0 ? 0 : ['', 'master', 'slave'].indexOf(device.role),
    'Setting/MeterInvert': false,
    'Setting/CtRatio': plant.plant.ratedPowerW > 50_000 ? 40 : 1,
    'Setting/EmsDeviceCount': plant.inverters.length,
    'Setting/EmsPort': 502,
    'Setting/StartStop': true,
  };
  return plain[name];
}

function applySetting(plant: Plant, device: FleetDevice, name: string, value: MetricValue): void {
  const { settings } = plant;
  const inverter = plant.inverters.find((unit) => unit.device.sn === device.sn);
  if (typeof value === 'number') {
    if (name === 'Setting/WorkMode') plant.workMode = workModeOf(value) ?? plant.workMode;
    else if (name === 'Setting/MinSoc') settings.minSocPercent = value;
    else if (name === 'Setting/BackupSoc') settings.backupSocPercent = value;
    else if (name === 'Setting/ExportLimit') settings.exportLimitW = value;
    else if (name === 'Setting/PeakLimit') settings.peakLimitW = value;
    else if (name === 'Setting/ActivePowerLimit' && inverter !== undefined) inverter.activePowerLimitPercent = value;
    else if (name === 'Setting/ChargePower') limitStorages(plant, device, 'maxChargeW', value);
    else if (name === 'Setting/DischargePower') limitStorages(plant, device, 'maxDischargeW', value);
  } else if (name === 'Setting/GridCharge' && typeof value === 'boolean') settings.gridCharge = value;
  else if (name === 'Setting/StartStop' && typeof value === 'boolean' && inverter !== undefined) {
    inverter.isSwitchedOn = value;
  } else if (name === 'Setting/Schedule' && isDataSet(value)) settings.schedule = scheduleOf(value);
}

/** Of an inverter its own battery, of an EMS all; never above what the battery can. */
function limitStorages(plant: Plant, device: FleetDevice, limit: 'maxChargeW' | 'maxDischargeW', powerW: number): void {
  for (const unit of plant.storages) {
    if (device.kind !== 'ems' && unit.device.params.inverter !== device.sn) continue;
    unit.model[limit] = Math.min(powerW, unit.device.params[limit]);
  }
}

function workModeOf(number: number): WorkMode | undefined {
  const modes: readonly WorkMode[] = ['self-use', 'feed-in-priority', 'backup', 'battery-support', 'peak-shaving'];
  return modes.find((mode) => WORK_MODE_NUMBER[mode] === number);
}

function scheduleTable(schedule: readonly SchedulePeriod[]): DataSet {
  const table = emptyTable('Setting/Schedule');
  table.rows = schedule.map((period) => {
    const cells: Record<string, number> = {
      start: period.startMin,
      end: period.endMin,
      days: period.days,
      mode: PERIOD_MODE[period.mode],
      powerW: period.powerW,
      minSoc: period.minSocPercent,
      fdSoc: period.fdSocPercent,
    };
    return table.columns.map((column) => cells[column] ?? 0);
  });
  return table;
}

function scheduleOf(table: DataSet): SchedulePeriod[] {
  return table.rows.flatMap((row) => {
    const cell = (name: string) => Number(row[table.columns.indexOf(name)] ?? 0);
    const mode = periodModes.find((name) => PERIOD_MODE[name] === cell('mode'));
    if (mode === undefined) return [];
    return [
      {
        startMin: cell('start'),
        endMin: cell('end'),
        days: cell('days'),
        mode,
        powerW: cell('powerW'),
        minSocPercent: cell('minSoc'),
        fdSocPercent: cell('fdSoc'),
      },
    ];
  });
}

function limitTable(name: string, over: number, overTime: number, under: number, underTime: number): DataSet {
  const table = emptyTable(name);
  const cells: Record<string, number> = { over, overTime, under, underTime };
  table.rows = [table.columns.map((column) => cells[column] ?? 0)];
  return table;
}
