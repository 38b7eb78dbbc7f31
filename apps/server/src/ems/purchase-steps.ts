import type { DispatchReason } from '@sonnenwarte/contract/ems/ems';
import {
  type DischargingUnit,
  dividedPurchase,
  type PurchaseReason,
  purchaseTargets,
} from '@sonnenwarte/energy/grid-limit/purchase-limit';
import {
  DISCHARGE_LIMIT,
  isSecondary,
  numberOf,
  PURCHASE_LIMIT,
  type PurchaseDevice,
  type PurchaseSetting,
  WORK_MODE,
} from './purchase.store.ts';
import {
  type BatteryInverter,
  batteryInverters,
  givenBack,
  isGroup,
  isOld,
  PEAK_SHAVING,
  purchaseHolder,
} from './purchase-units.ts';

export interface PurchaseTold {
  readonly device: PurchaseDevice;
  readonly reason: DispatchReason;
  readonly values: Partial<Record<PurchaseSetting, number>>;
  /** What its battery may give, before and then. */
  readonly fromW: number | null;
  readonly toW: number;
}

export interface PurchaseStep {
  readonly gridW: number | null;
  /** What batteries have to give. */
  readonly needW: number | null;
  readonly told: readonly PurchaseTold[];
  /** Only the shares were set anew, which can wait. */
  readonly isOnlyShared: boolean;
}

export interface PurchaseGround {
  readonly gridW: number | null;
  readonly measuredMs: number | null;
  readonly limitW: number;
  readonly setAtMs: number | null;
  /** Shares may be set anew although the limit holds. */
  readonly mayShare: boolean;
}

/** Meters and steps of limits are no better than this share, and this power, W. */
const WITHIN = 1.03;
const LEAST_W = 50;

const reasonNames: Readonly<Record<Exclude<PurchaseReason, 'held'>, DispatchReason>> = {
  raised: 'peakRaised',
  lowered: 'peakLowered',
  shared: 'peakShared',
};

/** What counts of an inverter that has not answered yet: the least that it may give. */
const capInForce = ({ capW, pendingW, ownW }: BatteryInverter): number | null => {
  const capsW = [capW, pendingW].flatMap((w) => w ?? []);
  const leastW = capsW.length === 0 ? null : Math.min(...capsW);
  return leastW === null || (ownW !== null && leastW >= ownW) ? null : leastW;
};

const numberTold = ({ settings, pending }: PurchaseDevice, name: PurchaseSetting): number | null =>
  numberOf(pending[name]?.value ?? settings[name]?.told);

/** Whether it is the one that begins at a grid power. */
const beginsAt = ({ device }: BatteryInverter, targetW: number): boolean =>
  numberTold(device, PURCHASE_LIMIT) === targetW;

/**
 * What inverters are told next, so that no more is bought than may be. One that has not answered yet is told nothing meanwhile; one that is not heard, has
 * refused, or was set otherwise by somebody is none of them.
 */
