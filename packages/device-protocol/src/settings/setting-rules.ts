import { type DeviceKind, type Setting, type SettingColumn, settingByName, settings } from '../points/points.ts';
import { DataType } from '../sparkplug/datatypes.ts';
import type { SettingContent } from './setting-content.ts';
import {
  type Blocking,
  SETTING_LEVELS,
  type SettingFacts,
  type SettingGroupName,
  settingFacts,
} from './setting-facts.ts';
import { narrowingOf } from './setting-profiles.ts';

/** What a value of a setting is. */
export type SettingFormName = 'number' | 'choice' | 'switch' | 'text' | 'table';

export interface Bounds {
  readonly unit: string;
  readonly low: number | null;
  readonly high: number | null;
  /** Smallest difference of two values. */
  readonly step: number | null;
  readonly decimals: number;
}

export interface RuleColumn extends Bounds {
  readonly name: string;
  readonly labelKey: string;
}

/** A setting as a model with a firmware has it. */
export interface SettingRule extends Bounds {
  readonly name: string;
  readonly group: SettingGroupName;
  readonly form: SettingFormName;
  readonly default: SettingContent | null;
  readonly options: readonly { readonly value: number | string; readonly labelKey: string | null }[];
  readonly columns: readonly RuleColumn[];
  readonly mostRows: number;
  /** Limits of the grid are one row: without any, nothing would be watched. */
  readonly leastRows: number;
  readonly labelKey: string;
  readonly meaningKey: string;
  /** Null: nothing that needs a warning. */
  readonly riskKey: string | null;
  readonly isDangerous: boolean;
  /** Access levels that may write it. */
  readonly levels: readonly number[];
  readonly isReadOnly: boolean;
  /** The catalogue has it. */
  readonly isKnown: boolean;
  readonly blockedBy: readonly Blocking[];
  /** Smallest amount whatever the sign, of a power factor. */
  readonly leastAmount: number | null;
}

/** Whose settings they are: of a datalogger with its own firmware, of a device with that of its master. */
export interface SettingSubject {
  readonly kind: DeviceKind;
  readonly model: string;
  readonly firmware: string;
}

/** The phrases' word for a setting: `exportLimit` for `Setting/ExportLimit`, `reportInterval` for `Report/Interval`. */
export function settingWord(name: string): string {
  const word = name.replace('Setting/', '').replaceAll('/', '');
  return word.charAt(0).toLowerCase() + word.slice(1);
}

function formOf({ datatype, options, columns }: Setting): SettingFormName {
  if (columns !== undefined) return 'table';
  if (options !== undefined) return 'choice';
  if (datatype === DataType.Boolean) return 'switch';
  return datatype === DataType.String ? 'text' : 'number';
}

const stepOf = (decimals: number): number => Number(`1e-${decimals}`);

function ruleColumn({ name, unit, low, high }: SettingColumn, decimals: number): RuleColumn {
  return {
    name,
    labelKey: `remote-settings.column.${name}`,
    unit,
    low: low ?? null,
    high: high ?? null,
    step: stepOf(decimals),
    decimals,
  };
}

function ruleOf(setting: Setting, facts: SettingFacts, { model, firmware }: SettingSubject): SettingRule | undefined {
  const { name, unit, decimals, labelKey, columns = [], options = [], maxRows } = setting;
  const own = narrowingOf(model, firmware, name);
  if (own.isAbsent === true) return undefined;
  const form = formOf(setting);
  const word = settingWord(name);
  return {
    name,
    group: facts.group,
    form,
    unit,
    low: form === 'number' ? (own.low ?? setting.low ?? null) : null,
    high: form === 'number' ? (own.high ?? setting.high ?? null) : null,
    step: form === 'number' ? stepOf(decimals) : null,
    decimals,
    default: own.default ?? facts.default,
    options: options
      .filter(({ value }) => own.options === undefined || own.options.includes(value))
      .map(({ value, labelKey: key }) => ({ value, labelKey: key ?? null })),
    columns: columns.map((column) => ruleColumn(column, facts.columnDecimals?.[column.name] ?? 0)),
    mostRows: columns.length === 0 ? 0 : (maxRows ?? 64),
    leastRows: maxRows === 1 ? 1 : 0,
    labelKey,
    meaningKey: `remote-settings.meaning.${word}`,
    riskKey: facts.hasRisk === true ? `remote-settings.risk.${word}` : null,
    isDangerous: facts.isDangerous === true,
    levels: facts.levels ?? SETTING_LEVELS,
    isReadOnly: own.isReadOnly === true,
    isKnown: true,
    blockedBy: facts.blockedBy ?? [],
    leastAmount: facts.leastAmount ?? null,
  };
}

