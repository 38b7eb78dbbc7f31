import { MAX_LOSS_SHARE } from './power-balance.ts';

/** Energies at the ports of a site over a span, Wh, all >= 0. */
export interface PortEnergies {
  pvWh: number;
  externalWh: number;
  dischargeWh: number;
  importWh: number;
  loadWh: number;
  chargerWh: number;
  chargeWh: number;
  exportWh: number;
}

/**
 * Where the energy went, Wh, all >= 0. Out of each source, losses included, flows exactly what it gave; into each sink,
 * `unexplained` included, exactly what it took. Flows of buckets can be added up to any span.
 */
export interface Flows {
  pvToLoadWh: number;
  pvToChargerWh: number;
  pvToBatteryWh: number;
  pvToGridWh: number;
  pvToLossWh: number;
  externalToLoadWh: number;
  externalToChargerWh: number;
  externalToBatteryWh: number;
  externalToGridWh: number;
  externalToLossWh: number;
  batteryToLoadWh: number;
  batteryToChargerWh: number;
  batteryToGridWh: number;
  batteryToLossWh: number;
  gridToLoadWh: number;
  gridToChargerWh: number;
  gridToBatteryWh: number;
  gridToLossWh: number;
  /** Taken by a sink but given by no source: meters that do not agree. */
  unexplainedToLoadWh: number;
  unexplainedToChargerWh: number;
  unexplainedToBatteryWh: number;
  unexplainedToGridWh: number;
}

export const FLOW_NAMES = [
  'pvToLoadWh',
  'pvToChargerWh',
  'pvToBatteryWh',
  'pvToGridWh',
  'pvToLossWh',
  'externalToLoadWh',
  'externalToChargerWh',
  'externalToBatteryWh',
  'externalToGridWh',
  'externalToLossWh',
  'batteryToLoadWh',
  'batteryToChargerWh',
  'batteryToGridWh',
  'batteryToLossWh',
  'gridToLoadWh',
  'gridToChargerWh',
  'gridToBatteryWh',
  'gridToLossWh',
  'unexplainedToLoadWh',
  'unexplainedToChargerWh',
  'unexplainedToBatteryWh',
  'unexplainedToGridWh',
] as const satisfies readonly (keyof Flows)[];

type Sink = 'load' | 'charger' | 'battery' | 'grid';

/** What is still to be given out and to be filled while energy is allocated. */
class Allocation {
  readonly wanted: Record<Sink, number>;

  constructor(energies: PortEnergies) {
    this.wanted = {
      load: energies.loadWh,
      charger: energies.chargerWh,
      battery: energies.chargeWh,
      grid: energies.exportWh,
    };
  }

  /** Fills sinks in order from an amount; returns what each got and what is left. */
  give(amountWh: number, sinks: readonly Sink[]): { got: Record<Sink, number>; leftWh: number } {
    const got: Record<Sink, number> = { load: 0, charger: 0, battery: 0, grid: 0 };
    let leftWh = amountWh;
    for (const sink of sinks) {
      const partWh = Math.min(leftWh, this.wanted[sink]);
      got[sink] += partWh;
      this.wanted[sink] -= partWh;
      leftWh -= partWh;
    }
    return { got, leftWh };
  }
}

/**
 * Allocates energy by priority: local generation (PV and external in proportion) to the load, then the charger, then the
 * battery, then the grid; the battery to load, charger, grid; what was bought to what remains. Nothing bought is sold within
 * the same span: local sources give to the own use only what import does not cover.
 *
 * A surplus of the sources is conversion loss: of PV first (at most a fifth of it), then of the battery, then of what is left.
 */
