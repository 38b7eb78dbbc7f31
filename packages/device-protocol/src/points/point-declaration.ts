import { DataType } from '../sparkplug/datatypes.ts';
import type { DeviceKind, Point, Unit } from './points.ts';

/** What a row says beyond name, unit and meaning; the rest follows from the unit. */
export interface PointDetails {
  /** How often the name stands, for a name with `{n}`: 1 to `count`. */
  count?: number;
  datatype?: number;
  decimals?: number;
  steps?: number;
  sign?: string;
  accumulates?: 'lifetime' | 'today';
  enum?: Record<number, string>;
  low?: number;
  high?: number;
}

/** One row of the catalogue. `{n}` in the name stands for a number. */
export type PointRow = readonly [name: string, unit: Unit, meaning: string, details?: PointDetails];

interface UnitDefault {
  datatype: number;
  decimals: number;
  steps: number;
  low?: number;
  high?: number;
}

/** `steps` is how values are stored: where it changed, what was stored before would be read wrongly. */
const defaults: Record<Unit, UnitDefault> = {
  W: { datatype: DataType.Float, decimals: 0, steps: 10, low: -5_000_000, high: 5_000_000 },
  var: { datatype: DataType.Float, decimals: 0, steps: 10, low: -5_000_000, high: 5_000_000 },
  VA: { datatype: DataType.Float, decimals: 0, steps: 10, low: 0, high: 5_000_000 },
  V: { datatype: DataType.Float, decimals: 1, steps: 10, low: 0, high: 2_000 },
  A: { datatype: DataType.Float, decimals: 1, steps: 100, low: -5_000, high: 5_000 },
  mA: { datatype: DataType.Float, decimals: 0, steps: 10, low: 0, high: 10_000 },
  Hz: { datatype: DataType.Float, decimals: 2, steps: 100, low: 0, high: 70 },
  kOhm: { datatype: DataType.Float, decimals: 0, steps: 10, low: 0, high: 100_000 },
  kWh: { datatype: DataType.Double, decimals: 1, steps: 1_000, low: 0, high: 1e9 },
  '%': { datatype: DataType.Float, decimals: 0, steps: 10, low: 0, high: 100 },
  degC: { datatype: DataType.Float, decimals: 1, steps: 10, low: -60, high: 200 },
  rpm: { datatype: DataType.Float, decimals: 0, steps: 1, low: 0, high: 30_000 },
  h: { datatype: DataType.Double, decimals: 0, steps: 10, low: 0, high: 1_000_000 },
  s: { datatype: DataType.UInt32, decimals: 0, steps: 1, low: 0, high: 4_294_967_295 },
  dBm: { datatype: DataType.Int32, decimals: 0, steps: 1, low: -150, high: 0 },
  kB: { datatype: DataType.UInt32, decimals: 0, steps: 1, low: 0, high: 4_294_967_295 },
  'ct/kWh': { datatype: DataType.Float, decimals: 2, steps: 100, low: -1_000, high: 1_000 },
  'W/m2': { datatype: DataType.Float, decimals: 0, steps: 10, low: -20, high: 2_000 },
  'm/s': { datatype: DataType.Float, decimals: 1, steps: 10, low: 0, high: 100 },
  min: { datatype: DataType.Int32, decimals: 0, steps: 1, low: 0, high: 1_440 },
  '%/min': { datatype: DataType.Float, decimals: 0, steps: 10, low: 0, high: 6_000 },
  '1': { datatype: DataType.Float, decimals: 0, steps: 1_000 },
  bool: { datatype: DataType.Boolean, decimals: 0, steps: 1 },
  enum: { datatype: DataType.Int32, decimals: 0, steps: 1, low: 0, high: 65_535 },
  bitfield: { datatype: DataType.UInt32, decimals: 0, steps: 1, low: 0, high: 4_294_967_295 },
  text: { datatype: DataType.String, decimals: 0, steps: 1 },
};

/** Makes the points of a kind from its rows, repeated names expanded in the order of their numbers. */
export function declarePoints(kind: DeviceKind, rows: readonly PointRow[]): readonly Point[] {
  return rows.flatMap((row) => {
    const count = row[3]?.count;
    if (count === undefined) return [point(kind, row, row[0])];
    return Array.from({ length: count }, (_, index) =>
      point(kind, row, row[0].replace('{n}', `${index + 1}`), index + 1),
    );
  });
}

function point(kind: DeviceKind, row: PointRow, name: string, index?: number): Point {
  const [pattern, unit, meaning, details = {}] = row;
  const standard = defaults[unit];
  const low = details.low ?? standard.low;
  const high = details.high ?? standard.high;
  return {
    name,
    kind,
    unit,
    datatype: details.datatype ?? standard.datatype,
    accumulates: details.accumulates ?? false,
    labelKey: `points.${camelCase(pattern.replace('{n}', ''))}`,
    decimals: details.decimals ?? standard.decimals,
    steps: details.steps ?? standard.steps,
    meaning: index === undefined ? meaning : meaning.replace('{n}', `${index}`),
    ...(index === undefined ? {} : { index }),
    ...(details.sign === undefined ? {} : { sign: details.sign }),
    ...(details.enum === undefined ? {} : { enum: details.enum }),
    ...(low === undefined ? {} : { low }),
    ...(high === undefined ? {} : { high }),
  };
}

/** `AC/L12/Voltage` becomes `acL12Voltage`. */
export function camelCase(name: string): string {
  return name
    .split('/')
    .map((part, index) => (index === 0 ? lowerFirst(part) : part))
    .join('');
}

function lowerFirst(part: string): string {
  return part === part.toUpperCase() ? part.toLowerCase() : part.charAt(0).toLowerCase() + part.slice(1);
}
