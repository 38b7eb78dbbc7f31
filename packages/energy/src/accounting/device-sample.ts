import type { DeviceCounters, DevicePowers, DeviceSample, EnergyChannel, PowerChannel } from './channels.ts';

/** Kinds of devices whose energy is accounted. */
export const accountedKinds = ['inverter', 'battery', 'meter', 'ems', 'gateway', 'pile'] as const;
export type DeviceKind = (typeof accountedKinds)[number];

/**
 * Powers that flow one way only. What is read below 0 is the noise of a sensor, or what a sleeping inverter takes for itself; that is
 * told at its AC terminals.
 */
export const NEVER_NEGATIVE: ReadonlySet<PowerChannel> = new Set(['pv', 'load', 'external', 'eps', 'charger']);

/** What a meter stands at: the grid connection, other generation on the AC side (PV or generator), or a load. */
export type MeterRole = 'grid' | 'pv' | 'load' | 'generator';

const WH_PER_KWH = 1000;

const INVERTER_POWERS: [PowerChannel, string][] = [
  ['pv', 'DC/Power'],
  ['ac', 'AC/ActivePower'],
  ['load', 'Load/Power'],
  ['external', 'ExtGen/Power'],
  ['eps', 'Eps/Power'],
];
const INVERTER_COUNTERS: [EnergyChannel, string][] = [
  ['pv', 'Energy/PvTotal'],
  ['acOut', 'Energy/AcOutTotal'],
  ['acIn', 'Energy/AcInTotal'],
  ['load', 'Energy/LoadTotal'],
  ['external', 'ExtGen/EnergyTotal'],
  ['eps', 'Eps/EnergyTotal'],
];
const MPPT_POWERS = [1, 2, 3, 4].map((mppt) => `DC/Mppt${mppt}/Power`);
const PLANT_POWERS: [PowerChannel, string][] = [
  ['pv', 'Ems/PlantPv'],
  ['battery', 'Ems/PlantBattery'],
  ['grid', 'Ems/PlantGrid'],
  ['load', 'Ems/PlantLoad'],
];

const SOURCES: Record<
  Exclude<DeviceKind, 'meter'>,
  { powers: [PowerChannel, string][]; counters: [EnergyChannel, string][]; soc?: string; capacity?: string }
> = {
  inverter: { powers: INVERTER_POWERS, counters: INVERTER_COUNTERS },
  battery: {
    powers: [['battery', 'Bat/Power']],
    counters: [
      ['charge', 'Bat/ChargeTotal'],
      ['discharge', 'Bat/DischargeTotal'],
    ],
    soc: 'Bat/Soc',
  },
  pile: { powers: [['charger', 'Pile/Power']], counters: [['charger', 'Pile/EnergyTotal']] },
  ems: { powers: PLANT_POWERS, counters: [] },
  gateway: { powers: PLANT_POWERS, counters: [] },
};

const METER_COUNTERS = ['Meter/ImportTotal', 'Meter/ExportTotal'];
const METER_FIELDS = ['Meter/ActivePower', ...METER_COUNTERS];

/** Names of the catalogue's points that are lifetime counters of a kind of device. */
export function counterFields(kind: DeviceKind): string[] {
  return kind === 'meter' ? [...METER_COUNTERS] : SOURCES[kind].counters.map(([, name]) => name);
}

/** The channel whose counter each of `counterFields` is; undefined where that depends on what a meter stands at. */
export function counterChannels(kind: DeviceKind): (EnergyChannel | undefined)[] {
  return kind === 'meter' ? METER_COUNTERS.map(() => undefined) : SOURCES[kind].counters.map(([channel]) => channel);
}

/** Names of the catalogue's points that `toDeviceSample` reads for a kind of device. */
export function sampleFields(kind: DeviceKind): string[] {
  if (kind === 'meter') return [...METER_FIELDS];
  const { powers, counters, soc } = SOURCES[kind];
  const names = [...powers.map(([, name]) => name), ...counters.map(([, name]) => name)];
  if (kind === 'inverter') names.push(...MPPT_POWERS);
  if (soc !== undefined) names.push(soc);
  return names;
}

/**
 * Maps the points of one sample to channels: powers in W, counters in Wh.
 *
 * @param value gives a point's value in the catalogue's unit (kWh for counters); undefined or NaN = not in this sample.
 * @param role of a meter (default `grid`). Only a grid meter keeps its sign (+ = import); at a load or a generator energy
 *   flows one way, so the magnitude counts and, of its two counters, the greater: a reversed transformer changes nothing.
 */
export function toDeviceSample(
  kind: DeviceKind,
  tsMs: number,
  value: (name: string) => number | undefined,
  role: MeterRole = 'grid',
): DeviceSample {
  if (kind === 'meter') return meterSample(tsMs, value, role);
  const { powers: powerNames, counters: counterNames, soc } = SOURCES[kind];
  const powers: DevicePowers = {};
  const counters: DeviceCounters = {};
  for (const [channel, name] of powerNames) {
    const powerW = finite(value(name));
    if (powerW !== undefined) powers[channel] = NEVER_NEGATIVE.has(channel) ? Math.max(0, powerW) : powerW;
  }
  for (const [channel, name] of counterNames) {
    const energyKwh = finite(value(name));
    if (energyKwh !== undefined) counters[channel] = energyKwh * WH_PER_KWH;
  }
  if (kind === 'inverter' && powers.pv === undefined) {
    const pvW = sumOfKnown(MPPT_POWERS.map(value));
    if (pvW !== undefined) powers.pv = Math.max(0, pvW);
  }
  const sample: DeviceSample = { tsMs, powers, counters };
  const socPercent = soc === undefined ? undefined : finite(value(soc));
  if (socPercent !== undefined) sample.socPercent = socPercent;
  return sample;
}

function meterSample(tsMs: number, value: (name: string) => number | undefined, role: MeterRole): DeviceSample {
  const powers: DevicePowers = {};
  const counters: DeviceCounters = {};
  const powerW = finite(value('Meter/ActivePower'));
  const importKwh = finite(value('Meter/ImportTotal'));
  const exportKwh = finite(value('Meter/ExportTotal'));
  if (role === 'grid') {
    if (powerW !== undefined) powers.grid = powerW;
    if (importKwh !== undefined) counters.import = importKwh * WH_PER_KWH;
    if (exportKwh !== undefined) counters.export = exportKwh * WH_PER_KWH;
    return { tsMs, powers, counters };
  }
  const channel = role === 'load' ? 'load' : 'external';
  if (powerW !== undefined) powers[channel] = Math.abs(powerW);
  if (importKwh !== undefined || exportKwh !== undefined) {
    counters[channel] = Math.max(importKwh ?? 0, exportKwh ?? 0) * WH_PER_KWH;
  }
  return { tsMs, powers, counters };
}

function finite(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

function sumOfKnown(values: (number | undefined)[]): number | undefined {
  const known = values.map(finite).filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}