export function allocateFlows(energies: PortEnergies): Flows {
  const { pvWh, externalWh, dischargeWh, importWh } = energies;
  const ownUseWh = energies.loadWh + energies.chargerWh + energies.chargeWh;
  const lossWh = Math.max(0, pvWh + externalWh + dischargeWh + importWh - ownUseWh - energies.exportWh);
  const pvLossWh = Math.min(lossWh, pvWh * MAX_LOSS_SHARE);
  const batteryLossWh = Math.min(lossWh - pvLossWh, dischargeWh * MAX_LOSS_SHARE);
  const generatedWh = pvWh - pvLossWh + externalWh;
  const pvShare = generatedWh > 0 ? (pvWh - pvLossWh) / generatedWh : 0;
  const batteryWh = dischargeWh - batteryLossWh;

  const allocation = new Allocation(energies);
  const localWh = Math.max(0, ownUseWh - importWh);
  const selfUse = allocation.give(Math.min(generatedWh, localWh), ['load', 'charger', 'battery']);
  const batteryUse = allocation.give(Math.min(batteryWh, Math.max(0, localWh - generatedWh)), ['load', 'charger']);
  let generationLeftWh = generatedWh - (Math.min(generatedWh, localWh) - selfUse.leftWh);
  let batteryLeftWh = batteryWh - sum(batteryUse.got);
  const bought = allocation.give(importWh, ['load', 'charger', 'battery']);
  const sold = allocation.give(generationLeftWh, ['grid']);
  const soldByBattery = allocation.give(batteryLeftWh, ['grid']);
  generationLeftWh = sold.leftWh;
  batteryLeftWh = soldByBattery.leftWh;
  generationLeftWh = fill(allocation, generationLeftWh, selfUse.got, ['load', 'charger', 'battery']);
  batteryLeftWh = fill(allocation, batteryLeftWh, batteryUse.got, ['load', 'charger']);

  // A battery that charged and discharged within the span: generation charges it, and the battery takes over at the load.
  const swappedWh = Math.min(batteryLeftWh, allocation.wanted.battery, selfUse.got.load);
  selfUse.got.load -= swappedWh;
  selfUse.got.battery += swappedWh;
  batteryUse.got.load += swappedWh;
  allocation.wanted.battery -= swappedWh;
  batteryLeftWh -= swappedWh;

  const pv = (partWh: number): number => partWh * pvShare;
  const external = (partWh: number): number => partWh - partWh * pvShare;
  return {
    pvToLoadWh: pv(selfUse.got.load),
    pvToChargerWh: pv(selfUse.got.charger),
    pvToBatteryWh: pv(selfUse.got.battery),
    pvToGridWh: pv(sold.got.grid),
    pvToLossWh: pvLossWh + pv(generationLeftWh),
    externalToLoadWh: external(selfUse.got.load),
    externalToChargerWh: external(selfUse.got.charger),
    externalToBatteryWh: external(selfUse.got.battery),
    externalToGridWh: external(sold.got.grid),
    externalToLossWh: external(generationLeftWh),
    batteryToLoadWh: batteryUse.got.load,
    batteryToChargerWh: batteryUse.got.charger,
    batteryToGridWh: soldByBattery.got.grid,
    batteryToLossWh: batteryLossWh + batteryLeftWh,
    gridToLoadWh: bought.got.load,
    gridToChargerWh: bought.got.charger,
    gridToBatteryWh: bought.got.battery,
    gridToLossWh: bought.leftWh,
    unexplainedToLoadWh: allocation.wanted.load,
    unexplainedToChargerWh: allocation.wanted.charger,
    unexplainedToBatteryWh: allocation.wanted.battery,
    unexplainedToGridWh: allocation.wanted.grid,
  };
}

/** Gives what a source has left to sinks that are still wanting. */
function fill(allocation: Allocation, leftWh: number, got: Record<Sink, number>, sinks: readonly Sink[]): number {
  const more = allocation.give(leftWh, sinks);
  for (const sink of sinks) got[sink] += more.got[sink];
  return more.leftWh;
}

function sum(parts: Record<Sink, number>): number {
  return parts.load + parts.charger + parts.battery + parts.grid;
}

/** Adds flows of spans up. */
export function addFlows(spans: Iterable<Flows>): Flows {
  const total = Object.fromEntries(FLOW_NAMES.map((name) => [name, 0])) as unknown as Flows;
  for (const flows of spans) for (const name of FLOW_NAMES) total[name] += flows[name];
  return total;
}
