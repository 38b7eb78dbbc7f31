import { filled } from './filled.ts';

/** An inverter whose battery may give what is bought beyond a limit. Powers in W at its AC terminals. */
export interface DischargingUnit {
  readonly id: string;
  /** Most that its battery can give now, beside what the sun gives. */
  readonly mostW: number;
  /** What the battery holds above its minimum, Wh; 0 where it is empty, or nobody knows. */
  readonly usableWh: number;
  /** What the battery gives now; below 0 where it takes. */
  readonly batteryW: number;
  /** What it may give at most, as it was told; `null` where it is free. */
  readonly capW: number | null;
  /** It is the one that regulates, as it was told. */
  readonly leads: boolean;
}

export interface PurchasePoint {
  /** + bought, - sold; `undefined` where nobody measures it, or its newest value is too old. */
  readonly gridW: number | undefined;
  /** Most that may be bought, W. */
  readonly peakLimitW: number;
  /** Whether each inverter regulates by its own measurement, or one of them directs the others (a parallel group). */
  readonly regulates: 'each' | 'one';
}

/**
 * Why batteries give what they do. `held`: what they were told does. `raised`: more would be bought than may be. `lowered`: they may give more
 * together than is needed. `shared`: their shares follow the energy that is left.
 */
export type PurchaseReason = 'held' | 'raised' | 'lowered' | 'shared';

export interface PurchaseDecision {
  readonly reason: PurchaseReason;
  /** What batteries have to give so that no more is bought than may be, W; 0 where nothing is needed, or that is not known. */
  readonly needW: number;
  /** What all of them together cannot give of it, W. */
  readonly missingW: number;
  /** The part of each in the need, W. They add up to no more than it. */
  readonly shares: ReadonlyMap<string, number>;
  /** What each may give at most, W; `null` is free. The same as before where the reason is `held`. */
  readonly caps: ReadonlyMap<string, number | null>;
  /** The one that regulates; none where one directs the others, or none can give anything. */
  readonly leaderId: string | undefined;
}

/** The grid powers at which inverters begin to discharge, W. */
export interface PurchaseTargets {
  /** Of the one that regulates. */
  readonly leaderW: number;
  /** Of the others: below it, so that they give all of their share before it begins. */
  readonly othersW: number;
}

/** Kept below the limit, for the error of meters: share of the limit. */
const MARGIN = 0.01;
/** Between the targets of the others and of the one that regulates: share of the limit. */
const APART = 0.01;
/** Less than this is worth no command: share of what all can give. */
const WORTH = 0.02;
/** What is missing of the need is worth one from here on at the latest: share of the limit, and W. */
const MISSED = 0.015;
const LEAST_MISSED_W = 100;
/** Shares that are further from those of the energies that are left are set anew: share of what all can give. */
const FAR = 0.1;
/** What a parallel group may give beyond the need, for loads that come: share of the need. */
const RESERVE = 0.25;

/** Grid powers at which inverters begin to discharge so that no more is bought than a limit, W. */
export const purchaseTargets = (peakLimitW: number): PurchaseTargets => ({
  leaderW: Math.floor(peakLimitW * (1 - MARGIN)),
  othersW: Math.floor(peakLimitW * (1 - MARGIN - APART)),
});

/**
 * Divides what batteries have to give, so that no more is bought than a limit, among those that can: in proportion to the energy that is left, none
 * above what it can give. Each inverter measures the grid point and gives what is bought above its target, up to its cap. Two that regulate the same
 * point would swing against each other; so one leads, uncapped, while the others have their share (of a little less than the need) for a cap, and a lower
 * target: at the leader's target they give all of their cap, and the leader the rest, by itself and at once where a load comes or goes. In a parallel
 * group the primary regulates for all; there the caps are as wide as their proportion lets them be.
 */
