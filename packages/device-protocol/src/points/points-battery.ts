import { DataType } from '../sparkplug/datatypes.ts';
import { declarePoints } from './point-declaration.ts';
import { batteryStates } from './point-enums.ts';

const index = { datatype: DataType.Int32, low: 0, high: 10_000 };

/** Points of a battery. Power and current are positive while it discharges. */
export const batteryPoints = declarePoints('battery', [
  ['Bat/Voltage', 'V', 'Voltage at the terminals'],
  ['Bat/Current', 'A', 'Current at the terminals', { sign: 'discharge' }],
  ['Bat/Power', 'W', 'Power at the terminals', { sign: 'discharge' }],
  ['Bat/Soc', '%', 'State of charge'],
  ['Bat/Soh', '%', 'State of health'],
  ['Bat/Capacity', 'kWh', 'Usable capacity', { high: 1_000_000 }],
  ['Bat/RemainingEnergy', 'kWh', 'Energy stored now', { high: 1_000_000 }],
  ['Bat/Temperature', 'degC', 'Mean temperature of the cells'],
  ['Bat/CellVoltageMax', 'V', 'Highest voltage of a cell', { decimals: 3, steps: 1_000, high: 10 }],
  ['Bat/CellVoltageMin', 'V', 'Lowest voltage of a cell', { decimals: 3, steps: 1_000, high: 10 }],
  ['Bat/CellTempMax', 'degC', 'Highest temperature of a cell'],
  ['Bat/CellTempMin', 'degC', 'Lowest temperature of a cell'],
  ['Bat/CellIndexVmax', '1', 'Number of the cell with the highest voltage', index],
  ['Bat/CellIndexVmin', '1', 'Number of the cell with the lowest voltage', index],
  ['Bat/ChargeLimit', 'A', 'Charge current that the battery allows', { low: 0 }],
  ['Bat/DischargeLimit', 'A', 'Discharge current that the battery allows', { low: 0 }],
  ['Bat/ChargeVoltageLimit', 'V', 'Voltage at which charging ends'],
  ['Bat/DischargeVoltageLimit', 'V', 'Voltage at which discharging ends'],
  ['Bat/Cycles', '1', 'Full cycles since commissioning', { accumulates: 'lifetime', low: 0, high: 1_000_000 }],
  ['Bat/State', 'enum', 'State of the battery', { enum: batteryStates }],
  ['Bat/ChargeToday', 'kWh', 'Energy charged since local midnight', { accumulates: 'today' }],
  ['Bat/ChargeTotal', 'kWh', 'Energy charged since commissioning', { accumulates: 'lifetime' }],
  ['Bat/DischargeToday', 'kWh', 'Energy discharged since local midnight', { accumulates: 'today' }],
  ['Bat/DischargeTotal', 'kWh', 'Energy discharged since commissioning', { accumulates: 'lifetime' }],
  ['Bat/PackCount', '1', 'Number of packs', index],
  ['Bat/Pack{n}/Voltage', 'V', 'Voltage of pack {n}', { count: 8 }],
  ['Bat/Pack{n}/Soc', '%', 'State of charge of pack {n}', { count: 8 }],
  ['Bat/BmsFirmware', 'text', 'Firmware version of the battery management'],
  ['Bat/BmsFault', 'bitfield', 'Fault bits of the battery management'],
  ['Bat/Relay', 'bool', 'Battery relay closed'],
]);
