import type { SitePorts } from './site-topology.ts';

/** Corrections and powers below this are not worth showing, W. */
export const FLOW_TOLERANCE_W = 20;

/** Conversion loss that a port can carry, as a share of its power; what goes beyond is no loss but a wrong reading. */
export const MAX_LOSS_SHARE = 0.2;

/**
 * What inverters lose whatever they convert, as a share of their AC rating; at dawn it is more than a fifth of the power.
 * PVWatts v5 (Dobos, NREL/TP-6A20-62641) has 0.59 %, to which stand-by and spread are added.
 */
export const STANDING_LOSS_SHARE = 0.01;

export type SitePowerName = 'pv' | 'external' | 'battery' | 'grid' | 'load' | 'charger' | 'inverterAc';

/** Powers of a site as its devices measure them, W; undefined = not measured. */
export interface MeasuredPowers {
  /** DC side of the arrays. */
  pvW: number | undefined;
  /** AC terminals of all inverters, + = delivered. */
  acW: number | undefined;
  externalW: number | undefined;
  batteryW: number | undefined;
  gridW: number | undefined;
  loadW: number | undefined;
  chargerW: number | undefined;
  /** Sum of the AC ratings of all inverters; undefined = not known. */
  ratedW?: number | undefined;
}

/**
 * Powers at the AC bus, undefined counting as nought: `pv + external + battery + grid = load + charger`, and where PV or
 * battery are known `inverterAc = pv + battery`.
 */
export interface BalancedPowers {
  pvW?: number;
  externalW?: number;
  batteryW?: number;
  gridW?: number;
  loadW?: number;
  chargerW?: number;
  inverterAcW?: number;
  /** What the inverters lose between their DC ports and the bus; already taken off pv and battery. */
  lossW?: number;
  /** Not measured, or moved by more than `FLOW_TOLERANCE_W` so that all add up. */
  derived: SitePowerName[];
}

/**
 * Makes the measured powers add up at the AC bus.
 *
 * 1. Unknown ones are derived where exactly one is unknown: load from the rest, else grid, charger or external generation.
 * 2. Conversion loss, the difference between the DC ports and the AC terminals, is taken off PV, then the battery: at most a
 *    fifth of each, or what the inverters lose whatever they convert (`STANDING_LOSS_SHARE`).
 * 3. What is then left over goes to the load; a load that would become negative stays 0 and the grid takes the rest.
 *
 * Where the grid and the load are both unknown nothing can be balanced: the measured powers are given as they are.
 */
export function balancePowers(measured: MeasuredPowers, ports: SitePorts): BalancedPowers {
  const derived = new Set<SitePowerName>();
  const known = withoutNegative(measured);
  if (known.acW === undefined && (known.pvW !== undefined || known.batteryW !== undefined)) {
    known.acW = losslessAcW(known, ports);
    if (known.acW !== undefined) derived.add('inverterAc');
  }
  if (known.acW === undefined && !ports.hasInverter && known.pvW === undefined && known.batteryW === undefined)
    known.acW = 0;
  deriveMissing(known, ports, derived);
  const { acW, loadW, gridW } = known;
  if (acW === undefined || loadW === undefined || gridW === undefined || isOpen(known, ports)) {
    return asMeasured(withoutNegative(measured), derived);
  }
  if (known.pvW === undefined && ports.hasInverter && (known.batteryW !== undefined || !ports.hasBattery)) {
    known.pvW = Math.max(0, acW - (known.batteryW ?? 0));
    derived.add('pv');
  }
  return settle(known, acW, gridW, loadW, derived);
}

/** Buckets that were stored before readings were cut may hold powers below 0 that flow one way only. */
function withoutNegative(measured: MeasuredPowers): MeasuredPowers {
  const cut = (powerW: number | undefined): number | undefined =>
    powerW === undefined ? undefined : Math.max(0, powerW);
  return {
    ...measured,
    pvW: cut(measured.pvW),
    externalW: cut(measured.externalW),
    loadW: cut(measured.loadW),
    chargerW: cut(measured.chargerW),
  };
}

function losslessAcW(known: MeasuredPowers, ports: SitePorts): number | undefined {
  if (known.pvW === undefined && ports.hasInverter) return undefined;
  if (known.batteryW === undefined && ports.hasBattery) return undefined;
  return (known.pvW ?? 0) + (known.batteryW ?? 0);
}