export function dividedPurchase(point: PurchasePoint, units: readonly DischargingUnit[]): PurchaseDecision {
  const able = units.filter(isAble).sort((a, b) => (a.id < b.id ? -1 : 1));
  const mostW = sumOf(able, (unit) => unit.mostW);
  const batteryW = sumOf(units, (unit) => unit.batteryW);
  const targetW = purchaseTargets(point.peakLimitW).leaderW;
  const needW = point.gridW === undefined ? 0 : Math.max(0, point.gridW + batteryW - targetW);
  const shares = sharesOf(needW, able);
  const leader = point.regulates === 'each' ? leaderOf(able) : undefined;
  const wanted =
    point.regulates === 'each' ? capsBeside(leader, needW - WORTH * mostW, able) : capsOfGroup(needW, able);
  const missedW = Math.min(WORTH * mostW, Math.max(LEAST_MISSED_W, MISSED * point.peakLimitW));
  const reason = reasonFor({ needW, mostW, missedW, wanted, leader }, able);
  const inForce = new Map(units.map((unit) => [unit.id, unit.capW]));
  return {
    reason,
    needW,
    missingW: Math.max(0, needW - mostW),
    shares,
    caps: reason === 'held' ? inForce : new Map([...inForce, ...wanted]),
    leaderId: leader?.id,
  };
}

const isAble = (unit: DischargingUnit): boolean => unit.usableWh > 0 && unit.mostW > 0;

const capOf = (unit: DischargingUnit): number => Math.min(unit.mostW, unit.capW ?? unit.mostW);

/** Who leads goes on as long as it can give anything; else it is who can give most. */
function leaderOf(able: readonly DischargingUnit[]): DischargingUnit | undefined {
  const most = able.reduce<DischargingUnit | undefined>(
    (best, unit) => (best === undefined || unit.mostW > best.mostW ? unit : best),
    undefined,
  );
  return able.find(({ leads }) => leads) ?? most;
}

function sharesOf(powerW: number, able: readonly DischargingUnit[]): Map<string, number> {
  const shares = filled(
    powerW,
    able.map((unit) => unit.usableWh),
    able.map((unit) => unit.mostW),
  );
  return new Map(able.map((unit, place) => [unit.id, Math.floor((shares[place] ?? 0) + 1e-6)]));
}

/** Their shares of a little less than the need, so that it may fall a little before the others are too many; who leads is free. */
function capsBeside(
  leader: DischargingUnit | undefined,
  powerW: number,
  able: readonly DischargingUnit[],
): Map<string, number | null> {
  const shares = sharesOf(Math.max(0, powerW), able);
  return new Map([...shares].map(([id, w]) => [id, id === leader?.id ? null : w]));
}

/** In proportion to the energies as far as that goes without one at its most; beyond it with a reserve. */
function capsOfGroup(needW: number, able: readonly DischargingUnit[]): Map<string, number | null> {
  const usableWh = sumOf(able, (unit) => unit.usableWh);
  const evenW = Math.min(...able.map((unit) => (unit.mostW * usableWh) / unit.usableWh));
  const caps = sharesOf(Math.max(evenW, needW * (1 + RESERVE)), able);
  return new Map(
    able.map((unit) => [unit.id, (caps.get(unit.id) ?? 0) >= Math.floor(unit.mostW) ? null : (caps.get(unit.id) ?? 0)]),
  );
}

interface Wanted {
  readonly needW: number;
  readonly mostW: number;
  /** What may be missing of the need before anybody is told to give more. */
  readonly missedW: number;
  readonly wanted: ReadonlyMap<string, number | null>;
  readonly leader: DischargingUnit | undefined;
}

function reasonFor(
  { needW, mostW, missedW, wanted, leader }: Wanted,
  able: readonly DischargingUnit[],
): PurchaseReason {
  const wantedOf = (unit: DischargingUnit): number => Math.min(unit.mostW, wanted.get(unit.id) ?? unit.mostW);
  const differsBy = (unit: DischargingUnit): number => Math.abs(capOf(unit) - wantedOf(unit));
  const isSame = able.every((unit) => differsBy(unit) < 1);
  if (isSame) return 'held';
  if (leader !== undefined && capOf(leader) < leader.mostW) return 'raised';
  // Who stays at rest needs to be told nothing.
  if (needW <= 0) return 'held';
  const mayGiveW = sumOf(able, capOf);
  if (Math.min(needW, mostW) - mayGiveW > missedW) return 'raised';
  if (leader !== undefined && mayGiveW - capOf(leader) > needW) return 'lowered';
  return able.some((unit) => differsBy(unit) > FAR * mostW) ? 'shared' : 'held';
}

const sumOf = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((sum, each) => sum + of(each), 0);
