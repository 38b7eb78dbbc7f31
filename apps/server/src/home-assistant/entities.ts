import type { Language } from '@sonnenwarte/contract/languages';
import { columnOf, type Point, shownValue, type Unit } from '@sonnenwarte/device-protocol/points/points';
import { knownPhrase } from '../exports/phrase-text.ts';

/** What Home Assistant has to know of one value: the options of its MQTT sensors by their names. */
export interface Entity {
  readonly platform: 'sensor' | 'binary_sensor';
  readonly unique_id: string;
  readonly name: string;
  readonly state_topic: string;
  readonly device_class?: string;
  readonly state_class?: 'measurement' | 'total_increasing';
  readonly unit_of_measurement?: string;
  readonly suggested_display_precision?: number;
  readonly options?: readonly string[];
  readonly entity_category?: 'diagnostic';
  readonly enabled_by_default?: false;
  /** Of its own where it does not share that of its device. */
  readonly availability_topic?: string;
}

export type EntityClass = Pick<Entity, 'device_class' | 'state_class' | 'unit_of_measurement'>;

const measured = (unit: string | undefined, deviceClass?: string): EntityClass => ({
  ...(deviceClass !== undefined && { device_class: deviceClass }),
  state_class: 'measurement',
  ...(unit !== undefined && { unit_of_measurement: unit }),
});

const classOfUnit: Readonly<Record<Exclude<Unit, 'bool' | 'enum' | 'bitfield' | 'text'>, EntityClass>> = {
  W: measured('W', 'power'),
  var: measured('var', 'reactive_power'),
  VA: measured('VA', 'apparent_power'),
  V: measured('V', 'voltage'),
  A: measured('A', 'current'),
  mA: measured('mA', 'current'),
  Hz: measured('Hz', 'frequency'),
  kOhm: measured('kΩ'),
  kWh: measured('kWh', 'energy_storage'),
  '%': measured('%'),
  degC: measured('°C', 'temperature'),
  rpm: measured('rpm'),
  h: measured('h', 'duration'),
  s: measured('s', 'duration'),
  min: measured('min', 'duration'),
  dBm: measured('dBm', 'signal_strength'),
  kB: measured('kB', 'data_size'),
  'ct/kWh': measured('ct/kWh'),
  'W/m2': measured('W/m²', 'irradiance'),
  'm/s': measured('m/s', 'wind_speed'),
  '%/min': measured('%/min'),
  '1': measured(undefined),
};

const CHARGE = /^(Bat\/Soc|Bat\/Pack\d+\/Soc|Pile\/VehicleSoc)$/;
/** Rises and begins anew with each session. */
const COUNTS_SESSIONS = 'Pile/SessionEnergy';
const DIAGNOSTIC =
  /^(Rating|Fan|Arc|Temp)\/|^DC\/(BusVoltage|InsulationResistance|LeakageCurrent|String)|^State\/(GridRelay|OperatingHours|Efficiency)|^Bat\/(Cell|Pack|ChargeLimit|DischargeLimit|ChargeVoltage|DischargeVoltage|Relay|Cycles|Soh)|^Meter\/CtRatio|^Ems\/Device/;
/** Rarely looked at: there, but switched on by hand. */
const OFF_AT_FIRST = /^(Rating|Arc)\/|^DC\/String|^Bat\/(Pack|CellIndex)|^Meter\/CtRatio|^AC\/L(12|23|31)\//;

/** How Home Assistant calls the kind of a value; undefined for what it cannot show. */
export function classOf(point: Pick<Point, 'name' | 'unit' | 'accumulates'>): EntityClass | undefined {
  const { name, unit, accumulates } = point;
  switch (unit) {
    case 'bitfield':
    case 'text':
      return undefined;
    case 'bool':
      return {};
    case 'enum':
      return { device_class: 'enum' };
  }
  const found = classOfUnit[unit];
  if (unit === 'kWh' && (accumulates !== false || name === COUNTS_SESSIONS)) {
    return { device_class: 'energy', state_class: 'total_increasing', unit_of_measurement: 'kWh' };
  }
  if (accumulates !== false) return { ...found, state_class: 'total_increasing' };
  if (CHARGE.test(name)) return { ...found, device_class: 'battery' };
  return name.endsWith('/PowerFactor') ? measured(undefined, 'power_factor') : found;
}

export interface Named {
  readonly sn: string;
  readonly username: string;
  readonly language: Language;
}

export const uniqueId = (sn: string, variable: string): string => `sonnenwarte_${sn}_${variable}`;

export const textOf = (key: string, language: Language, n?: number): string =>
  (knownPhrase(key, language) ?? key).replaceAll('{{n}}', String(n ?? ''));

/** Name of a value in topics and ids. */
export const variableOf = ({ name }: Pick<Point, 'name'>): string => columnOf(name);

/** A value of a device as Home Assistant is to show it; undefined for what it cannot show. */
export function entityOf(point: Point, { sn, language }: Named, stateTopic: string): Entity | undefined {
  const found = classOf(point);
  if (found === undefined) return undefined;
  const { name, unit, decimals } = point;
  return {
    platform: unit === 'bool' ? 'binary_sensor' : 'sensor',
    unique_id: uniqueId(sn, variableOf(point)),
    name: textOf(point.labelKey, language, point.index),
    state_topic: stateTopic,
    ...found,
    ...(found.state_class !== undefined && { suggested_display_precision: decimals }),
    ...(unit === 'enum' && { options: optionsOf(point, language) }),
    ...(DIAGNOSTIC.test(name) && { entity_category: 'diagnostic' }),
    ...(OFF_AT_FIRST.test(name) && { enabled_by_default: false }),
  };
}

const optionsOf = (point: Pick<Point, 'enum'>, language: Language): string[] => [
  ...new Set(Object.values(point.enum ?? {}).map((key) => textOf(key, language))),
];

/** What Home Assistant takes for "not known". */
const UNKNOWN = 'None';

/** A value as it is told: numbers in whole steps of their point, states in the words that the entity names as its options. */
export function stateOf(point: Point, value: number | string | boolean, language: Language): string {
  if (point.unit === 'bool') return value === true || (typeof value === 'number' && value !== 0) ? 'ON' : 'OFF';
  if (typeof value !== 'number' || !Number.isFinite(value)) return UNKNOWN;
  if (point.unit === 'enum') {
    const key = point.enum?.[value];
    return key === undefined ? UNKNOWN : textOf(key, language);
  }
  const steps = Math.max(point.steps, 10 ** point.decimals);
  return String(Math.round(shownValue(point, value) * steps) / steps + 0);
}
