import type { BatteryPart, PurchaseObstacle } from '@sonnenwarte/contract/ems/ems';
import { boundedRule, settingRule } from '@sonnenwarte/device-protocol/settings/setting-rules';
import {
  DISCHARGE_LIMIT,
  isPrimary,
  isSecondary,
  minSocOf,
  numberOf,
  PURCHASE_LIMIT,
  type PurchaseDevice,
  type PurchaseSetting,
  purchaseSettings,
  WORK_MODE,
} from './purchase.store.ts';

export const PEAK_SHAVING = 5;
/** Values that are older say nothing of now. */
export const OLDEST_VALUE_MS = 75_000;
/** Who has refused is told nothing for so long. */
export const REFUSED_FOR_MS = 10 * 60_000;
/** What a battery holds so little above its minimum is nothing to count on. */
const EMPTY_BELOW_PERCENT = 1;

/** An inverter that discharges a battery, with what is known of that. */
export interface BatteryInverter {
  readonly device: PurchaseDevice;
  readonly part: BatteryPart;
  readonly socPercent: number | null;
  /** + given, - taken. */
  readonly batteryW: number | null;
  /** What its battery holds above its minimum, Wh. */
  readonly usableWh: number;
  /** What it may give at most: as it said; as somebody has set it beside the controller; as it was told and has not confirmed. */
  readonly capW: number | null;
  readonly ownW: number | null;
  readonly pendingW: number | null;
  /** Most that its battery can give now beside what the sun gives. */
  readonly mostW: number;
}

const tells = (device: PurchaseDevice, name: PurchaseSetting): boolean =>
  (device.settings[name]?.told ?? null) !== null && ruleFor(device, name) !== undefined;

/** The rule of a setting that may be written; undefined where it may not, or the model does not have it. */
function ruleFor(device: PurchaseDevice, name: PurchaseSetting) {
  const { kind, model, firmware, settings } = device;
  const rule = settingRule({ kind, model, firmware }, name);
  const { low = null, high = null, isReadOnly = false } = settings[name] ?? {};
  const bounded = rule && boundedRule(rule, { low, high, isReadOnly });
  return bounded === undefined || bounded.isReadOnly ? undefined : bounded;
}

/** Whether a device can hold what is bought by its own controller: it has the settings, and may be written. */
export const canHold = (device: PurchaseDevice): boolean =>
  tells(device, PURCHASE_LIMIT) &&
  tells(device, WORK_MODE) &&
  ruleFor(device, WORK_MODE)?.options.some(({ value }) => value === PEAK_SHAVING) === true;

/** Most that can be set as a limit of what is bought, W. */
export const mostLimitW = (devices: readonly PurchaseDevice[], otherwiseW: number): number =>
  Math.min(otherwiseW, ...devices.map((device) => ruleFor(device, PURCHASE_LIMIT)?.high ?? otherwiseW));

/** Inverters whose batteries the portal can have hold a limit. */
export const dischargers = (devices: readonly PurchaseDevice[]): PurchaseDevice[] =>
  devices.filter((device) => device.kind === 'inverter' && canHold(device) && tells(device, DISCHARGE_LIMIT));

/** The device whose own controller can hold a limit: the EMS unit, or the only inverter. */
export function purchaseHolder(devices: readonly PurchaseDevice[]): PurchaseDevice | undefined {
  const inverters = devices.filter(({ kind }) => kind === 'inverter');
  return devices.find(({ kind }) => kind === 'ems') ?? (inverters.length === 1 ? inverters[0] : undefined);
}

const hasBattery = (devices: readonly PurchaseDevice[]): boolean => devices.some(({ kind }) => kind === 'battery');

/** Why no device can hold what is bought here. */
export function deviceObstacle(devices: readonly PurchaseDevice[], followsPlan: boolean): PurchaseObstacle | null {
  if (!hasBattery(devices)) return 'noBattery';
  const holder = purchaseHolder(devices);
  if (holder === undefined) return 'noHolder';
  if (!canHold(holder)) return 'noSetting';
  return followsPlan ? 'followsPlan' : null;
}

/** Why the portal cannot hold it. */
export function portalObstacle(
  devices: readonly PurchaseDevice[],
  gridW: number | null,
  followsPlan: boolean,
): PurchaseObstacle | null {
  if (!hasBattery(devices)) return 'noBattery';
  if (devices.some(({ kind }) => kind === 'ems')) return 'directedByEms';
  const able = dischargers(devices);
  if (able.length === 0) return 'noSetting';
  if (able.some(({ ratedW }) => ratedW === null || ratedW <= 0)) return 'noRating';
  if (gridW === null) return 'noGridPower';
  return followsPlan ? 'followsPlan' : null;
}

/** Whether one of the inverters directs the others. */
export const isGroup = (devices: readonly PurchaseDevice[]): boolean =>
  devices.some(isPrimary) && devices.some(isSecondary);

