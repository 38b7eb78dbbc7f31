import type { SettingContent } from './setting-content.ts';

/** What a model has other than the catalogue says. */
export interface SettingNarrowing {
  readonly low?: number;
  readonly high?: number;
  readonly default?: SettingContent;
  /** Those of the choices that it knows. */
  readonly options?: readonly (number | string)[];
  /** It does not have it. */
  readonly isAbsent?: true;
  /** It tells it, and does not let it be written. */
  readonly isReadOnly?: true;
}

/** Settings of models by name, from a firmware on (`from`) and before another (`before`); several that fit add up, the later wins. */
export interface SettingProfile {
  readonly models: RegExp;
  readonly from?: string;
  readonly before?: string;
  readonly settings: Readonly<Record<string, SettingNarrowing>>;
}

/** Inverters that share a grid point share its limits, which one of them holds. */
const MOST_AT_ONE_GRID_POINT = 4;

const atGridPoint = (ratingW: number) => ({ low: 0, high: MOST_AT_ONE_GRID_POINT * ratingW });

const hybrid = (models: RegExp, ratingW: number): SettingProfile => ({
  models,
  settings: {
    'Setting/ExportLimit': atGridPoint(ratingW),
    'Setting/PeakLimit': atGridPoint(ratingW),
    'Setting/ChargePower': { low: 0, high: ratingW },
    'Setting/DischargePower': { low: 0, high: ratingW },
  },
});

const absent = { isAbsent: true } as const;

/** Without a battery. */
const solar = (models: RegExp, ratingW: number): SettingProfile => ({
  models,
  settings: {
    'Setting/ExportLimit': atGridPoint(ratingW),
    'Setting/WorkMode': absent,
    'Setting/MinSoc': absent,
    'Setting/BackupSoc': absent,
    'Setting/Schedule': absent,
    'Setting/PricePeriods': absent,
    'Setting/ChargePower': absent,
    'Setting/DischargePower': absent,
    'Setting/GridCharge': absent,
    'Setting/PeakLimit': absent,
  },
});

/** Every inverter of the family. */
const INVERTERS = /^SW-[HSC]\d+[ST]$/;

/** The models that are known; of all others the bounds of the catalogue hold. */
export const settingProfiles: readonly SettingProfile[] = [
  {
    models: INVERTERS,
    settings: {
      'Setting/RampRate': { low: 1, high: 600, default: 10 },
      'Setting/ReconnectDelay': { low: 10, high: 900, default: 60 },
      'Setting/IsoLimit': { low: 50, high: 1_000, default: 100 },
    },
  },
  {
    models: INVERTERS,
    before: '3.14.0',
    settings: {
      'Setting/ReconnectDelay': { low: 10, high: 600, default: 60 },
      'Setting/GridCode': { options: ['VDE4105', 'EN50549', 'G98', 'G99', 'CEI021', 'TOR-A', 'RD1699'] },
    },
  },
  hybrid(/^SW-H5[ST]$/, 5_000),
  hybrid(/^SW-H6[ST]$/, 6_000),
  hybrid(/^SW-H8[ST]$/, 8_000),
  hybrid(/^SW-H10T$/, 10_000),
  hybrid(/^SW-H25T$/, 25_000),
  hybrid(/^SW-C50T$/, 50_000),
  solar(/^SW-S5[ST]$/, 5_000),
  solar(/^SW-S20T$/, 20_000),
  { models: /^SW-M\d+$/, settings: { 'Setting/CtRatio': { low: 1, high: 1_000 } } },
  { models: /^SW-L\w+$/, settings: { 'Report/Interval': { low: 10, high: 900, default: 60 } } },
  { models: /^SW-L\w+$/, before: '1.8.0', settings: { 'Report/Interval': { low: 30, high: 900, default: 60 } } },
];

const parts = (version: string): number[] =>
  version.split(/[^0-9]+/).flatMap((part) => (part === '' ? [] : Number(part)));

/** Order of two versions by their numbers; a missing one counts as 0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)];
  for (let place = 0; place < Math.max(left.length, right.length); place += 1) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}

/** What holds for a setting of a model with a firmware; a profile with a range of versions is left out where the firmware is not known. */
export function narrowingOf(model: string, firmware: string, name: string): SettingNarrowing {
  let found: SettingNarrowing = {};
  for (const { models, from, before, settings } of settingProfiles) {
    const own = settings[name];
    if (own === undefined || !models.test(model)) continue;
    const isRanged = from !== undefined || before !== undefined;
    if (isRanged && parts(firmware).length === 0) continue;
    if (from !== undefined && compareVersions(firmware, from) < 0) continue;
    if (before !== undefined && compareVersions(firmware, before) >= 0) continue;
    found = { ...found, ...own };
  }
  return found;
}
