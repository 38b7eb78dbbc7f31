import { isOpenCommand } from '@sonnenwarte/contract/commands/command';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { SettingRow, SettingState, SettingRule as ToldRule } from '@sonnenwarte/contract/remote-settings/setting';
import { isSameSetting } from '@sonnenwarte/device-protocol/points/setting-values';
import { blockerOf } from '@sonnenwarte/device-protocol/settings/check-setting';
import type { SettingContent } from '@sonnenwarte/device-protocol/settings/setting-content';
import {
  boundedRule,
  foreignRule,
  type SettingRule,
  type SettingSubject,
  settingRule,
  settingRules,
} from '@sonnenwarte/device-protocol/settings/setting-rules';
import type { CommandRow, StoredSetting } from './settings.store.ts';

type Stored = ReadonlyMap<string, StoredSetting>;

/** Rows of a table that nobody changes, as the contract has them. */
export const toldValue = (value: SettingContent): SettingValue =>
  typeof value === 'object' ? value.map((row) => ({ ...row })) : value;

/** A rule as it is told. */
export const toldRule = (rule: SettingRule): ToldRule => ({
  name: rule.name,
  group: rule.group,
  form: rule.form,
  unit: rule.unit,
  low: rule.low,
  high: rule.high,
  step: rule.step,
  decimals: rule.decimals,
  default: rule.default === null ? null : toldValue(rule.default),
  options: rule.options.map((option) => ({ ...option })),
  columns: rule.columns.map((column) => ({ ...column })),
  mostRows: rule.mostRows,
  labelKey: rule.labelKey,
  meaningKey: rule.meaningKey,
  riskKey: rule.riskKey,
  isDangerous: rule.isDangerous,
});

/** The rule of a setting whatever the model; what the catalogue does not know is as it was told. */
export const ruleOfAny = (kind: SettingSubject['kind'], name: string, value: SettingValue): SettingRule =>
  settingRule({ kind, model: '', firmware: '' }, name) ?? foreignRule(name, value);

/**
 * Settings that a device has: those that it has told, known to the catalogue or not; before it has told any, all that its model has. A device tells
 * all of its settings when it comes, so that what is missing then is not there.
 */
export function rulesOf(subject: SettingSubject, stored: Stored): SettingRule[] {
  const own = settingRules(subject).map((rule) => withinBirth(rule, stored.get(rule.name)));
  const told = [...stored.values()].filter(({ reported }) => reported !== null);
  if (told.length === 0) return own;
  const known = own.filter(({ name }) => isTold(stored.get(name)));
  const names = new Set(own.map(({ name }) => name));
  const foreign = told
    .filter(({ name }) => !names.has(name))
    .map(({ name, reported }) => foreignRule(name, reported as SettingValue))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return [...known, ...foreign];
}

/** The rule within what the birth of the device lets be written. */
export const withinBirth = (rule: SettingRule, held: StoredSetting | undefined): SettingRule =>
  held === undefined
    ? rule
    : boundedRule(rule, { low: held.told_low, high: held.told_high, isReadOnly: held.told_read_only });

const isTold = (setting: StoredSetting | undefined): boolean =>
  setting !== undefined && (setting.reported !== null || setting.desired !== null);

export interface Standing {
  readonly subject: SettingSubject;
  readonly stored: Stored;
  /** The newest first. */
  readonly commands: readonly CommandRow[];
  readonly level: number;
}

const writesTo = (name: string, { kind, content }: CommandRow): boolean =>
  kind === 'write' && content.values !== undefined && Object.hasOwn(content.values, name);

/** All settings of a subject. */
export function settingRows(standing: Standing): SettingRow[] {
  return rulesOf(standing.subject, standing.stored).map((rule) => settingRowOf(rule, standing));
}

export function settingRowOf(rule: SettingRule, { stored, commands, level, subject }: Standing): SettingRow {
  const held = stored.get(rule.name);
  const newest = commands.find((each) => each.state !== 'cancelled' && writesTo(rule.name, each));
  const blocker = blockerOf(rule, (name) => stored.get(name)?.reported);
  return {
    rule: toldRule(rule),
    state: stateOf(held, newest),
    reported: held?.reported ?? null,
    reportedMs: held?.reported_at?.getTime() ?? null,
    desired: held?.desired ?? null,
    desiredSinceMs: held?.desired_since?.getTime() ?? null,
    desiredBy: held?.desired_by_name ?? '',
    desiredSource: held?.desired_source ?? null,
    driftedSinceMs: held?.drifted_since?.getTime() ?? null,
    command: newest
      ? {
          commandID: newest.id,
          state: newest.state,
          code: newest.code,
          message: newest.message,
          atMs: (newest.done_at ?? newest.sent_at ?? newest.created_at).getTime(),
        }
      : null,
    blockedBy: blocker
      ? {
          name: blocker.name,
          labelKey: settingRule({ ...subject, model: '', firmware: '' }, blocker.name)?.labelKey ?? '',
          value: toldValue(blocker.value),
        }
      : null,
    can: mayWrite(rule, level),
  };
}

function stateOf(held: StoredSetting | undefined, newest: CommandRow | undefined): SettingState {
  if (newest && isOpenCommand(newest.state)) return 'pending';
  if (held === undefined) return newest ? refusedOr('neverRead', newest) : 'neverRead';
  const { name, reported, desired, drifted_since: drifted } = held;
  if (drifted !== null) return 'drifted';
  const isMeant =
    desired !== null && held.desired_source !== 'told' && isSameSetting(name, desired, reported ?? undefined);
  const standing: SettingState = isMeant ? 'confirmed' : reported === null ? 'neverRead' : 'told';
  return newest === undefined ? standing : refusedOr(standing, newest);
}

const refusedOr = (standing: SettingState, { state }: CommandRow): SettingState =>
  state === 'confirmed' ? standing : 'refused';

function mayWrite(rule: SettingRule, level: number): SettingRow['can'] {
  if (!rule.isKnown) return { write: false, whyNot: 'unknown' };
  if (rule.isReadOnly) return { write: false, whyNot: 'readOnly' };
  if (!rule.levels.includes(level)) return { write: false, whyNot: 'level' };
  return { write: true, whyNot: null };
}
