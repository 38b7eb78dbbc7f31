import type { DeviceBucket } from './bucket-cell.ts';
import type { EnergyChannel, PowerChannel } from './channels.ts';
import type { Flows } from './flows.ts';
import { allocateFlows } from './flows.ts';
import { balancePowers } from './power-balance.ts';
import type { Quality } from './quality.ts';
import { worseQuality } from './quality.ts';
import type { SitePorts, SiteTopology } from './site-topology.ts';
import { ratedInverterW, sitePorts, sumOverSite, weightedSocPercent } from './site-topology.ts';

export type { Flows } from './flows.ts';
export type { SiteDevice, SiteTopology } from './site-topology.ts';

export type SiteEnergyName = 'pv' | 'external' | 'load' | 'charger' | 'charge' | 'discharge' | 'import' | 'export';

/** A site in one 5-minute bucket. What is not known, or what the site does not have, is absent, never 0. */
export interface SiteBucket {
  bucketMs: number;
  /** Generation of the arrays, DC. */
  pvWh?: number;
  /** Other generation on the AC side. */
  externalWh?: number;
  loadWh?: number;
  chargerWh?: number;
  chargeWh?: number;
  dischargeWh?: number;
  importWh?: number;
  exportWh?: number;
  /** Delivered by the inverters at their AC terminals, storage included. */
  acOutWh?: number;
  acInWh?: number;
  /** Delivered at the backup outputs, part of the load. */
  epsWh?: number;
  /** Mean powers at the AC bus; they add up (see `balancePowers`). */
  pvW?: number;
  externalW?: number;
  batteryW?: number;
  gridW?: number;
  loadW?: number;
  chargerW?: number;
  inverterAcW?: number;
  socPercent?: number;
  /** Most samples that any device gave. */
  samples: number;
  quality: Quality;
  /** Energies that no device measured. */
  derived: SiteEnergyName[];
  /** Devices of the site that told nothing in this bucket; their share is missing from the sums. */
  missing: number[];
  /** Absent where an energy that it needs is not known. */
  flows?: Flows;
}

type SiteEnergies = { [name in SiteEnergyName | 'acOut' | 'acIn' | 'eps']?: number | undefined };

const ENERGY_NAMES = [
  'pv',
  'external',
  'load',
  'charger',
  'charge',
  'discharge',
  'import',
  'export',
  'acOut',
  'acIn',
  'eps',
] as const satisfies readonly EnergyChannel[];

const POWER_NAMES = ['pvW', 'externalW', 'batteryW', 'gridW', 'loadW', 'chargerW', 'inverterAcW'] as const;

/**
 * Makes a site's bucket of its devices' buckets of the same five minutes. Each quantity is summed over the devices that
 * measure it best (see `sumOverSite`); one that nobody measures is derived from the balance at the AC bus, where only it is
 * unknown, and marked.
 *
 * @param buckets of one and the same `bucketMs`, at most one for a device; `device` is its `deviceKey`.
 */
export function siteBucket(
  buckets: readonly { device: number; bucket: DeviceBucket }[],
  topology: SiteTopology,
): SiteBucket {
  const byDevice = new Map(buckets.map(({ device, bucket }) => [device, bucket]));
  const ports = sitePorts(topology);
  const missing = topology.devices
    .filter(({ deviceKey }) => !byDevice.has(deviceKey))
    .map(({ deviceKey }) => deviceKey);
  const energies: SiteEnergies = {};
  let quality: Quality = missing.length > 0 ? 'estimated' : 'measured';
  for (const name of ENERGY_NAMES) {
    const sum = sumOverSite(topology, name, (deviceKey) => byDevice.get(deviceKey)?.energyWh[name]);
    if (sum === undefined) continue;
    energies[name] = sum.value;
    for (const device of sum.devices) {
      quality = worseQuality(quality, byDevice.get(device)?.energyQuality?.[name] ?? 'measured');
    }
  }
  const derived = deriveEnergies(energies, ports);
  if (derived.length > 0) quality = 'estimated';

  const result: SiteBucket = {
    bucketMs: buckets[0]?.bucket.bucketMs ?? Number.NaN,
    samples: buckets.reduce((most, { bucket }) => Math.max(most, bucket.samples), 0),
    quality,
    derived,
    missing,
  };
  for (const name of ENERGY_NAMES) {
    const value = energies[name];
    if (value !== undefined) result[`${name}Wh`] = value;
  }
  addMeanPowers(result, byDevice, topology, ports);
  const socPercent = weightedSocPercent(topology, (deviceKey) => byDevice.get(deviceKey)?.socPercent);
  if (socPercent !== undefined) result.socPercent = socPercent;
  const flows = flowsOf(energies, ports);
  if (flows !== undefined) result.flows = flows;
  return result;
}

