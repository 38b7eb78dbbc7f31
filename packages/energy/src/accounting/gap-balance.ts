import type { DeviceBucket } from './bucket-cell.ts';
import { BUCKET_MS } from './bucket-span.ts';
import { POWER_OF_ENERGY } from './channels.ts';
import type { DerivedEnergy, SiteEnergies, SiteEnergyName, SiteQuantity } from './site-energies.ts';
import { deriveEnergies } from './site-energies.ts';
import type { SitePorts } from './site-topology.ts';

/** How many buckets after it make up for one in which the readings do not agree. */
export const CARRIED_BUCKETS = 5;

/** A site's bucket while its balance is settled. */
export interface BalanceCell {
  bucketMs: number;
  /** Buckets of one local day keep the energies of that day among them. */
  day: string;
  byDevice: ReadonlyMap<number, DeviceBucket>;
  told: { [name in SiteQuantity]?: number[] };
  energies: SiteEnergies;
  /** Whether some of its energy is the growth of a counter over a gap, spread evenly. */
  isSpread: boolean;
}

/** The growth of one counter over a gap, or over the part of a gap that lies within a local day. */
interface Spread {
  name: SiteQuantity;
  cells: BalanceCell[];
  /** What of each cell's energy it is. */
  partsWh: number[];
}

/** Whether a device has an energy in a bucket of which it told nothing: no power of that moment says how it was spread. */
function isHole(bucket: DeviceBucket | undefined, name: SiteQuantity): boolean {
  return (
    bucket?.energyQuality?.[name] === 'estimated' &&
    bucket.energyWh[name] !== undefined &&
    bucket.powerW[POWER_OF_ENERGY[name].power] === undefined
  );
}

/** Whether a bucket of a device has energies that were spread over a gap, so that the buckets beside it are balanced with it. */
export function isInGap(bucket: DeviceBucket): boolean {
  if (bucket.energyQuality === undefined) return false;
  return (Object.keys(bucket.energyQuality) as SiteQuantity[]).some((name) => isHole(bucket, name));
}

/** The growths over gaps among consecutive cells, and which cells hold any. */
function* findSpreads(cells: readonly BalanceCell[]): Generator<void, Spread[]> {
  const spreads: Spread[] = [];
  const open = new Map<string, Spread>();
  for (const [place, cell] of cells.entries()) {
    const seen = new Set<string>();
    const told = tellersOf(cell);
    const before = neighbour(cells, place, -1);
    const after = neighbour(cells, place, 1);
    for (const [device, bucket] of cell.byDevice) {
      if (bucket.energyQuality === undefined) continue;
      for (const [name, quality] of Object.entries(bucket.energyQuality) as [SiteQuantity, string][]) {
        if (quality !== 'estimated' || !told(name).has(device)) continue;
        const wh = bucket.energyWh[name] ?? 0;
        const key = `${device} ${name}`;
        const wasHole = isHole(before?.byDevice.get(device), name);
        const isOwn = isHole(bucket, name);
        const next = after?.byDevice.get(device);
        let partWh = wh;
        // At its ends a gap has as much as beside them, and the rest was told.
        if (!isOwn && wasHole) partWh = Math.min(wh, before?.byDevice.get(device)?.energyWh[name] ?? 0);
        else if (!isOwn && isHole(next, name)) partWh = Math.min(wh, next?.energyWh[name] ?? 0);
        else if (!isOwn) continue;
        cell.isSpread = true;
        seen.add(key);
        const last = open.get(key);
        if (last !== undefined && last.cells[0]?.day === cell.day && (isOwn || wasHole)) {
          last.cells.push(cell);
          last.partsWh.push(partWh);
        } else {
          const spread: Spread = { name, cells: [cell], partsWh: [partWh] };
          spreads.push(spread);
          open.set(key, spread);
        }
        // The end of a gap belongs to no further one.
        if (!isOwn && wasHole) open.delete(key);
      }
    }
    for (const key of open.keys()) if (!seen.has(key)) open.delete(key);
    yield;
  }
  return spreads;
}