/** Settings that a model with a firmware has, in the order of the catalogue. */
export function settingRules(subject: SettingSubject): SettingRule[] {
  return settings
    .filter(({ kinds }) => kinds.includes(subject.kind))
    .flatMap((setting) => {
      const facts = settingFacts[setting.name];
      return facts === undefined ? [] : (ruleOf(setting, facts, subject) ?? []);
    });
}

/** The rule of one setting; undefined where the model does not have it, or the catalogue does not know it. */
export function settingRule(subject: SettingSubject, name: string): SettingRule | undefined {
  const setting = settingByName(name);
  const facts = settingFacts[name];
  if (setting === undefined || facts === undefined || !setting.kinds.includes(subject.kind)) return undefined;
  return ruleOf(setting, facts, subject);
}

/** A setting that a device tells and the catalogue does not know: it is shown as it is, and not written. Its name is its label. */
export function foreignRule(name: string, told: SettingContent): SettingRule {
  const form =
    typeof told === 'number'
      ? 'number'
      : typeof told === 'boolean'
        ? 'switch'
        : typeof told === 'string'
          ? 'text'
          : 'table';
  const columns = typeof told === 'object' ? Object.keys(told[0] ?? {}) : [];
  return {
    name,
    group: name.startsWith('Clock/') ? 'time' : 'report',
    form,
    unit: '',
    low: null,
    high: null,
    step: null,
    decimals: form === 'number' && !Number.isInteger(told) ? 3 : 0,
    default: null,
    options: [],
    columns: columns.map((column) => ({
      name: column,
      labelKey: '',
      unit: '',
      low: null,
      high: null,
      step: null,
      decimals: 3,
    })),
    mostRows: form === 'table' ? 64 : 0,
    leastRows: 0,
    labelKey: '',
    meaningKey: 'remote-settings.meaning.foreign',
    riskKey: null,
    isDangerous: false,
    levels: [],
    isReadOnly: true,
    isKnown: false,
    blockedBy: [],
    leastAmount: null,
  };
}

/** The rule of a setting within what the birth of a device lets be written to it. */
export function boundedRule(rule: SettingRule, { low = null, high = null, isReadOnly }: ToldBounds): SettingRule {
  if (isReadOnly === true) return { ...rule, isReadOnly: true };
  if (rule.form !== 'number' || (low === null && high === null)) return rule;
  const [least, most] = [higher(rule.low, low), lower(rule.high, high)];
  const isEmpty = least !== null && most !== null && least > most;
  return { ...rule, low: least, high: most, isReadOnly: rule.isReadOnly || isEmpty };
}

/** See `MetricBounds`; null as undefined. */
export interface ToldBounds {
  readonly low?: number | null;
  readonly high?: number | null;
  readonly isReadOnly?: boolean;
}

const higher = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b));
const lower = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b));

/**
 * Rules that all of some subjects have, with the bounds and choices that hold for each of them. Nothing in common: an empty list; a setting for which
 * no value is left is not in it.
 */
export function commonRules(subjects: readonly SettingSubject[]): SettingRule[] {
  const [first, ...others] = distinct(subjects);
  if (first === undefined) return [];
  const tables = others.map((subject) => new Map(settingRules(subject).map((rule) => [rule.name, rule])));
  return settingRules(first).flatMap((rule) => {
    let common: SettingRule | undefined = rule;
    for (const table of tables) common = common && inCommon(common, table.get(rule.name));
    return common === undefined ? [] : [common];
  });
}

function distinct(subjects: readonly SettingSubject[]): SettingSubject[] {
  return [...new Map(subjects.map((each) => [`${each.kind} ${each.model} ${each.firmware}`, each])).values()];
}

function inCommon(a: SettingRule, b: SettingRule | undefined): SettingRule | undefined {
  if (b === undefined || a.isReadOnly || b.isReadOnly) return undefined;
  const [low, high] = [higher(a.low, b.low), lower(a.high, b.high)];
  if (low !== null && high !== null && low > high) return undefined;
  const options = a.options.filter(({ value }) => b.options.some((other) => other.value === value));
  if (a.form === 'choice' && options.length === 0) return undefined;
  return { ...a, low, high, options };
}
