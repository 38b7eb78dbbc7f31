import type { Port } from './device-reckoning.ts';

type Known = { readonly [port in Port]?: bigint };

export interface ReferenceFlows {
  pvToLoad: bigint;
  pvToCharger: bigint;
  pvToBattery: bigint;
  pvToGrid: bigint;
  batteryToLoad: bigint;
  batteryToCharger: bigint;
  batteryToGrid: bigint;
  gridToLoad: bigint;
  gridToCharger: bigint;
  gridToBattery: bigint;
  loss: bigint;
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const notBelow = (amount: bigint): bigint => (amount < 0n ? 0n : amount);

/** A source or a sink of which something is left. */
interface Tank {
  left: bigint;
}

/** Lets flow from a source into a sink what both allow, and no more than a limit. */
function pour(from: Tank, to: Tank, most = from.left): bigint {
  const amount = smaller(smaller(from.left, to.left), most);
  from.left -= amount;
  to.left -= amount;
  return amount;
}

/**
 * Where energy went within five minutes, in the order of docs/domain.md: generation to house, car, battery and grid, then the battery, and what was
 * bought to what remains of the own use, of which it keeps its place; of the surplus at most a fifth of the generation, then of the discharge, is loss.
 */
export function flowsOf(
  known: Known,
  has: Record<'inverter' | 'battery' | 'pile', boolean>,
): ReferenceFlows | undefined {
  const { pv, load, discharge, charge, charger } = known;
  if (load === undefined || known.import === undefined || known.export === undefined) return undefined;
  if (has.inverter && pv === undefined) return undefined;
  if (has.battery && (charge === undefined || discharge === undefined)) return undefined;
  if (has.pile && charger === undefined) return undefined;
  const sun: Tank = { left: pv ?? 0n };
  const battery: Tank = { left: discharge ?? 0n };
  const bought: Tank = { left: known.import };
  const house: Tank = { left: load };
  const car: Tank = { left: charger ?? 0n };
  const store: Tank = { left: charge ?? 0n };
  const sold: Tank = { left: known.export };
  const ownUse = house.left + car.left + store.left;
  const surplus = notBelow(sun.left + battery.left + bought.left - ownUse - sold.left);
  const sunLoss = smaller(surplus, sun.left / 5n);
  const batteryLoss = smaller(surplus - sunLoss, battery.left / 5n);
  sun.left -= sunLoss;
  battery.left -= batteryLoss;

  const flows: ReferenceFlows = {
    pvToLoad: 0n,
    pvToCharger: 0n,
    pvToBattery: 0n,
    pvToGrid: 0n,
    batteryToLoad: 0n,
    batteryToCharger: 0n,
    batteryToGrid: 0n,
    gridToLoad: 0n,
    gridToCharger: 0n,
    gridToBattery: 0n,
    loss: 0n,
  };
  let local = notBelow(ownUse - bought.left);
  const give = (name: keyof ReferenceFlows, from: Tank, to: Tank, most = from.left): bigint => {
    const amount = pour(from, to, most);
    flows[name] += amount;
    return amount;
  };
  local -= give('pvToLoad', sun, house, local);
  local -= give('pvToCharger', sun, car, local);
  local -= give('pvToBattery', sun, store, local);
  local -= give('batteryToLoad', battery, house, local);
  local -= give('batteryToCharger', battery, car, local);
  give('gridToLoad', bought, house);
  give('gridToCharger', bought, car);
  give('gridToBattery', bought, store);
  give('pvToGrid', sun, sold);
  give('batteryToGrid', battery, sold);
  give('pvToLoad', sun, house);
  give('pvToCharger', sun, car);
  give('pvToBattery', sun, store);
  give('batteryToLoad', battery, house);
  give('batteryToCharger', battery, car);
  const swapped = smaller(smaller(battery.left, store.left), flows.pvToLoad);
  flows.pvToLoad -= swapped;
  flows.pvToBattery += swapped;
  flows.batteryToLoad += swapped;
  flows.loss = sunLoss + batteryLoss + sun.left + battery.left - swapped + bought.left;
  return flows;
}