/** Devices that tell each quantity of a cell. */
function tellersOf({ told }: BalanceCell): (name: SiteQuantity) => ReadonlySet<number> {
  const sets = new Map<SiteQuantity, ReadonlySet<number>>();
  return (name) => {
    let tellers = sets.get(name);
    if (tellers === undefined) {
      tellers = new Set(told[name]);
      sets.set(name, tellers);
    }
    return tellers;
  };
}

function neighbour(cells: readonly BalanceCell[], place: number, step: 1 | -1): BalanceCell | undefined {
  const own = cells[place];
  const other = cells[place + step];
  return own !== undefined && other?.bucketMs === own.bucketMs + step * BUCKET_MS ? other : undefined;
}

/**
 * Moves energy of one counter's gap among the buckets of its day, so that `slackOf` is below 0 in as few as possible. What the
 * counter grew by in all stays. Where nothing is below 0 nothing is moved.
 */
function settle(spread: Spread, slackOf: (energies: SiteEnergies) => number | undefined): void {
  const { name, cells, partsWh } = spread;
  const slacks = cells.map(({ energies }) => slackOf(energies));
  if (!slacks.some((slackWh) => slackWh !== undefined && slackWh < 0)) return;
  const known = slacks.findIndex((slackWh) => slackWh !== undefined);
  const probe = cells[known]?.energies ?? {};
  const sign = Math.round((slackOf({ ...probe, [name]: (probe[name] ?? 0) + 1 }) ?? 0) - (slacks[known] ?? 0));
  if (sign === 0) return;
  const isGiver = (slackWh: number): boolean => (sign > 0 ? slackWh > 0 : slackWh < 0);
  const gives = slacks.map((slackWh = 0, place) =>
    isGiver(slackWh) ? Math.min(Math.abs(slackWh), partsWh[place] ?? 0) : 0,
  );
  const takes = slacks.map((slackWh = 0) => (isGiver(slackWh) ? 0 : Math.abs(slackWh)));
  const givenWh = sum(gives);
  const takenWh = sum(takes);
  const movedWh = Math.min(givenWh, takenWh);
  if (!(movedWh > 0)) return;
  cells.forEach(({ energies }, place) => {
    const changeWh = ((takes[place] ?? 0) / takenWh - (gives[place] ?? 0) / givenWh) * movedWh;
    energies[name] = Math.max(0, (energies[name] ?? 0) + changeWh);
    partsWh[place] = Math.max(0, (partsWh[place] ?? 0) + changeWh);
  });
}

/**
 * Balances of buckets over gaps. What a counter grew by while its device was silent is known, when it did so is not: it is spread
 * evenly, and beside what others measured meanwhile that can make a derived energy negative in some buckets. So the growth is
 * moved within its local day to where the balance needs it. Fills in the derived energies; returns for each cell their names.
 *
 * It may be left off after each step.
 *
 * @param cells consecutive ones of a site, ascending; there may be holes between them.
 */
export function* balanceSteps(cells: readonly BalanceCell[], ports: SitePorts): Generator<void, SiteEnergyName[][]> {
  const spreads = yield* findSpreads(cells);
  for (const name of ['load', 'charger', 'external', 'import', 'export', 'pv'] as const) {
    for (const spread of spreads) {
      settle(spread, (energies) => singleDerived(energies, ports, name)?.wh);
      yield;
    }
  }
  for (const spread of spreads) {
    settle(spread, (energies) => flowSlackWh(energies, ports, spread.name));
    yield;
  }
  const derived = cells.map(({ energies }) => deriveEnergies(energies, ports));
  fillDerived(cells, derived);
  return derived.map((list) => list.map(({ name }) => name));
}

/** Purchase and feed-in that are derived together follow the sign of their difference: none of them can be negative. */
function singleDerived(energies: SiteEnergies, ports: SitePorts, name: SiteEnergyName): DerivedEnergy | undefined {
  const derived = deriveEnergies(energies, ports);
  return isGridPair(derived) && name !== 'pv' ? undefined : derived.find((each) => each.name === name);
}

