import type { ReasonKind } from '@sonnenwarte/energy/insight/reasons';
import type { WeekLoss } from '@sonnenwarte/energy/insight/week-loss';
import type { FaultName } from '../faults.ts';
import type { Climate } from '../fleet.ts';
import type { WantedPlant } from './neighbourhood.ts';

/** Seasons of the year as a place has them: winter in June south of the equator. */
export const seasons = ['spring', 'summer', 'autumn', 'winter'] as const;
export type Season = (typeof seasons)[number];

/** Where plants stand, and in which season. */
export interface Setting {
  climate: Climate;
  season: Season;
}

export interface FaultCase {
  name: string;
  /** Injected; without one the plant itself is built so. */
  fault?: FaultName;
  /** Only where and when it can be. */
  setting?: Setting;
  wanted?: WantedPlant;
  /** Days before the week at which it begins; within the week without it. */
  leadDays?: number;
  /** Hours that it lasts, drawn between; to the end of the week without it. */
  hours?: readonly [least: number, most: number];
  /** The first reason that is right; null = none. */
  right: { kind: ReasonKind; alarm?: number } | null;
  /** What it cost is not to be known, or nothing. */
  isCostUnknown?: boolean;
}

/** Where snow lies. */
export const snowy: Setting = { climate: 'temperate', season: 'winter' };

/** An inverter that has to work hard in sunshine, so that a cap costs something. */
const busy: WantedPlant = { ratedPerWp: 0.75 };

const stopped = (fault: FaultName, alarm: number, wanted: WantedPlant = {}): FaultCase => ({
  name: fault,
  fault,
  wanted,
  hours: [6, 60],
  right: { kind: 'alarm', alarm },
});

export const faultCases: readonly FaultCase[] = [
  stopped('grid-over-voltage', 1001),
  stopped('grid-under-voltage', 1002),
  { ...stopped('grid-over-frequency', 1003, busy), hours: [72, 144] },
  stopped('grid-lost', 1005),
  { name: 'string-open', fault: 'string-open', right: { kind: 'string-weak' } },
  { name: 'string-weak', fault: 'string-weak', right: { kind: 'string-weak' } },
  stopped('insulation-low', 2001),
  stopped('arc-fault', 2003),
  { name: 'fan-failure', fault: 'fan-failure', wanted: busy, right: { kind: 'alarm', alarm: 3002 } },
  { name: 'over-temperature', fault: 'over-temperature', wanted: busy, right: { kind: 'alarm', alarm: 3003 } },
  stopped('internal-communication', 3005),
  { name: 'bms-lost', fault: 'bms-lost', wanted: { hasBattery: true }, right: { kind: 'alarm', alarm: 4001 } },
  { name: 'battery-cold', fault: 'battery-cold', wanted: { hasBattery: true }, right: { kind: 'alarm', alarm: 4005 } },
  { name: 'meter-lost', fault: 'meter-lost', hours: [24, 72], right: { kind: 'alarm', alarm: 5001 } },
  { name: 'meter-ct-reversed', fault: 'meter-ct-reversed', right: { kind: 'meter-wrong' } },
  { name: 'silent-logger', fault: 'silent-logger', hours: [24, 72], right: { kind: 'offline' }, isCostUnknown: true },
  { name: 'comms-drop', fault: 'comms-drop', hours: [6, 72], right: null },
  { name: 'counter-reset', fault: 'counter-reset', right: null },
  { name: 'device-replaced', fault: 'device-replaced', right: null },
  { name: 'snow', fault: 'snow', setting: snowy, hours: [36, 96], right: { kind: 'snow' } },
  { name: 'soiling', fault: 'soiling', leadDays: 18, right: { kind: 'soiling' } },
  { name: 'shade', fault: 'shade', leadDays: 20, right: { kind: 'shade' } },
  { name: 'clipping', wanted: { ratedPerWp: 0.5 }, right: { kind: 'clipping' } },
  {
    name: 'export limit',
    wanted: { hasBattery: false, exportPerWp: 0.3 },
    right: { kind: 'export-limit' },
  },
  {
    name: 'battery full',
    wanted: { hasBattery: true, exportPerWp: 0.3 },
    right: { kind: 'battery-full' },
  },
];

/** Every climate, two in five places in the middle of Europe, and every season: all that go together within twenty seeds. */
const climates: readonly Climate[] = ['temperate', 'mediterranean', 'temperate', 'arid', 'monsoon'];

export const settingOf = (seed: number): Setting => ({
  climate: climates[seed % climates.length] as Climate,
  season: seasons[seed % seasons.length] as Season,
});

/** Less than this part of what was expected is not worth naming. */
const WORTH_SHARE = 0.005;

/**
 * Whether the first reason of a week is the right one. What costs nothing worth naming and tells no alarm needs no reason.
 *
 * @param trueWh what the cause took away.
 */
export function isRight({ right }: FaultCase, { reason, expectedWh }: WeekLoss, trueWh: number): boolean {
  if (reason === null && right?.alarm === undefined && trueWh < WORTH_SHARE * (expectedWh ?? 0)) return true;
  if (right === null || reason === null) return right === null && reason === null;
  if (reason.latest.kind !== right.kind) return false;
  return right.alarm === undefined || (reason.latest.kind === 'alarm' && reason.latest.evidence.code === right.alarm);
}
