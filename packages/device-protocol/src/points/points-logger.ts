import { DataType } from '../sparkplug/datatypes.ts';
import { declarePoints } from './point-declaration.ts';

const count = { datatype: DataType.UInt32, low: 0, high: 4_294_967_295 };

/** Points of a datalogger. */
export const dataloggerPoints = declarePoints('logger', [
  ['Net/Rssi', 'dBm', 'Strength of the radio signal'],
  ['Net/Ip', 'text', 'Address in its network'],
  ['Net/Iccid', 'text', 'Number of the SIM card'],
  ['Net/Reconnects', '1', 'Connections since start', count],
  ['Buffer/Pending', '1', 'Samples that wait to be sent', count],
  ['Sys/Uptime', 's', 'Time since start'],
  ['Sys/FreeMemory', 'kB', 'Free memory'],
  ['Sys/CpuTemp', 'degC', 'Temperature of the processor'],
  ['Sys/Rs485Errors', '1', 'Errors on the RS-485 bus since start', count],
  ['Sys/SupplyVoltage', 'V', 'Supply voltage', { decimals: 2, steps: 100, high: 100 }],
]);
