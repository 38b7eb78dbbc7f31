import type { SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import type { DataloggerProperties, DeviceEntry, DeviceProperties } from '../registry/plant-model.ts';
import type { KindLayout } from './kinds.ts';

/** Facts that a birth tells of a logger or device. Texts are cut: they come from outside. */
const LONGEST = 64;

type TextKey<T> = {
  [key in keyof T]-?: string extends T[key] ? key : T[key] extends string | undefined ? key : never;
}[keyof T];

/** By names that devices choose: no record, in which every name of an object's own machinery would be found. */
const dataloggerTexts: ReadonlyMap<string, Exclude<TextKey<DataloggerProperties>, 'uplink'>> = new Map(
  Object.entries({
    'Properties/Model': 'model',
    'Properties/Type': 'type',
    'Properties/Firmware': 'firmware',
    'Properties/Hardware': 'hardware',
    'Properties/Profile': 'profile',
    'Clock/TimeZone': 'timeZone',
    'Net/Ip': 'ip',
  } as const),
);

const deviceTexts: ReadonlyMap<string, TextKey<DeviceProperties>> = new Map(
  Object.entries({
    'Properties/Model': 'model',
    'Properties/Role': 'role',
    'Properties/OdmSn': 'odmSn',
    'Properties/Hardware': 'hardware',
    'Properties/Firmware': 'versionMaster',
    'Properties/Firmware/Master': 'versionMaster',
    'Properties/Firmware/Slave': 'versionSlave',
    'Properties/Firmware/Manager': 'versionManager',
    'Properties/Firmware/Afci': 'versionAfci',
    'Properties/Version/Master': 'versionMaster',
    'Properties/Version/Slave': 'versionSlave',
    'Properties/Version/Manager': 'versionManager',
    'Properties/Version/Afci': 'versionAfci',
    'Properties/VersionMaster': 'versionMaster',
    'Properties/VersionSlave': 'versionSlave',
    'Properties/VersionManager': 'versionManager',
    'Properties/VersionAfci': 'versionAfci',
  } as const),
);

export function readDataloggerProperties(metrics: readonly SparkplugMetric[]): DataloggerProperties {
  const properties: DataloggerProperties = {};
  for (const { name, value } of metrics) {
    if (name === undefined) continue;
    const key = dataloggerTexts.get(name);
    if (key !== undefined && typeof value === 'string') properties[key] = clean(value);
    else if (name === 'Net/Rssi' && typeof value === 'number' && value >= -200 && value <= 0)
      properties.rssiDbm = value;
  }
  return properties;
}

export function readDeviceProperties(metrics: readonly SparkplugMetric[]): DeviceProperties {
  const properties: DeviceProperties = {};
  for (const { name, value } of metrics) {
    if (name === undefined) continue;
    const key = deviceTexts.get(name);
    if (key !== undefined && typeof value === 'string') properties[key] = clean(value);
    else if (typeof value === 'number' && Number.isFinite(value) && value > 0) {
      if (name === 'Rating/ActivePower') properties.ratedPowerW = value;
      else if (name === 'Bat/Capacity') properties.capacityWh = value * 1000;
    }
  }
  return properties;
}

const MOST_RATING = 1e9;

const ratings: readonly [name: string, key: 'ratedPowerW' | 'capacityWh', factor: number][] = [
  ['Rating/ActivePower', 'ratedPowerW', 1],
  ['Bat/Capacity', 'capacityWh', 1_000],
];

/** By kind: where in its values the ratings lie. */
const places = new Map<
  KindLayout,
  readonly (readonly [index: number, key: 'ratedPowerW' | 'capacityWh', factor: number])[]
>();

function placesOf(layout: KindLayout) {
  let found = places.get(layout);
  if (found === undefined) {
    found = ratings.flatMap(([name, key, factor]) => {
      const index = layout.indexOf.get(name);
      return index === undefined ? [] : [[index, key, factor] as const];
    });
    places.set(layout, found);
  }
  return found;
}

/** Takes the ratings that a device tells among its values. Says whether one is new. */
export function noteRatings({ layout, properties }: DeviceEntry, values: readonly number[]): boolean {
  let isNew = false;
  for (const [index, key, factor] of placesOf(layout)) {
    const value = (values[index] ?? Number.NaN) * factor;
    if (!(value > 0 && value <= MOST_RATING) || properties[key] === value) continue;
    properties[key] = value;
    isNew = true;
  }
  return isNew;
}

/** Report interval in seconds that a birth or message tells, undefined where it tells none that is allowed. */
export function readReportInterval(metrics: readonly SparkplugMetric[]): number | undefined {
  const value = metrics.find((metric) => metric.name === 'Report/Interval')?.value;
  return typeof value === 'number' && value >= 1 && value <= 86_400 ? Math.round(value) : undefined;
}

export function textOf(metrics: readonly SparkplugMetric[], name: string): string | undefined {
  const value = metrics.find((metric) => metric.name === name)?.value;
  return typeof value === 'string' ? value : undefined;
}

function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters and NUL are what is taken out.
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
  return plain.slice(0, LONGEST).toWellFormed();
}
