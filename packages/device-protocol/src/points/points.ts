import { labelsEn } from './point-labels.ts';
import { batteryPoints } from './points-battery.ts';
import { inverterPoints } from './points-inverter.ts';
import { dataloggerPoints } from './points-logger.ts';
import { meterPoints } from './points-meter.ts';
import { pilePoints } from './points-pile.ts';
import { emsPoints, gatewayPoints } from './points-plant-control.ts';
import { settingList } from './points-settings.ts';
import { stationPoints } from './points-station.ts';

/** All kinds of devices (`pile` is a charging pile, `station` a weather station with `Env/...`), in the order in which a plant's devices are listed. */
export const deviceKinds = ['inverter', 'battery', 'meter', 'ems', 'gateway', 'pile', 'logger', 'station'] as const;
export type DeviceKind = (typeof deviceKinds)[number];

/** What is attached to a datalogger. */
export type AttachedKind = Exclude<DeviceKind, 'logger'>;
export const attachedKinds: readonly AttachedKind[] = deviceKinds.filter((kind) => kind !== 'logger');

/** Units of points and settings. `1` is a plain number; `bool`, `enum`, `bitfield` and `text` are no quantities. */
export type Unit =
  | 'W'
  | 'var'
  | 'VA'
  | 'V'
  | 'A'
  | 'mA'
  | 'Hz'
  | 'kOhm'
  | 'kWh'
  | '%'
  | 'degC'
  | 'rpm'
  | 'h'
  | 's'
  | 'min'
  | 'dBm'
  | 'kB'
  | 'ct/kWh'
  | 'W/m2'
  | 'm/s'
  | '%/min'
  | '1'
  | 'bool'
  | 'enum'
  | 'bitfield'
  | 'text';

/** One measured point of a kind of device. */
export interface Point {
  /** Name in the protocol, such as `AC/ActivePower`. */
  name: string;
  kind: DeviceKind;
  unit: Unit;
  /** A number of `DataType`. */
  datatype: number;
  /** What a positive value means, for quantities with a direction. */
  sign?: string;
  /** Counters: since commissioning, or since local midnight. */
  accumulates: false | 'lifetime' | 'today';
  /** Phrase key by value. */
  enum?: Record<number, string>;
  /** Phrase key; repeated points share one that takes `n`. */
  labelKey: string;
  /** Number of a repeated point, 1 for `DC/Mppt1/Voltage`. */
  index?: number;
  decimals: number;
  /** How many of the smallest steps that devices tell make up one of the unit: 10 for tenths. */
  steps: number;
  meaning: string;
  /** Plausible range, in the unit. */
  low?: number;
  high?: number;
}

/** The catalogue of points by kind of device. */
export const pointsOf: Record<DeviceKind, readonly Point[]> = {
  inverter: inverterPoints,
  battery: batteryPoints,
  meter: meterPoints,
  ems: emsPoints,
  gateway: gatewayPoints,
  pile: pilePoints,
  logger: dataloggerPoints,
  station: stationPoints,
};

/** One choice of a setting. Without `labelKey` the value is its own name. */
export interface SettingOption {
  value: number | string;
  labelKey?: string;
}

/** A column of a setting that is a table. */
export interface SettingColumn {
  name: string;
  unit: Unit;
  datatype: number;
  low?: number;
  high?: number;
}

/** A setting that can be written by a command. */
export interface Setting {
  /** Name in the protocol, such as `Setting/MinSoc`. */
  name: string;
  /** Kinds of devices that have it. */
  kinds: readonly DeviceKind[];
  unit: Unit;
  datatype: number;
  labelKey: string;
  decimals: number;
  meaning: string;
  low?: number;
  high?: number;
  options?: readonly SettingOption[];
  /** Columns of a DataSet, and how many rows it may have. */
  columns?: readonly SettingColumn[];
  maxRows?: number;
}

/** The settings that can be written. */
export const settings: readonly Setting[] = settingList;

const settingsByName: ReadonlyMap<string, Setting> = new Map(settings.map((setting) => [setting.name, setting]));

/** The setting of a name, undefined for an unknown one. */
export function settingByName(name: string): Setting | undefined {
  return settingsByName.get(name);
}

/** English text of every label key of points, settings and their values; `{{n}}` stands for the number of a repeated point. */
export const pointLabelsEn: Readonly<Record<string, string>> = labelsEn;

const byName: ReadonlyMap<string, ReadonlyMap<string, Point>> = new Map(
  deviceKinds.map((kind) => [kind, new Map(pointsOf[kind].map((point) => [point.name, point]))]),
);

const anyByName: ReadonlyMap<string, Point> = new Map(
  deviceKinds.flatMap((kind) => pointsOf[kind].map((point) => [point.name, point])),
);

/** The point of a kind, undefined for a name that the catalogue does not know. */
export function pointByName(kind: DeviceKind, name: string): Point | undefined {
  return byName.get(kind)?.get(name);
}

const placeByName: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map(
  deviceKinds.map((kind) => [kind, new Map(pointsOf[kind].map((point, place) => [point.name, place]))]),
);

/** Where the catalogue has a point of a kind: it tells them in the order of their meaning. What it does not know comes last. */
export function placeOfPoint(kind: DeviceKind, name: string): number {
  return placeByName.get(kind)?.get(name) ?? Number.MAX_SAFE_INTEGER;
}

const ONE_WAY: readonly (string | undefined)[] = ['generated', 'consumed', 'into the vehicle'];

/**
 * A value as it is shown: powers that flow one way only are never negative. What is read below 0 is the noise of a sensor, or what
 * a sleeping inverter takes for itself; that is told at its AC terminals.
 */
export function shownValue<T>(point: Pick<Point, 'unit' | 'sign'> | undefined, value: T): T | 0 {
  return typeof value === 'number' && value < 0 && point?.unit === 'W' && ONE_WAY.includes(point.sign) ? 0 : value;
}

/** Phrase key of a point's label, with `n` for the placeholder of a repeated one; undefined for an unknown name. */
export function pointLabelKey(name: string): { key: string; n?: number } | undefined {
  const point = anyByName.get(name);
  if (point === undefined) return undefined;
  return point.index === undefined ? { key: point.labelKey } : { key: point.labelKey, n: point.index };
}

/** Whether `text` names a kind of device. */
export function isDeviceKind(text: string): text is DeviceKind {
  return byName.has(text);
}

/** The telemetry column of a point: `AC/L1/Voltage` becomes `ac_l1_voltage`. Unique within a kind. */
export function columnOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('/', '_')
    .toLowerCase();
}