/**
 * Inverters with their batteries. Nobody tells which battery is whose: of a datalogger with as many of both they go together in the order of their serial
 * numbers, else each inverter has a part of all by its rating.
 */
export function batteryInverters(
  devices: readonly PurchaseDevice[],
  nowMs: number,
  setAtMs: number | null = null,
): BatteryInverter[] {
  const inverters = dischargers(devices);
  return inverters.map((device) => {
    const beside = inverters.filter(({ loggerId }) => loggerId === device.loggerId);
    const batteries = devices.filter(({ kind, loggerId }) => kind === 'battery' && loggerId === device.loggerId);
    const isPaired = beside.length === batteries.length;
    const own = isPaired ? batteries.slice(beside.indexOf(device), beside.indexOf(device) + 1) : batteries;
    const ratedW = device.ratedW ?? 0;
    const ofAllW = beside.reduce((sum, { ratedW: each }) => sum + (each ?? 0), 0);
    return withBatteries(device, own, isPaired || ofAllW <= 0 ? 1 : ratedW / ofAllW, nowMs, setAtMs);
  });
}

function withBatteries(
  device: PurchaseDevice,
  all: readonly PurchaseDevice[],
  part: number,
  nowMs: number,
  setAtMs: number | null,
): BatteryInverter {
  const ratedW = device.ratedW ?? 0;
  const heard = all.filter(({ tsMs, state }) => state !== 'offline' && !isOld(tsMs, nowMs));
  const lowest = minSocOf(device) + EMPTY_BELOW_PERCENT;
  const usableWh = heard.reduce(
    (sum, { socPercent, capacityWh }) =>
      // As long as nobody has told what it holds, an hour of the inverter's rating.
      sum + (Math.max(0, (socPercent ?? 0) - lowest) / 100) * (capacityWh ?? ratedW),
    0,
  );
  const powers = heard.flatMap(({ powerW }) => powerW ?? []);
  const batteryW = powers.length === 0 ? null : part * powers.reduce((sum, w) => sum + w, 0);
  const { told = null, own = null } = device.settings[DISCHARGE_LIMIT] ?? {};
  const ownW = numberOf(own) ?? numberOf(told);
  const sunW = Math.max(0, (device.powerW ?? 0) - (batteryW ?? 0));
  const socs = heard.flatMap(({ socPercent }) => socPercent ?? []);
  return {
    device,
    part: partOf(device, heard.length > 0, part * usableWh, nowMs, setAtMs),
    socPercent: socs.length === 0 ? null : socs.reduce((sum, soc) => sum + soc, 0) / socs.length,
    batteryW,
    usableWh: part * usableWh,
    capW: numberOf(told),
    ownW,
    pendingW: numberOf(device.pending[DISCHARGE_LIMIT]?.value),
    mostW: Math.max(0, Math.min(ownW ?? ratedW, ratedW - sunW)),
  };
}

function partOf(
  device: PurchaseDevice,
  isHeard: boolean,
  usableWh: number,
  nowMs: number,
  setAtMs: number | null,
): BatteryPart {
  if (setAtMs !== null && isSetOtherwise(device, setAtMs)) return 'own';
  if (!isHeard || device.state === 'offline' || isOld(device.tsMs, nowMs)) return 'away';
  if (device.refusedMs !== null && nowMs - device.refusedMs < REFUSED_FOR_MS) return 'refused';
  return usableWh > 0 ? 'holds' : 'empty';
}

/** Somebody, or the device itself, has set its mode or its target otherwise since the limit was set: that counts. */
const isSetOtherwise = ({ settings }: PurchaseDevice, setAtMs: number): boolean =>
  [WORK_MODE, PURCHASE_LIMIT].some((name) => {
    const { source = null, sinceMs = null, isDrifted = false } = settings[name] ?? {};
    return sinceMs !== null && sinceMs > setAtMs && (source !== 'ems' || isDrifted);
  });

export const isOld = (tsMs: number | null, nowMs: number): boolean => tsMs === null || nowMs - tsMs > OLDEST_VALUE_MS;

/** What a device had before something was set at it for a limit; of that alone which nobody, nor the device itself, has set since. */
export const givenBack = (device: PurchaseDevice): Partial<Record<PurchaseSetting, number>> =>
  Object.fromEntries(
    purchaseSettings.flatMap((name) => {
      const { told = null, own = null, source = null, isDrifted = false } = device.settings[name] ?? {};
      const pending = device.pending[name];
      const isOurs = pending?.isOurs ?? (source === 'ems' && !isDrifted);
      const [before, after] = [numberOf(own), numberOf(pending?.value ?? told)];
      return isOurs && before !== null && before !== after ? [[name, before]] : [];
    }),
  );
