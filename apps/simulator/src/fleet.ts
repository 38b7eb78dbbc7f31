import { readFileSync } from 'node:fs';
import { isDataloggerSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { device } from './fleet-devices.ts';
import {
  type Fields,
  FleetError,
  list,
  numberIn,
  object,
  oneOf,
  optional,
  orNull,
  text,
  truth,
} from './fleet-fields.ts';

export { FleetError };

/** 1 PV only, 2 with storage. */
export type PlantType = 1 | 2;
export type WorkMode = 'self-use' | 'feed-in-priority' | 'backup' | 'battery-support' | 'peak-shaving';
export type Climate = 'temperate' | 'mediterranean' | 'monsoon' | 'arid';
export type MeterRole = 'grid' | 'pv' | 'generator' | 'load';

/** Azimuth from north clockwise, inclination from the horizontal. */
export interface PlantArray {
  azimuthDeg: number;
  inclinationDeg: number;
  kwp: number;
  strings: number;
}

/** A period of the plan of battery support, local minutes of the day; `days` bit 0 = Monday. */
export interface SchedulePeriod {
  startMin: number;
  endMin: number;
  days: number;
  mode: 'charge' | 'discharge' | 'hold' | 'sun';
  powerW: number;
  minSocPercent: number;
  fdSocPercent: number;
}

export interface PlantSettings {
  minSocPercent: number;
  backupSocPercent: number;
  gridCharge: boolean;
  exportLimitW: number | null;
  peakLimitW: number | null;
  schedule: SchedulePeriod[];
}

export interface LoadProfile {
  profile: 'household' | 'business';
  annualKwh: number;
  heatPump: boolean;
  /** Business only: share of a working day's consumption on Sundays. */
  sundayPercent: number;
}

export interface FleetDeviceBase {
  sn: string;
  role: string;
  model: string;
  odmSn: string;
  hardware: string;
  ratedPowerW?: number;
  capacityWh?: number;
  versions: { master: string; slave?: string; manager?: string; afci?: string };
}

export interface FleetMppt {
  array: number;
  kwp: number;
  strings: number;
}

export interface FleetInverter extends FleetDeviceBase {
  kind: 'inverter';
  ratedPowerW: number;
  params: { phases: 1 | 3; mppts: FleetMppt[] };
}

export interface FleetBattery extends FleetDeviceBase {
  kind: 'battery';
  capacityWh: number;
  params: { inverter: string; maxChargeW: number; maxDischargeW: number; packs: number };
}

export interface FleetMeter extends FleetDeviceBase {
  kind: 'meter';
  role: MeterRole;
  /** Of a meter at other generation: the array behind it and the power of its own inverter. */
  params: { array?: number; ratedPowerW?: number };
}

export interface FleetCharger extends FleetDeviceBase {
  kind: 'pile';
  ratedPowerW: number;
  params: { sessionsPerWeek: number; sessionKwh: number };
}

export interface FleetGateway extends FleetDeviceBase {
  kind: 'gateway';
  params: { heatPumpW: number };
}

export interface FleetPlainDevice extends FleetDeviceBase {
  kind: 'ems' | 'station';
}

export type FleetDevice = FleetInverter | FleetBattery | FleetMeter | FleetCharger | FleetGateway | FleetPlainDevice;

export interface FleetDatalogger {
  sn: string;
  type: 'WiFi' | '4G' | 'LAN';
  model: string;
  firmware: string;
  hardware: string;
  devices: FleetDevice[];
}

/** A fault that stands when the simulator starts. */
export interface FleetFault {
  device: string;
  fault: string;
  sinceDaysAgo: number;
  string?: number;
}

export interface FleetPlant {
  key: string;
  name: string;
  type: PlantType;
  country: string;
  city: string;
  address: string;
  postcode: string;
  latitude: number;
  longitude: number;
  altitudeM: number;
  /** Which of the simulator's weathers the place has. */
  climate: Climate;
  timeZone: string;
  currency: string;
  feedInPrice: string;
  purchasePrice: string;
  systemSizeKwp: number;
  ratedPowerW: number;
  commissionedOn: string;
  gridConnectedOn: string;
  arrays: PlantArray[];
  seed: number;
  /** Seed of the weather that plants near each other share; without it each has its own. */
  region?: number;
  load: LoadProfile;
  workMode: WorkMode;
  settings: PlantSettings;
  /** The plant's logger fell silent this long before the simulator's start, and stays so. */
  offlineSinceDaysAgo?: number;
  faults: FleetFault[];
  loggers: FleetDatalogger[];
}

export interface Fleet {
  name: string;
  plants: FleetPlant[];
  /** On nobody's roof yet: they report from their start on and have no past. */
  spares: FleetPlant[];
}

const WORK_MODES: readonly WorkMode[] = ['self-use', 'feed-in-priority', 'backup', 'battery-support', 'peak-shaving'];

/** Reads a fleet file. Throws FleetError that names the file and the field. */
export function readFleet(path: string): Fleet {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    throw new FleetError(path, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new FleetError(path, `is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return parseFleet(value);
  } catch (error) {
    if (error instanceof FleetError) throw new FleetError(path, error.message);
    throw error;
  }
}

/** Checks a fleet. Throws FleetError that names the field, such as `plants[3].loggers[0].sn`. */
export function parseFleet(value: unknown): Fleet {
  const root = object(value, 'fleet');
  if (root.value.format !== 1) throw new FleetError('format', 'must be 1');
  const plants = list(root, 'plants', plant);
  if (plants.length === 0) throw new FleetError('plants', 'must name at least one plant');
  const spares = root.value.spares === undefined ? [] : list(root, 'spares', plant);
  const seen = new Set<string>();
  for (const sn of [...plants, ...spares].flatMap((p) =>
    p.loggers.flatMap((l) => [l.sn, ...l.devices.map((d) => d.sn)]),
  )) {
    if (seen.has(sn)) throw new FleetError(sn, 'is used twice');
    seen.add(sn);
  }
  return { name: text(root, 'name'), plants, spares };
}

function plant(at: Fields): FleetPlant {
  const parsed: FleetPlant = {
    key: text(at, 'key'),
    name: text(at, 'name'),
    type: oneOf(at, 'type', [1, 2]),
    country: text(at, 'country', /^[A-Z]{2}$/),
    city: text(at, 'city'),
    address: text(at, 'address'),
    postcode: text(at, 'postcode'),
    latitude: numberIn(at, 'latitude', -90, 90),
    longitude: numberIn(at, 'longitude', -180, 180),
    altitudeM: numberIn(at, 'altitudeM', -430, 6000),
    climate: oneOf(at, 'climate', ['temperate', 'mediterranean', 'monsoon', 'arid']),
    timeZone: timeZone(at),
    currency: text(at, 'currency', /^[A-Z]{3}$/),
    feedInPrice: text(at, 'feedInPrice', /^\d+(\.\d+)?$/),
    purchasePrice: text(at, 'purchasePrice', /^\d+(\.\d+)?$/),
    systemSizeKwp: numberIn(at, 'systemSizeKwp', 0.1, 1e6),
    ratedPowerW: numberIn(at, 'ratedPowerW', 1, 1e9),
    commissionedOn: text(at, 'commissionedOn', /^\d{4}-\d\d-\d\d$/),
    gridConnectedOn: text(at, 'gridConnectedOn', /^\d{4}-\d\d-\d\d$/),
    arrays: list(at, 'arrays', array),
    seed: numberIn(at, 'seed', 0, 2 ** 31),
    load: load(object(at.value.load, `${at.path}.load`)),
    workMode: oneOf(at, 'workMode', WORK_MODES),
    settings: settings(object(at.value.settings, `${at.path}.settings`)),
    faults: list(at, 'faults', fault),
    loggers: list(at, 'loggers', datalogger),
    ...optional(at, 'region', (fields, name) => numberIn(fields, name, 0, 2 ** 31)),
    ...optional(at, 'offlineSinceDaysAgo', (fields, name) => numberIn(fields, name, 0, 365)),
  };
  checkReferences(at, parsed);
  return parsed;
}

function checkReferences(at: Fields, { arrays, loggers: dataloggers, faults, systemSizeKwp }: FleetPlant): void {
  const devices = dataloggers.flatMap((each) => each.devices);
  const used = arrays.map(() => 0);
  const take = (index: number, kwp: number, sn: string) => {
    if (arrays[index] === undefined)
      throw new FleetError(`${at.path} ${sn}`, `names array ${index}, which is not there`);
    used[index] = (used[index] ?? 0) + kwp;
  };
  for (const device of devices) {
    if (device.kind === 'inverter') for (const mppt of device.params.mppts) take(mppt.array, mppt.kwp, device.sn);
    if (device.kind === 'meter' && device.params.array !== undefined) {
      take(device.params.array, arrays[device.params.array]?.kwp ?? 0, device.sn);
    }
    if (device.kind === 'battery') {
      const { inverter } = device.params;
      if (!devices.some((other) => other.kind === 'inverter' && other.sn === inverter)) {
        throw new FleetError(`${at.path} ${device.sn}`, `hangs at inverter ${inverter}, which is not there`);
      }
    }
  }
  arrays.forEach(({ kwp }, index) => {
    const total = used[index] ?? 0;
    if (Math.abs(total - kwp) > 0.01) {
      throw new FleetError(`${at.path}.arrays[${index}]`, `has ${kwp} kWp, but ${rounded(total)} kWp are connected`);
    }
  });
  const sumKwp = arrays.reduce((sum, { kwp }) => sum + kwp, 0);
  if (Math.abs(sumKwp - systemSizeKwp) > 0.01) {
    throw new FleetError(`${at.path}.systemSizeKwp`, `is ${systemSizeKwp}, but the arrays have ${rounded(sumKwp)} kWp`);
  }
  for (const { device } of faults) {
    if (!devices.some(({ sn }) => sn === device) && !dataloggers.some(({ sn }) => sn === device)) {
      throw new FleetError(`${at.path}.faults`, `name ${device}, which is not there`);
    }
  }
}

function rounded(kwp: number): number {
  return Math.round(kwp * 100) / 100;
}

function timeZone(at: Fields): string {
  const zone = text(at, 'timeZone');
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    throw new FleetError(`${at.path}.timeZone`, `${JSON.stringify(zone)} is no known time zone`);
  }
  return zone;
}

function array(at: Fields): PlantArray {
  return {
    azimuthDeg: numberIn(at, 'azimuthDeg', 0, 360),
    inclinationDeg: numberIn(at, 'inclinationDeg', 0, 90),
    kwp: numberIn(at, 'kwp', 0.1, 1e5),
    strings: numberIn(at, 'strings', 1, 64),
  };
}

function load(at: Fields): LoadProfile {
  return {
    profile: oneOf(at, 'profile', ['household', 'business'] as const),
    annualKwh: numberIn(at, 'annualKwh', 100, 1e8),
    heatPump: at.value.heatPump === undefined ? false : truth(at, 'heatPump'),
    sundayPercent: at.value.sundayPercent === undefined ? 100 : numberIn(at, 'sundayPercent', 0, 200),
  };
}

function settings(at: Fields): PlantSettings {
  return {
    minSocPercent: numberIn(at, 'minSocPercent', 0, 100),
    backupSocPercent: numberIn(at, 'backupSocPercent', 0, 100),
    gridCharge: truth(at, 'gridCharge'),
    exportLimitW: orNull(at, 'exportLimitW', (fields, name) => numberIn(fields, name, 0, 1e9)),
    peakLimitW: orNull(at, 'peakLimitW', (fields, name) => numberIn(fields, name, 0, 1e9)),
    schedule: list(at, 'schedule', period),
  };
}

function period(at: Fields): SchedulePeriod {
  return {
    startMin: numberIn(at, 'startMin', 0, 1439),
    endMin: numberIn(at, 'endMin', 1, 1440),
    days: numberIn(at, 'days', 0, 127),
    mode: oneOf(at, 'mode', ['charge', 'discharge', 'hold', 'sun'] as const),
    powerW: numberIn(at, 'powerW', 0, 1e6),
    minSocPercent: numberIn(at, 'minSocPercent', 0, 100),
    fdSocPercent: numberIn(at, 'fdSocPercent', 0, 100),
  };
}

function fault(at: Fields): FleetFault {
  return {
    device: text(at, 'device'),
    fault: text(at, 'fault'),
    sinceDaysAgo: numberIn(at, 'sinceDaysAgo', 0, 365),
    ...optional(at, 'string', (fields, name) => numberIn(fields, name, 1, 16)),
  };
}

function datalogger(at: Fields): FleetDatalogger {
  const sn = text(at, 'sn');
  if (!isDataloggerSn(sn)) throw new FleetError(`${at.path}.sn`, `${JSON.stringify(sn)} is not 15 digits`);
  return {
    sn,
    type: oneOf(at, 'type', ['WiFi', '4G', 'LAN'] as const),
    model: text(at, 'model'),
    firmware: text(at, 'firmware'),
    hardware: text(at, 'hardware'),
    devices: list(at, 'devices', device),
  };
}