function addMeanPowers(
  result: SiteBucket,
  byDevice: ReadonlyMap<number, DeviceBucket>,
  topology: SiteTopology,
  ports: SitePorts,
): void {
  const sumW = (channel: PowerChannel): number | undefined =>
    sumOverSite(topology, channel, (deviceKey) => byDevice.get(deviceKey)?.powerW[channel])?.value;
  const powers = balancePowers(
    {
      pvW: sumW('pv'),
      acW: sumW('ac'),
      externalW: sumW('external'),
      batteryW: sumW('battery'),
      gridW: sumW('grid'),
      loadW: sumW('load'),
      chargerW: sumW('charger'),
      ratedW: ratedInverterW(topology),
    },
    ports,
  );
  for (const name of POWER_NAMES) {
    const value = powers[name];
    if (value !== undefined) result[name] = value;
  }
}

/** Energy that the inverters gave to the AC bus, net, Wh; without AC readings, that of their DC ports taken as lossless. */
function netAcWh(energies: SiteEnergies, ports: SitePorts): number | undefined {
  const { pv, charge, discharge, acOut, acIn } = energies;
  if (acOut !== undefined || acIn !== undefined) return (acOut ?? 0) - (acIn ?? 0);
  if (pv === undefined && ports.hasInverter) return undefined;
  if (ports.hasBattery && (charge === undefined || discharge === undefined)) return undefined;
  if (pv === undefined && charge === undefined && discharge === undefined && ports.hasInverter) return undefined;
  return (pv ?? 0) + (discharge ?? 0) - (charge ?? 0);
}

/** Fills in what the balance tells and returns what it filled in. */
function deriveEnergies(energies: SiteEnergies, ports: SitePorts): SiteEnergyName[] {
  const derived: SiteEnergyName[] = [];
  const acWh = netAcWh(energies, ports);
  if (acWh !== undefined) derived.push(...deriveAtBus(energies, ports, acWh));
  const batteryIsKnown = !ports.hasBattery || (energies.charge !== undefined && energies.discharge !== undefined);
  if (energies.pv === undefined && ports.hasInverter && batteryIsKnown) {
    const sourceWh = acWh ?? busDemandWh(energies, ports);
    if (sourceWh !== undefined) {
      energies.pv = Math.max(0, sourceWh + (energies.charge ?? 0) - (energies.discharge ?? 0));
      derived.push('pv');
    }
  }
  return derived;
}

/** What the inverters must have given if all else at the bus is known, Wh. */
function busDemandWh(energies: SiteEnergies, ports: SitePorts): number | undefined {
  const { load, import: imported, export: exported, charger, external } = energies;
  if (load === undefined || imported === undefined || exported === undefined) return undefined;
  if ((charger === undefined && ports.hasCharger) || (external === undefined && ports.hasExternal)) return undefined;
  return load + (charger ?? 0) + exported - imported - (external ?? 0);
}

function deriveAtBus(energies: SiteEnergies, ports: SitePorts, acWh: number): SiteEnergyName[] {
  const unknown: SiteEnergyName[] = [];
  for (const name of ['load', 'import', 'export'] as const) if (energies[name] === undefined) unknown.push(name);
  if (energies.charger === undefined && ports.hasCharger) unknown.push('charger');
  if (energies.external === undefined && ports.hasExternal) unknown.push('external');
  // Energy given less energy taken, by what is known; positive = something took it.
  const surplusWh =
    acWh +
    (energies.external ?? 0) +
    (energies.import ?? 0) -
    (energies.export ?? 0) -
    (energies.load ?? 0) -
    (energies.charger ?? 0);
  const isGridAlone = unknown.length === 2 && unknown[0] === 'import' && unknown[1] === 'export';
  if (isGridAlone) {
    energies.import = Math.max(0, -surplusWh);
    energies.export = Math.max(0, surplusWh);
    return unknown;
  }
  const [only] = unknown;
  if (unknown.length !== 1 || only === undefined) return [];
  const isSource = only === 'import' || only === 'external';
  energies[only] = Math.max(0, isSource ? -surplusWh : surplusWh);
  return unknown;
}

function flowsOf(energies: SiteEnergies, ports: SitePorts): Flows | undefined {
  const { pv, external, discharge, import: imported, load, charger, charge, export: exported } = energies;
  if (load === undefined || imported === undefined || exported === undefined) return undefined;
  if (pv === undefined && ports.hasInverter) return undefined;
  if (ports.hasBattery && (charge === undefined || discharge === undefined)) return undefined;
  if ((charger === undefined && ports.hasCharger) || (external === undefined && ports.hasExternal)) return undefined;
  return allocateFlows({
    pvWh: pv ?? 0,
    externalWh: external ?? 0,
    dischargeWh: discharge ?? 0,
    importWh: imported,
    loadWh: load,
    chargerWh: charger ?? 0,
    chargeWh: charge ?? 0,
    exportWh: exported,
  });
}
