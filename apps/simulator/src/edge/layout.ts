import { type ActiveAlarm, ALARM_ACTIVE, alarmsToDataSet } from '@sonnenwarte/device-protocol/points/alarms';
import { bdSeqMetric, birthProperties } from '@sonnenwarte/device-protocol/points/births';
import { type DeviceKind, pointByName, settingByName } from '@sonnenwarte/device-protocol/points/points';
import { CommandName } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import type { SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import type { FleetDatalogger, FleetDevice, FleetPlant } from '../fleet.ts';
import { ARCHIVED, BIRTH_ONLY, NOT_STORED, type Reading, type ReadingValue } from './readings.ts';
import type { StoredSample } from './sample-store.ts';
import type { SettingsBank } from './settings-bank.ts';

/** A point of a device as its birth tells it. */
export interface LayoutPoint {
  name: string;
  alias: number;
  datatype: number;
  steps: number;
  isBirthOnly: boolean;
  /** Counts since commissioning. */
  isLifetime: boolean;
}

/** Gives out the aliases of one edge node: unique over the node and its devices. */
export class AliasCounter {
  #last = 0;

  next(): number {
    this.#last += 1;
    return this.#last;
  }
}

/** Names, aliases and datatypes of one device's points, as its birth tells them. */
export class PointLayout {
  readonly points: readonly LayoutPoint[];
  /** What a logger keeps of the last days, and what it keeps for long. */
  readonly stored: readonly LayoutPoint[];
  readonly archived: readonly LayoutPoint[];
  readonly alarmAlias: number;
  readonly #kind: DeviceKind;

  constructor(kind: DeviceKind, reading: Reading, aliases: AliasCounter) {
    this.#kind = kind;
    this.points = Object.keys(reading).map((name) => {
      const point = pointByName(kind, name);
      if (point === undefined) throw new Error(`the catalogue knows no ${name} of kind ${kind}`);
      return {
        name,
        alias: aliases.next(),
        datatype: point.datatype,
        steps: point.steps,
        isBirthOnly: BIRTH_ONLY.has(name),
        isLifetime: point.accumulates === 'lifetime',
      };
    });
    this.stored = this.points.filter(({ name, datatype }) => !NOT_STORED.has(name) && datatype !== DataType.String);
    this.archived = this.points.filter(({ name }) => ARCHIVED.has(name));
    this.alarmAlias = aliases.next();
  }

  birthMetrics(reading: Reading, tsMs: number): SparkplugMetric[] {
    return this.points.map(({ name, alias, datatype, steps }) => {
      const point = pointByName(this.#kind, name);
      return {
        name,
        alias,
        timestampMs: tsMs,
        datatype,
        value: valueFor(reading[name], datatype, steps),
        ...(point === undefined ? {} : { properties: birthProperties(point) }),
      };
    });
  }

  dataMetrics(reading: Reading, tsMs: number): SparkplugMetric[] {
    const metrics: SparkplugMetric[] = [];
    for (const { name, alias, datatype, steps, isBirthOnly } of this.points) {
      if (isBirthOnly) continue;
      metrics.push({ alias, timestampMs: tsMs, datatype, value: valueFor(reading[name], datatype, steps) });
    }
    return metrics;
  }

  alarmMetric(list: readonly ActiveAlarm[], tsMs: number, isBirth: boolean): SparkplugMetric {
    return {
      ...(isBirth ? { name: ALARM_ACTIVE } : {}),
      alias: this.alarmAlias,
      timestampMs: tsMs,
      datatype: DataType.DataSet,
      value: alarmsToDataSet(list),
    };
  }
}

/** Points of a reading, as numbers. */
export function valuesOf(points: readonly LayoutPoint[], reading: Reading): Float64Array {
  const values = new Float64Array(points.length);
  for (const [place, { name }] of points.entries()) values[place] = Number(reading[name] ?? 0);
  return values;
}

/** Adds the metrics of a sample that was kept. */
export function addHistorical({ points, values, tsMs }: StoredSample, metrics: SparkplugMetric[]): void {
  for (const [place, { alias, datatype, steps }] of points.entries()) {
    const value = valueFor(values[place], datatype, steps);
    metrics.push({ alias, timestampMs: tsMs, datatype, isHistorical: true, value });
  }
}

/** As a device tells it: in whole steps of its points, free of noise. */
function valueFor(value: ReadingValue | undefined, datatype: number, steps: number): ReadingValue | null {
  if (value === undefined) return null;
  if (datatype === DataType.Boolean) return value === true || value === 1;
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) return null;
  if (datatype === DataType.Float || datatype === DataType.Double) return Math.round(value * steps) / steps;
  return Math.round(value);
}

function property(name: string, value: string): SparkplugMetric {
  return { name: `Properties/${name}`, datatype: DataType.String, value };
}

/** What a DBIRTH tells of the device itself, and its settings. */
export function deviceFacts(device: FleetDevice, settings: SettingsBank): SparkplugMetric[] {
  const { master, slave, manager, afci } = device.versions;
  const facts = [
    property('Kind', device.kind),
    property('Model', device.model),
    property('Hardware', device.hardware),
    property('OdmSn', device.odmSn),
    property('Firmware/Master', master),
  ];
  if (device.role !== '') facts.push(property('Role', device.role));
  if (slave !== undefined) facts.push(property('Firmware/Slave', slave));
  if (manager !== undefined) facts.push(property('Firmware/Manager', manager));
  if (afci !== undefined) facts.push(property('Firmware/Afci', afci));
  return [...facts, ...settingMetrics(settings)];
}

/** What an NBIRTH tells of the logger itself. */
export function dataloggerFacts(
  datalogger: FleetDatalogger,
  plant: FleetPlant,
  settings: SettingsBank,
  bdSeq: number,
  tsMs: number,
): SparkplugMetric[] {
  return [
    bdSeqMetric(bdSeq, tsMs),
    { name: CommandName.rebirth, datatype: DataType.Boolean, value: false },
    property('Model', datalogger.model),
    property('Type', datalogger.type),
    property('Firmware', datalogger.firmware),
    property('Hardware', datalogger.hardware),
    property('Profile', 'PV-1'),
    { name: 'Clock/Source', datatype: DataType.String, value: 'ntp' },
    ...settingMetrics(settings).map((metric) =>
      metric.name === 'Clock/TimeZone' && metric.value === '' ? { ...metric, value: plant.timeZone } : metric,
    ),
  ];
}

function settingMetrics(settings: SettingsBank): SparkplugMetric[] {
  return settings.all().map(({ name, datatype, value }) => {
    const setting = settingByName(name);
    return {
      name,
      datatype,
      value,
      ...(setting === undefined ? {} : { properties: birthProperties(setting, false) }),
    };
  });
}
