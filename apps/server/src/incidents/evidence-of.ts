import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';

/** What shows an alarm, by its code and the kind of its device; a device that lacks a value of these shows the others. */
const TRACKERS = [1, 2, 3, 4].map((tracker) => `DC/Mppt${tracker}/Power`);
const STRINGS = Array.from({ length: 12 }, (_, string) => `DC/String${string + 1}/Current`);
const VOLTAGES = ['AC/L1/Voltage', 'AC/L2/Voltage', 'AC/L3/Voltage', 'AC/ActivePower'];

const ofCode: Readonly<Record<number, readonly string[]>> = {
  1001: VOLTAGES,
  1002: VOLTAGES,
  1003: ['AC/Frequency', 'AC/ActivePower'],
  1004: ['AC/Frequency', 'AC/ActivePower'],
  1005: VOLTAGES,
  1006: ['AC/Frequency', 'AC/L1/Voltage', 'AC/ActivePower'],
  1007: VOLTAGES,
  1009: VOLTAGES,
  1010: ['AC/Frequency', 'AC/ActivePower'],
  1011: VOLTAGES,
  2001: ['DC/InsulationResistance', 'DC/Power'],
  2002: ['DC/LeakageCurrent', 'DC/Power'],
  2004: ['DC/Mppt1/Voltage', 'DC/Mppt2/Voltage', 'DC/Power'],
  2005: [...STRINGS, ...TRACKERS],
  2006: [...STRINGS, ...TRACKERS],
  2007: [...STRINGS, ...TRACKERS],
  2008: [...STRINGS, ...TRACKERS],
  2009: ['DC/BusVoltage', 'DC/Power'],
  3001: ['Temp/Heatsink', 'AC/ActivePower'],
  3002: ['Fan/Speed', 'Temp/Heatsink', 'AC/ActivePower'],
  3003: ['Temp/Heatsink', 'AC/ActivePower'],
  3008: ['Eps/Power', 'Eps/Voltage'],
  4002: ['Bat/CellVoltageMax', 'Bat/CellVoltageMin', 'Bat/Power'],
  4003: ['Bat/CellVoltageMin', 'Bat/Soc', 'Bat/Power'],
  4004: ['Bat/Temperature', 'Bat/CellTempMax', 'Bat/Power'],
  4005: ['Bat/Temperature', 'Bat/CellTempMin', 'Bat/Power'],
  4006: ['Bat/Current', 'Bat/Power'],
  4007: ['Bat/CellVoltageMax', 'Bat/CellVoltageMin', 'Bat/Soc'],
  4010: ['Bat/Soc', 'Bat/Power'],
  4011: ['Bat/Soh', 'Bat/Cycles'],
};

const ofKind: Readonly<Record<AttachedKind, readonly string[]>> = {
  inverter: ['AC/ActivePower', 'DC/Power'],
  battery: ['Bat/Power', 'Bat/Soc'],
  meter: ['Meter/ActivePower'],
  ems: [],
  gateway: [],
  pile: [],
  station: [],
};

/** Points that show what an alarm is about; none where nothing does. */
export const evidenceOf = (code: number, kind: AttachedKind): readonly string[] => ofCode[code] ?? ofKind[kind];

/** Of what a device tells of these what is shown: strings by themselves, where they are told apart. */
export function shownEvidence(told: readonly string[]): readonly string[] {
  const strings = told.filter((name) => STRINGS.includes(name));
  return strings.length > 1 ? strings : told;
}
