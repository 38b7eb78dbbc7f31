import type { DeviceBucket } from './bucket-cell.ts';
import type { PowerChannel } from './channels.ts';
import type { Flows } from './flows.ts';
import { type BalanceCell, balanceSteps } from './gap-balance.ts';
import { balancePowers } from './power-balance.ts';
import {
  flowsOf,
  SITE_QUANTITIES,
  type SiteEnergies,
  type SiteEnergyName,
  type SiteQualities,
  type SummedEnergies,
  sumEnergies,
} from './site-energies.ts';
import type { SitePorts, SiteTopology } from './site-topology.ts';
import { burnsFuel, ratedInverterW, sitePorts, sumOverSite, weightedSocPercent } from './site-topology.ts';

export type { Flows } from './flows.ts';
export type { SiteEnergyName, SiteQualities } from './site-energies.ts';
export type { SiteDevice, SiteTopology } from './site-topology.ts';

/** A site in one 5-minute bucket. What is not known, or what the site does not have, is absent, never 0. */
export interface SiteBucket {
  bucketMs: number;
  /** Generation of the arrays, DC. */
  pvWh?: number;
  /** Other generation on the AC side. */
  externalWh?: number;
  /** What of it burns fuel, and what of that went to the grid. */
  fuelWh?: number;
  fuelToGridWh?: number;
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
  qualities: SiteQualities;
  /** What of each energy is estimated, Wh; absent where none is. */
  estimatedWh: SiteEnergies;
  /** Energies that no device measured. */
  derived: SiteEnergyName[];
  /** Devices of the site that told nothing in this bucket and should have; their share is missing from the sums. */
  missing: number[];
  /** Absent where an energy that it needs is not known. */
  flows?: Flows;
}

/** What the devices of a site told in one bucket. */
export interface SiteReadings {
  bucketMs: number;
  /** By `deviceKey`. */
  byDevice: ReadonlyMap<number, DeviceBucket>;
  /** Devices whose silence leaves no hole: late, asleep or retired. */
  excused: ReadonlySet<number>;
}

const POWER_NAMES = ['pvW', 'externalW', 'batteryW', 'gridW', 'loadW', 'chargerW', 'inverterAcW'] as const;

/**
 * Makes a site's buckets of its devices' buckets. Each quantity is summed over the devices that measure it best (see
 * `sumOverSite`); one that nobody measures is derived from the balance at the AC bus, where only it is unknown, and marked. Over
 * gaps of a device the balance holds as a whole (see `balanceSteps`), so a run of them has to be given together.
 *
 * @param readings ascending; there may be holes between them.
 * @param dayOf local day of a bucket.
 * @param isWanted which buckets to make; the others are there for their balance.
 */
export function siteBuckets(
  ...given: readonly [
    readings: readonly SiteReadings[],
    topology: SiteTopology,
    dayOf: (bucketMs: number) => string,
    isWanted?: (bucketMs: number) => boolean,
  ]
): SiteBucket[] {
  const steps = siteBucketSteps(...given);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As `siteBuckets`, for many devices or a long time: it may be left off after each step. */
export function* siteBucketSteps(
  readings: readonly SiteReadings[],
  topology: SiteTopology,
  dayOf: (bucketMs: number) => string,
  isWanted: (bucketMs: number) => boolean = () => true,
): Generator<void, SiteBucket[]> {
  const ports = sitePorts(topology);
  const sums: SummedEnergies[] = [];
  const missing: number[][] = [];
  const cells: BalanceCell[] = [];
  for (const { bucketMs, byDevice, excused } of readings) {
    const silent = topology.devices.filter(({ deviceKey }) => !byDevice.has(deviceKey) && !excused.has(deviceKey));
    const summed = sumEnergies(byDevice, topology, silent);
    sums.push(summed);
    missing.push(silent.map(({ deviceKey }) => deviceKey));
    const { told, energies } = summed;
    cells.push({ bucketMs, day: dayOf(bucketMs), byDevice, told, energies, isSpread: false });
    yield;
  }
  const derived = yield* balanceSteps(cells, ports);
  const buckets: SiteBucket[] = [];
  const ratedW = ratedInverterW(topology);
  for (const [place, cell] of cells.entries()) {
    const { bucketMs, byDevice, energies } = cell;
    if (!isWanted(bucketMs)) continue;
    const { qualities = {}, firmWh = {}, fuelWh, open = [] } = sums[place] ?? {};
    for (const name of open) delete energies[name];
    const names = (derived[place] ?? []).filter((name) => !open.includes(name));
    for (const name of names) qualities[name] = 'estimated';
    let samples = 0;
    for (const bucket of byDevice.values()) samples = Math.max(samples, bucket.samples);
    const estimatedWh = estimatedOf(energies, firmWh);
    const result: SiteBucket = {
      bucketMs,
      samples,
      qualities,
      estimatedWh,
      derived: names,
      missing: missing[place] ?? [],
    };
    for (const name of SITE_QUANTITIES) {
      const value = energies[name];
      if (value !== undefined) result[`${name}Wh`] = value;
    }
    addMeanPowers(result, byDevice, topology, ports, ratedW);
    const socPercent = weightedSocPercent(topology, (deviceKey) => byDevice.get(deviceKey)?.socPercent);
    if (socPercent !== undefined) result.socPercent = socPercent;
    const flows = flowsOf(energies, ports);
    if (flows !== undefined) result.flows = flows;
    addFuel(result, topology, fuelWh);
    buckets.push(result);
    yield;
  }
  return buckets;
}

/** One bucket by itself; all that is silent is missing. */
export function siteBucket(
  buckets: readonly { device: number; bucket: DeviceBucket }[],
  topology: SiteTopology,
): SiteBucket {
  const bucketMs = buckets[0]?.bucket.bucketMs ?? Number.NaN;
  const byDevice = new Map(buckets.map(({ device, bucket }) => [device, bucket]));
  const [only] = siteBuckets([{ bucketMs, byDevice, excused: new Set() }], topology, () => '');
  if (only === undefined) throw new RangeError('one bucket gives one');
  return only;
}

/** What a balance derived, or moved within a gap, was told by nobody at that time. */
function estimatedOf(energies: SiteEnergies, firmWh: SummedEnergies['firmWh']): SiteEnergies {
  const estimatedWh: SiteEnergies = {};
  for (const name of SITE_QUANTITIES) {
    const wh = (energies[name] ?? 0) - (firmWh[name] ?? 0);
    if (wh > 0) estimatedWh[name] = wh;
  }
  return estimatedWh;
}

/** Other generation that nobody told but the balance burns fuel where any of the site's does. */
function addFuel(result: SiteBucket, topology: SiteTopology, toldWh: number | undefined): void {
  const { externalWh, flows } = result;
  const fuelWh = toldWh ?? (topology.devices.some(burnsFuel) ? externalWh : undefined);
  if (fuelWh === undefined || externalWh === undefined) return;
  result.fuelWh = Math.min(fuelWh, externalWh);
  if (flows !== undefined)
    result.fuelToGridWh = externalWh > 0 ? (flows.externalToGridWh * result.fuelWh) / externalWh : 0;
}

function addMeanPowers(
  result: SiteBucket,
  byDevice: ReadonlyMap<number, DeviceBucket>,
  topology: SiteTopology,
  ports: SitePorts,
  ratedW: number | undefined,
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
      ratedW,
    },
    ports,
  );
  for (const name of POWER_NAMES) {
    const value = powers[name];
    if (value !== undefined) result[name] = value;
  }
}
