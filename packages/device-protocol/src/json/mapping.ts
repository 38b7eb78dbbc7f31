import type { DeviceKind } from '../points/points.ts';

/** How a metric of a third party becomes a point of ours: value times `scale` times `sign`. */
export interface MetricMapping {
  from: string;
  kind: DeviceKind;
  to: string;
  /** Factor from the sender's unit to ours, 0.001 from Wh to kWh. */
  scale: number;
  sign: 1 | -1;
}

/** A mapping table by the sender's names. */
export type MappingTable = ReadonlyMap<string, MetricMapping>;

/** Makes a table; of two rows with the same name the later one counts. */
export function mappingTable(rows: readonly MetricMapping[]): MappingTable {
  return new Map(rows.map((row) => [row.from, row]));
}

/** Name, kind and value of the point that `name` stands for; undefined for a name that the table does not know. */
export function mapMetric(
  table: MappingTable,
  name: string,
  value: number | boolean | string,
): { kind: DeviceKind; name: string; value: number | boolean | string } | undefined {
  const row = table.get(name);
  if (row === undefined) return undefined;
  const mapped = typeof value === 'number' ? value * row.scale * row.sign : value;
  return { kind: row.kind, name: row.to, value: Object.is(mapped, -0) ? 0 : mapped };
}

type Row = readonly [from: string, to: string, scale?: number, sign?: 1 | -1];

function table(kind: DeviceKind, rows: readonly Row[]): MappingTable {
  return mappingTable(rows.map(([from, to, scale = 1, sign = 1]) => ({ from, kind, to, scale, sign })));
}

const trackers: readonly Row[] = [1, 2, 3, 4].flatMap((n): Row[] => [
  [`${n}_DCV`, `DC/Mppt${n}/Voltage`],
  [`${n}_DCA`, `DC/Mppt${n}/Current`],
  [`${n}_DCW`, `DC/Mppt${n}/Power`],
]);

/** Point names of the SunSpec inverter models 101-103, 111-113 and 160 (`{n}_DCV` is module n), values with their scale factors applied. */
export const sunspecInverterMapping: MappingTable = table('inverter', [
  ['W', 'AC/ActivePower'],
  ['VAr', 'AC/ReactivePower'],
  ['VA', 'AC/ApparentPower'],
  ['PF', 'AC/PowerFactor', 0.01],
  ['Hz', 'AC/Frequency'],
  ['PhVphA', 'AC/L1/Voltage'],
  ['PhVphB', 'AC/L2/Voltage'],
  ['PhVphC', 'AC/L3/Voltage'],
  ['PPVphAB', 'AC/L12/Voltage'],
  ['PPVphBC', 'AC/L23/Voltage'],
  ['PPVphCA', 'AC/L31/Voltage'],
  ['AphA', 'AC/L1/Current'],
  ['AphB', 'AC/L2/Current'],
  ['AphC', 'AC/L3/Current'],
  ['WH', 'Energy/AcOutTotal', 0.001],
  ['DCW', 'DC/Power'],
  ['TmpCab', 'Temp/Ambient'],
  ['TmpSnk', 'Temp/Heatsink'],
  ['St', 'State/Run'],
  ['WRtg', 'Rating/ActivePower'],
  ...trackers,
]);

/** Point names of the SunSpec battery models 713 and 802; 802 counts discharge positive as we do. */
export const sunspecBatteryMapping: MappingTable = table('battery', [
  ['SoC', 'Bat/Soc'],
  ['SoH', 'Bat/Soh'],
  ['V', 'Bat/Voltage'],
  ['A', 'Bat/Current'],
  ['W', 'Bat/Power'],
  ['WHRtg', 'Bat/Capacity', 0.001],
  ['WHAvail', 'Bat/RemainingEnergy', 0.001],
  ['NCyc', 'Bat/Cycles'],
  ['CellVMax', 'Bat/CellVoltageMax'],
  ['CellVMin', 'Bat/CellVoltageMin'],
  ['CellTmpMax', 'Bat/CellTempMax'],
  ['CellTmpMin', 'Bat/CellTempMin'],
  ['AChaMax', 'Bat/ChargeLimit'],
  ['ADisChaMax', 'Bat/DischargeLimit'],
]);

/** Point names of the SunSpec meter models 201-204. Vendors disagree on the sign: `invert` turns the powers round. */
export function sunspecMeterMapping(invert: boolean): MappingTable {
  const sign = invert ? -1 : 1;
  return table('meter', [
    ['W', 'Meter/ActivePower', 1, sign],
    ['WphA', 'Meter/L1/Power', 1, sign],
    ['WphB', 'Meter/L2/Power', 1, sign],
    ['WphC', 'Meter/L3/Power', 1, sign],
    ['PhVphA', 'Meter/L1/Voltage'],
    ['PhVphB', 'Meter/L2/Voltage'],
    ['PhVphC', 'Meter/L3/Voltage'],
    ['AphA', 'Meter/L1/Current'],
    ['AphB', 'Meter/L2/Current'],
    ['AphC', 'Meter/L3/Current'],
    ['VAR', 'Meter/ReactivePower', 1, sign],
    ['PF', 'Meter/PowerFactor', 0.01],
    ['Hz', 'Meter/Frequency'],
    ['TotWhImp', invert ? 'Meter/ExportTotal' : 'Meter/ImportTotal', 0.001],
    ['TotWhExp', invert ? 'Meter/ImportTotal' : 'Meter/ExportTotal', 0.001],
  ]);
}
