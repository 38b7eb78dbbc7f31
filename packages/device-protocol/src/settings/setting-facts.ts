import type { SettingContent } from './setting-content.ts';

/** Groups of settings, in the order in which they are shown. */
export type SettingGroupName =
  | 'workMode'
  | 'soc'
  | 'charge'
  | 'exportLimit'
  | 'powerLimit'
  | 'reactive'
  | 'gridCode'
  | 'protection'
  | 'afci'
  | 'eps'
  | 'parallel'
  | 'meter'
  | 'time'
  | 'report';

/** Another setting that keeps one from having an effect: while it has one of `values`, or while it has none of `unless`. */
export interface Blocking {
  readonly name: string;
  readonly values?: readonly (number | string | boolean)[];
  readonly unless?: readonly (number | string | boolean)[];
}

/** What is known of a setting beyond its shape. */
export interface SettingFacts {
  readonly group: SettingGroupName;
  readonly default: SettingContent | null;
  /** It can trip the grid protection, switch a protection off or stop the plant. */
  readonly isDangerous?: true;
  /** It can cost money or break a rule, and is told so before it is written. */
  readonly hasRisk?: true;
  /** Access levels that may write it; those of all settings where left out. */
  readonly levels?: readonly number[];
  readonly blockedBy?: readonly Blocking[];
  /** Decimals of the columns of a table, 0 where a column is not named. */
  readonly columnDecimals?: Readonly<Record<string, number>>;
  /** Smallest amount whatever the sign; 0 itself is refused too. */
  readonly leastAmount?: number;
}

const BATTERY_SUPPORT = 4;
const PEAK_SHAVING = 5;
const FIXED_POWER_FACTOR = 1;
const SECONDARY = 2;

/** Who looks after plants: installers, agents, distributors and administrators. */
export const SETTING_LEVELS: readonly number[] = [2, 3, 4, 255];
/** Not who installs it: below the value of its maker people are no longer protected. */
const WITHOUT_INSTALLERS: readonly number[] = [3, 4, 255];

/** A secondary does what its primary tells it. */
const byPrimary: Blocking = { name: 'Setting/ParallelMode', values: [SECONDARY] };
const voltages = { over: 1, overTime: 2, under: 1, underTime: 2 };
const frequencies = { over: 2, overTime: 2, under: 2, underTime: 2 };
const gridProtection = { group: 'protection', default: null, isDangerous: true, hasRisk: true } as const;

/** By name of the setting. */
export const settingFacts: Readonly<Record<string, SettingFacts>> = {
  'Setting/WorkMode': { group: 'workMode', default: 1, hasRisk: true },
  'Setting/Schedule': { group: 'workMode', default: [] },
  'Setting/PricePeriods': { group: 'workMode', default: [], columnDecimals: { price: 2 } },
  'Setting/PeakLimit': {
    group: 'workMode',
    default: null,
    blockedBy: [byPrimary, { name: 'Setting/WorkMode', unless: [PEAK_SHAVING] }],
  },
  'Setting/MinSoc': {
    group: 'soc',
    default: 10,
    hasRisk: true,
    blockedBy: [{ name: 'Setting/WorkMode', values: [BATTERY_SUPPORT] }],
  },
  'Setting/BackupSoc': { group: 'eps', default: 20, hasRisk: true },
  'Setting/ChargePower': { group: 'charge', default: null },
  'Setting/DischargePower': { group: 'charge', default: null },
  'Setting/GridCharge': { group: 'charge', default: false, hasRisk: true },
  'Setting/ExportLimit': { group: 'exportLimit', default: null, hasRisk: true, blockedBy: [byPrimary] },
  'Setting/ActivePowerLimit': { group: 'powerLimit', default: 100, hasRisk: true },
  'Setting/RampRate': { group: 'powerLimit', default: 10 },
  'Setting/ReactiveMode': { group: 'reactive', default: 0, hasRisk: true },
  'Setting/PowerFactor': {
    group: 'reactive',
    default: 1,
    hasRisk: true,
    leastAmount: 0.8,
    blockedBy: [{ name: 'Setting/ReactiveMode', unless: [FIXED_POWER_FACTOR] }],
  },
  'Setting/GridCode': { group: 'gridCode', default: null, isDangerous: true, hasRisk: true },
  'Setting/ReconnectDelay': { group: 'gridCode', default: 60, isDangerous: true, hasRisk: true },
  'Setting/OvUv1': { ...gridProtection, columnDecimals: voltages },
  'Setting/OvUv2': { ...gridProtection, columnDecimals: voltages },
  'Setting/OfUf1': { ...gridProtection, columnDecimals: frequencies },
  'Setting/OfUf2': { ...gridProtection, columnDecimals: frequencies },
  'Setting/IsoLimit': {
    group: 'protection',
    default: 100,
    isDangerous: true,
    hasRisk: true,
    levels: WITHOUT_INSTALLERS,
  },
  'Setting/Afci': { group: 'afci', default: true, isDangerous: true, hasRisk: true },
  'Setting/StartStop': { group: 'parallel', default: true, isDangerous: true, hasRisk: true },
  'Setting/ParallelMode': { group: 'parallel', default: 0, isDangerous: true, hasRisk: true },
  'Setting/EmsDeviceCount': { group: 'parallel', default: null },
  'Setting/EmsPort': { group: 'parallel', default: 502 },
  'Setting/MeterInvert': { group: 'meter', default: false, isDangerous: true, hasRisk: true },
  'Setting/CtRatio': { group: 'meter', default: 1, hasRisk: true },
  'Clock/TimeZone': { group: 'time', default: null, hasRisk: true },
  'Report/Interval': { group: 'report', default: 60, hasRisk: true },
};
