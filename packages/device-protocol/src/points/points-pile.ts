import { declarePoints } from './point-declaration.ts';
import { pileStates } from './point-enums.ts';

/** Points of a charging pile. */
export const pilePoints = declarePoints('pile', [
  ['Pile/Status', 'enum', 'State of the connector', { enum: pileStates }],
  ['Pile/Power', 'W', 'Charging power', { sign: 'into the vehicle' }],
  ['Pile/Voltage', 'V', 'Voltage of the connector'],
  ['Pile/Current', 'A', 'Current into the vehicle'],
  ['Pile/SessionEnergy', 'kWh', 'Energy of the running session', { decimals: 2, high: 10_000 }],
  ['Pile/EnergyTotal', 'kWh', 'Energy since commissioning', { accumulates: 'lifetime' }],
  ['Pile/OfferedCurrent', 'A', 'Current that the vehicle may draw', { low: 0 }],
  ['Pile/VehicleSoc', '%', 'State of charge of the vehicle'],
  ['Pile/ErrorCode', 'text', 'Error code of OCPP'],
]);
