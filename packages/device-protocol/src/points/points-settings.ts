import { DataType } from '../sparkplug/datatypes.ts';
import { parallelModes, reactiveModes, workModes } from './point-enums.ts';
import type { DeviceKind, Setting, SettingColumn, SettingOption, Unit } from './points.ts';

type Details = Pick<Setting, 'low' | 'high' | 'options' | 'columns' | 'maxRows'> & {
  kinds?: readonly DeviceKind[];
  decimals?: number;
};

const { Int32, UInt32, Float, DataSet } = DataType;
const onOff = DataType.Boolean;
const text = DataType.String;

function setting(name: string, unit: Unit, datatype: number, meaning: string, details: Details = {}): Setting {
  const { kinds = ['inverter'], decimals = 0, ...rest } = details;
  const word = name.replace('Setting/', '').replaceAll('/', '');
  return { name, kinds, unit, datatype, labelKey: `points.setting${word}`, decimals, meaning, ...rest };
}

function choices(phrases: Record<number, string>): readonly SettingOption[] {
  return Object.entries(phrases).map(([value, labelKey]) => ({ value: Number(value), labelKey }));
}

function column(name: string, unit: Unit, datatype: number, low: number, high: number): SettingColumn {
  return { name, unit, datatype, low, high };
}

const period = [
  column('start', 'min', Int32, 0, 1_439),
  column('end', 'min', Int32, 1, 1_440),
  column('days', 'bitfield', Int32, 1, 127),
];

const voltageStage = [
  column('over', 'V', Float, 0, 600),
  column('overTime', 's', Float, 0, 600),
  column('under', 'V', Float, 0, 600),
  column('underTime', 's', Float, 0, 600),
];

const frequencyStage = [
  column('over', 'Hz', Float, 40, 70),
  column('overTime', 's', Float, 0, 600),
  column('under', 'Hz', Float, 40, 70),
  column('underTime', 's', Float, 0, 600),
];

const withBattery: readonly DeviceKind[] = ['inverter', 'ems'];

/** The settings of all kinds. */
export const settingList: readonly Setting[] = [
  setting('Setting/WorkMode', 'enum', Int32, 'Work mode', { kinds: withBattery, options: choices(workModes) }),
  setting('Setting/MinSoc', '%', Int32, 'State of charge at which discharging stops', {
    kinds: withBattery,
    low: 10,
    high: 100,
  }),
  setting('Setting/BackupSoc', '%', Int32, 'State of charge kept for a grid loss', {
    kinds: withBattery,
    low: 10,
    high: 100,
  }),
  setting('Setting/Schedule', 'text', DataSet, 'Periods of the battery support mode, in local time of the plant', {
    kinds: withBattery,
    maxRows: 8,
    columns: [
      ...period,
      { name: 'mode', unit: 'enum', datatype: Int32, low: 1, high: 5 },
      column('powerW', 'W', Int32, 0, 6_000),
      column('minSoc', '%', Int32, 10, 100),
      column('fdSoc', '%', Int32, 10, 100),
    ],
  }),
  setting('Setting/PricePeriods', 'text', DataSet, 'Prices of grid energy by period, in local time of the plant', {
    kinds: withBattery,
    maxRows: 8,
    columns: [...period, column('price', 'ct/kWh', Float, -1_000, 1_000)],
  }),
  setting('Setting/ChargePower', 'W', UInt32, 'Highest charge power', { kinds: withBattery, low: 0, high: 5_000_000 }),
  setting('Setting/DischargePower', 'W', UInt32, 'Highest discharge power', {
    kinds: withBattery,
    low: 0,
    high: 5_000_000,
  }),
  setting('Setting/GridCharge', 'bool', onOff, 'The battery may be charged from the grid', { kinds: withBattery }),
  setting('Setting/ExportLimit', 'W', UInt32, 'Highest power fed into the grid', {
    kinds: withBattery,
    low: 0,
    high: 5_000_000,
  }),
  setting('Setting/ActivePowerLimit', '%', Int32, 'Highest active power, of the rating', { low: 0, high: 100 }),
  setting('Setting/ReactiveMode', 'enum', Int32, 'Control of reactive power', { options: choices(reactiveModes) }),
  setting('Setting/PowerFactor', '1', Float, 'Fixed power factor; negative is inductive', {
    low: -1,
    high: 1,
    decimals: 2,
  }),
  setting('Setting/GridCode', 'text', text, 'Rules of the grid operator', {
    options: ['VDE4105', 'EN50549', 'G98', 'G99', 'CEI021', 'TOR-A', 'RD1699', 'NC-RFG'].map((value) => ({ value })),
  }),
  setting('Setting/OvUv1', 'text', DataSet, 'Voltage limits of stage 1', { columns: voltageStage, maxRows: 1 }),
  setting('Setting/OvUv2', 'text', DataSet, 'Voltage limits of stage 2', { columns: voltageStage, maxRows: 1 }),
  setting('Setting/OfUf1', 'text', DataSet, 'Frequency limits of stage 1', { columns: frequencyStage, maxRows: 1 }),
  setting('Setting/OfUf2', 'text', DataSet, 'Frequency limits of stage 2', { columns: frequencyStage, maxRows: 1 }),
  setting('Setting/ReconnectDelay', 's', Int32, 'Time of good grid before the inverter connects', {
    low: 0,
    high: 3_600,
  }),
  setting('Setting/RampRate', '%/min', Float, 'Highest rise of power, of the rating', { low: 0, high: 6_000 }),
  setting('Setting/PeakLimit', 'W', UInt32, 'Grid power kept by peak shaving', {
    kinds: withBattery,
    low: 0,
    high: 5_000_000,
  }),
  setting('Setting/Afci', 'bool', onOff, 'Arc detection switched on'),
  setting('Setting/IsoLimit', 'kOhm', Int32, 'Lowest insulation resistance', { low: 0, high: 2_000 }),
  setting('Setting/ParallelMode', 'enum', Int32, 'Part in a group of parallel inverters', {
    options: choices(parallelModes),
  }),
  setting('Setting/MeterInvert', 'bool', onOff, 'Sign of the meter turned round', {
    kinds: ['inverter', 'meter', 'ems'],
  }),
  setting('Setting/CtRatio', '1', Float, 'Ratio of the current transformers', {
    kinds: ['inverter', 'meter', 'ems'],
    low: 1,
    high: 100_000,
  }),
  setting('Setting/EmsDeviceCount', '1', Int32, 'Devices that the EMS directs', {
    kinds: ['ems'],
    low: 1,
    high: 65_535,
  }),
  setting('Setting/EmsPort', '1', Int32, 'TCP port at which the EMS reaches its devices', {
    kinds: ['ems'],
    low: 1,
    high: 65_535,
  }),
  setting('Setting/StartStop', 'bool', onOff, 'Inverter switched on'),
  setting('Clock/TimeZone', 'text', text, 'Time zone (IANA name)', { kinds: ['logger'] }),
  setting('Report/Interval', 's', Int32, 'Time between two reports', { kinds: ['logger'], low: 10, high: 900 }),
];