function isGridPair(derived: readonly DerivedEnergy[]): boolean {
  return derived[0]?.name === 'import' && derived[1]?.name === 'export';
}

/**
 * What the sources of a bucket gave beyond what its sinks took, as far as moving a quantity would leave the balance at the bus as
 * it is: with AC readings, the conversion loss.
 */
function flowSlackWh(energies: SiteEnergies, ports: SitePorts, moved: SiteQuantity): number | undefined {
  const derived = deriveEnergies(energies, ports);
  const isDcPort = moved === 'pv' || moved === 'charge' || moved === 'discharge';
  const isAcKnown = energies.acOut !== undefined || energies.acIn !== undefined;
  if (derived.some(({ name }) => name === 'pv') || (derived.length > 0 && !(isDcPort && isAcKnown))) return undefined;
  if (moved === 'acOut' || moved === 'acIn' || moved === 'eps') return undefined;
  const all: SiteEnergies = { ...energies };
  for (const { name, wh } of derived) all[name] = Math.max(0, wh);
  if (all.load === undefined || all.import === undefined || all.export === undefined) return undefined;
  const givenWh = (all.pv ?? 0) + (all.external ?? 0) + (all.discharge ?? 0) + all.import;
  return givenWh - all.load - (all.charger ?? 0) - (all.charge ?? 0) - all.export;
}

/**
 * Fills in what was derived. What is below 0 is taken off other buckets: within a gap off all of it alike, elsewhere (counters of
 * coarse steps, readings some seconds apart) off those that follow within `CARRIED_BUCKETS`.
 */
function fillDerived(cells: readonly BalanceCell[], derived: readonly (readonly DerivedEnergy[])[]): void {
  const whOf = (place: number, name: SiteEnergyName): number | undefined =>
    derived[place]?.find((each) => each.name === name)?.wh;
  cells.forEach((cell, place) => {
    for (const { name, wh } of derived[place] ?? []) cell.energies[name] = Math.max(0, wh);
  });
  for (let first = 0; first < cells.length; ) {
    let end = first + 1;
    while (end < cells.length && isSameRun(cells[end - 1], cells[end])) end += 1;
    const places = Array.from({ length: end - first }, (_, step) => first + step);
    for (const name of new Set(places.flatMap((place) => (derived[place] ?? []).map((each) => each.name)))) {
      const known = places.filter((place) => whOf(place, name) !== undefined);
      if (!known.some((place) => (whOf(place, name) ?? 0) < 0)) continue;
      if (cells[first]?.isSpread === true) scaleRun(cells, known, name, whOf);
      else carryOver(cells, known, name, whOf);
    }
    first = end;
  }
}

function isSameRun(a: BalanceCell | undefined, b: BalanceCell | undefined): boolean {
  return a !== undefined && b !== undefined && b.bucketMs === a.bucketMs + BUCKET_MS && a.isSpread === b.isSpread;
}

type WhOf = (place: number, name: SiteEnergyName) => number | undefined;

function scaleRun(cells: readonly BalanceCell[], places: readonly number[], name: SiteEnergyName, whOf: WhOf): void {
  const wh = places.map((place) => whOf(place, name) ?? 0);
  const aboveWh = sum(wh.map((each) => Math.max(0, each)));
  const share = aboveWh > 0 ? Math.max(0, sum(wh)) / aboveWh : 0;
  places.forEach((place, index) => {
    const cell = cells[place];
    if (cell !== undefined) cell.energies[name] = Math.max(0, wh[index] ?? 0) * share;
  });
}

function carryOver(cells: readonly BalanceCell[], places: readonly number[], name: SiteEnergyName, whOf: WhOf): void {
  places.forEach((place, index) => {
    let carriedWh = 0;
    for (let at = Math.max(0, index - CARRIED_BUCKETS); at < index; at += 1) {
      const other = places[at] ?? place;
      if (other >= place - CARRIED_BUCKETS) carriedWh = Math.min(0, carriedWh + (whOf(other, name) ?? 0));
    }
    const cell = cells[place];
    if (cell !== undefined) cell.energies[name] = Math.max(0, carriedWh + (whOf(place, name) ?? 0));
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
