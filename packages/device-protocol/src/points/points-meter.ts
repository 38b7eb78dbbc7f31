import { declarePoints } from './point-declaration.ts';

/** Points of a meter at the grid connection. Powers are positive while the site imports. */
export const meterPoints = declarePoints('meter', [
  ['Meter/ActivePower', 'W', 'Active power at the grid connection', { sign: 'import' }],
  ['Meter/L{n}/Power', 'W', 'Active power of phase L{n}', { count: 3, sign: 'import' }],
  ['Meter/L{n}/Voltage', 'V', 'Voltage of phase L{n} to neutral', { count: 3 }],
  ['Meter/L{n}/Current', 'A', 'Current of phase L{n}', { count: 3 }],
  ['Meter/ReactivePower', 'var', 'Reactive power at the grid connection', { sign: 'inductive import' }],
  ['Meter/PowerFactor', '1', 'Power factor at the grid connection', { decimals: 2, low: -1, high: 1 }],
  ['Meter/Frequency', 'Hz', 'Grid frequency'],
  ['Meter/ImportToday', 'kWh', 'Energy imported since local midnight', { accumulates: 'today' }],
  ['Meter/ImportTotal', 'kWh', 'Energy imported since commissioning', { accumulates: 'lifetime' }],
  ['Meter/ExportToday', 'kWh', 'Energy exported since local midnight', { accumulates: 'today' }],
  ['Meter/ExportTotal', 'kWh', 'Energy exported since commissioning', { accumulates: 'lifetime' }],
  ['Meter/CtRatio', '1', 'Ratio of the current transformers', { low: 0, high: 100_000 }],
]);
