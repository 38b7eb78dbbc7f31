import { DataType } from '../sparkplug/datatypes.ts';
import { declarePoints, type PointRow } from './point-declaration.ts';
import { sgReadyStates } from './point-enums.ts';

const count = { datatype: DataType.Int32, low: 0, high: 65_535 };

const rows: readonly PointRow[] = [
  ['Ems/PlantPv', 'W', 'PV power of the whole plant', { sign: 'generated' }],
  ['Ems/PlantBattery', 'W', 'Battery power of the whole plant', { sign: 'discharge' }],
  ['Ems/PlantGrid', 'W', 'Grid power of the whole plant', { sign: 'import' }],
  ['Ems/PlantLoad', 'W', 'Load of the whole plant', { sign: 'consumed' }],
  ['Ems/ExportLimit', 'W', 'Export limit in force', { low: 0 }],
  ['Ems/PeakLimit', 'W', 'Limit of the grid power for peak shaving', { low: 0 }],
  ['Ems/DeviceCount', '1', 'Number of devices under control', count],
  ['Ems/DevicesOnline', '1', 'Number of those devices that answer', count],
  ['Ems/Strategy', 'text', 'Name of the strategy in force'],
  ['Ems/PriceNow', 'ct/kWh', 'Price of grid energy now'],
  ['Gw/Relay{n}', 'bool', 'Relay {n} closed', { count: 2 }],
  ['Gw/SgReadyState', 'enum', 'SG-Ready state given to the heat pump', { enum: sgReadyStates }],
  ['Gw/DryContact', 'bool', 'Dry contact input closed'],
  ['Gw/HeatPumpPower', 'W', 'Power of the heat pump', { sign: 'consumed' }],
];

/** Points of an EMS unit. */
export const emsPoints = declarePoints('ems', rows);

/** Points of a smart gateway: the same as those of an EMS unit. */
export const gatewayPoints = declarePoints('gateway', rows);