export function nextPurchaseStep(
  ground: PurchaseGround,
  devices: readonly PurchaseDevice[],
  nowMs: number,
): PurchaseStep {
  const { limitW, setAtMs, mayShare } = ground;
  const taking = batteryInverters(devices, nowMs, setAtMs).filter(({ part }) => part === 'holds' || part === 'empty');
  const isKnown = ground.gridW !== null && !isOld(ground.measuredMs, nowMs);
  const gridW = isKnown ? ground.gridW : null;
  const regulates = isGroup(devices) ? 'one' : 'each';
  const { leaderW, othersW } = purchaseTargets(limitW);
  const { reason, needW, caps, leaderId } = dividedPurchase(
    { gridW: gridW ?? undefined, peakLimitW: limitW, regulates },
    taking.map(
      (unit): DischargingUnit => ({
        id: unit.device.id,
        mostW: unit.mostW,
        usableWh: unit.usableWh,
        batteryW: unit.batteryW ?? 0,
        capW: capInForce(unit),
        leads: leaderW !== othersW && beginsAt(unit, leaderW),
      }),
    ),
  );
  /** The grid power at which one is to begin; null where its primary says so. */
  const targetFor = (device: PurchaseDevice): number | null => {
    if (regulates === 'one') return isSecondary(device) ? null : leaderW;
    // While no battery has anything to give, who leads stays as it is.
    const isLeft = leaderId === undefined && numberTold(device, PURCHASE_LIMIT) === othersW;
    return device.id === leaderId || (leaderId === undefined && !isLeft) ? leaderW : othersW;
  };
  const isOnlyShared = reason === 'shared';
  const divides = reason !== 'held' && (mayShare || !isOnlyShared);
  const told = taking.flatMap((unit): PurchaseTold[] => {
    const { device, ownW, capW } = unit;
    if (Object.keys(device.pending).length > 0) return [];
    const begun: Partial<Record<PurchaseSetting, number>> = {};
    if (numberTold(device, WORK_MODE) !== PEAK_SHAVING) begun[WORK_MODE] = PEAK_SHAVING;
    const targetW = targetFor(device);
    if (targetW !== null && numberTold(device, PURCHASE_LIMIT) !== targetW) begun[PURCHASE_LIMIT] = targetW;
    const leastW = device.settings[DISCHARGE_LIMIT]?.low ?? 0;
    const wantedW = Math.max(leastW, Math.round(caps.get(device.id) ?? ownW ?? unit.mostW));
    const isCapped = divides && unit.part === 'holds' && wantedW !== capW;
    const values = { ...begun, ...(isCapped && { [DISCHARGE_LIMIT]: wantedW }) };
    if (Object.keys(values).length === 0) return [];
    const why = WORK_MODE in begun || reason === 'held' ? 'peakBegun' : reasonNames[reason];
    return [{ device, reason: why, values, fromW: capW, toW: isCapped ? wantedW : (capW ?? unit.mostW) }];
  });
  return { gridW, needW: isKnown ? needW : null, told, isOnlyShared };
}

/** What a device is told that holds a limit by its own controller. */
export const heldByDevice = (device: PurchaseDevice, limitW: number): Partial<Record<PurchaseSetting, number>> => ({
  ...(numberTold(device, WORK_MODE) !== PEAK_SHAVING && { [WORK_MODE]: PEAK_SHAVING }),
  ...(numberTold(device, PURCHASE_LIMIT) !== limitW && { [PURCHASE_LIMIT]: limitW }),
});

/**
 * The portal holds no limit of what is bought any more: every device gets back what it had before, but for one that goes on holding it by its own
 * controller, which gets back the power that it may give alone.
 */
export const endingPurchase = (devices: readonly PurchaseDevice[], holderId?: string): PurchaseStep => ({
  gridW: null,
  needW: null,
  isOnlyShared: false,
  told: devices.flatMap((device): PurchaseTold[] => {
    const { [DISCHARGE_LIMIT]: dischargeW, ...mode } = givenBack(device);
    const values = {
      ...(dischargeW !== undefined && { [DISCHARGE_LIMIT]: dischargeW }),
      ...(device.id !== holderId && mode),
    };
    if (Object.keys(values).length === 0) return [];
    const fromW = numberOf(device.settings[DISCHARGE_LIMIT]?.told);
    return [{ device, reason: 'released', values, fromW, toW: dischargeW ?? fromW ?? 0 }];
  }),
});

/**
 * What is bought beyond a limit, and why: no battery has anything to give; they give all they can; or it is being dealt with. Null where no more is bought
 * than may be, within what meters are good for.
 */
export function shortfallOf(
  {
    gridW,
    measuredMs,
    limitW,
    setAtMs,
    controller,
  }: Omit<PurchaseGround, 'mayShare'> & { controller: 'device' | 'portal' },
  devices: readonly PurchaseDevice[],
  nowMs: number,
): { missingW: number; why: 'empty' | 'weak' | 'underWay' } | null {
  if (gridW === null || isOld(measuredMs, nowMs) || gridW <= limitW * WITHIN + LEAST_W) return null;
  const missingW = gridW - limitW;
  const units = batteryInverters(devices, nowMs, controller === 'portal' ? setAtMs : null);
  const isDirected = controller === 'device' && purchaseHolder(devices)?.kind === 'ems';
  const able = units.filter(({ part }) => part === 'holds');
  if (able.length === 0) return { missingW, why: isDirected && units.length === 0 ? 'underWay' : 'empty' };
  const restW = able.reduce((sum, { mostW, batteryW }) => sum + Math.max(0, mostW - (batteryW ?? 0)), 0);
  return { missingW, why: restW < missingW ? 'weak' : 'underWay' };
}