function isOpen(known: MeasuredPowers, ports: SitePorts): boolean {
  return (known.chargerW === undefined && ports.hasCharger) || (known.externalW === undefined && ports.hasExternal);
}

function deriveMissing(known: MeasuredPowers, ports: SitePorts, derived: Set<SitePowerName>): void {
  const { acW } = known;
  if (acW === undefined) return;
  const unknown: SitePowerName[] = [];
  if (known.loadW === undefined) unknown.push('load');
  if (known.gridW === undefined) unknown.push('grid');
  if (known.chargerW === undefined && ports.hasCharger) unknown.push('charger');
  if (known.externalW === undefined && ports.hasExternal) unknown.push('external');
  const [only] = unknown;
  if (unknown.length !== 1 || only === undefined) return;
  const surplusW = acW + (known.externalW ?? 0) + (known.gridW ?? 0) - (known.loadW ?? 0) - (known.chargerW ?? 0);
  if (only === 'load') known.loadW = Math.max(0, surplusW);
  else if (only === 'grid') known.gridW = -surplusW;
  else if (only === 'charger') known.chargerW = Math.max(0, surplusW);
  else known.externalW = Math.max(0, -surplusW);
  derived.add(only);
}

function asMeasured(measured: MeasuredPowers, derived: Set<SitePowerName>): BalancedPowers {
  return defined({ ...measured, inverterAcW: measured.acW }, measured.acW === undefined ? [] : [...derived]);
}

function settle(
  known: MeasuredPowers,
  acMeasuredW: number,
  gridMeasuredW: number,
  loadMeasuredW: number,
  derived: Set<SitePowerName>,
): BalancedPowers {
  const externalW = known.externalW ?? 0;
  const chargerW = known.chargerW ?? 0;
  let acW = acMeasuredW;
  // Without AC readings what is missing at the load is the inverters' loss, as far as it can be.
  if (derived.has('inverterAc') && !derived.has('load') && !derived.has('grid')) {
    acW = loadMeasuredW + chargerW - externalW - gridMeasuredW;
  }
  const dcW = (known.pvW ?? 0) + (known.batteryW ?? 0);
  const isDcKnown = known.pvW !== undefined || known.batteryW !== undefined;
  const lossW = isDcKnown ? dcW - acW : 0;
  const standingW = (known.ratedW ?? 0) * STANDING_LOSS_SHARE;
  const pvLossW = limitedLossW(lossW, known.pvW ?? 0, standingW);
  const batteryLossW = limitedLossW(lossW - pvLossW, known.batteryW ?? 0, Math.max(0, standingW - pvLossW));
  const pvW = (known.pvW ?? 0) - pvLossW;
  const batteryW = (known.batteryW ?? 0) - batteryLossW;
  const busW = isDcKnown ? pvW + batteryW : acW;
  let gridW = gridMeasuredW;
  let loadW = busW + externalW + gridW - chargerW;
  if (loadW < 0) {
    gridW -= loadW;
    loadW = 0;
  }
  if (Math.abs(loadW - loadMeasuredW) > FLOW_TOLERANCE_W) derived.add('load');
  if (Math.abs(gridW - gridMeasuredW) > FLOW_TOLERANCE_W) derived.add('grid');
  if (Math.abs(busW - acMeasuredW) > FLOW_TOLERANCE_W) derived.add('inverterAc');
  return defined(
    {
      pvW: known.pvW === undefined ? undefined : pvW,
      batteryW: known.batteryW === undefined ? undefined : batteryW,
      externalW: known.externalW,
      chargerW: known.chargerW,
      gridW,
      loadW,
      inverterAcW: busW,
      lossW: pvLossW + batteryLossW,
    },
    [...derived],
  );
}

function limitedLossW(lossW: number, portW: number, standingW: number): number {
  const sizeW = Math.abs(portW);
  const shareW = sizeW * MAX_LOSS_SHARE;
  return Math.min(Math.max(shareW, Math.min(sizeW, standingW)), Math.max(-shareW, lossW));
}

function defined(
  powers: { [name in Exclude<keyof BalancedPowers, 'derived'>]?: number | undefined },
  derived: SitePowerName[],
): BalancedPowers {
  const result: BalancedPowers = { derived };
  const names = ['pvW', 'externalW', 'batteryW', 'gridW', 'loadW', 'chargerW', 'inverterAcW', 'lossW'] as const;
  for (const name of names) {
    const value = powers[name];
    if (value !== undefined) result[name] = value;
  }
  return result;
}
