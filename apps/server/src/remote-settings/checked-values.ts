import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { isSameSetting } from '@sonnenwarte/device-protocol/points/setting-values';
import {
  blockerOf,
  checkSetting,
  type SettingProblem,
  zoneSpelt,
} from '@sonnenwarte/device-protocol/settings/check-setting';
import {
  type SettingRule,
  type SettingSubject,
  settingRule,
} from '@sonnenwarte/device-protocol/settings/setting-rules';
import { CallError } from '../http/call-error.ts';
import type { StoredSetting } from './settings.store.ts';

export interface WantedValue {
  readonly name: string;
  readonly value: SettingValue;
  readonly basedOn?: SettingValue | null | undefined;
}

/** Why a value cannot be written to a device. */
export interface Obstacle {
  readonly why: 'unknownSetting' | 'readOnly' | 'level' | 'outOfRange' | 'blocked';
  readonly name: string;
  readonly problem?: SettingProblem;
  readonly blocker?: { readonly name: string; readonly value: unknown };
}

/** What is written is checked against. */
export interface Ground {
  readonly rules: readonly SettingRule[];
  readonly stored: ReadonlyMap<string, StoredSetting>;
  /** Null: whatever the level, where somebody else has said who may. */
  readonly level: number | null;
}

/** The first of the values that cannot be written, and why; what is written with it counts for what blocks it. */
export function obstacleTo(
  values: readonly WantedValue[],
  { rules, stored, level }: Ground,
  { mindsBlocking = true } = {},
): Obstacle | undefined {
  const wanted = new Map(values.map(({ name, value }) => [name, value]));
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  for (const { name, value } of values) {
    const rule = byName.get(name);
    if (rule === undefined || !rule.isKnown) return { why: 'unknownSetting', name };
    if (rule.isReadOnly) return { why: 'readOnly', name };
    if (level !== null && !rule.levels.includes(level)) return { why: 'level', name };
    const problem = checkSetting(rule, value);
    if (problem !== undefined) return { why: 'outOfRange', name, problem };
    if (!mindsBlocking) continue;
    const blocker = blockerOf(rule, (other) => wanted.get(other) ?? stored.get(other)?.reported);
    if (blocker !== undefined) return { why: 'blocked', name, blocker };
  }
  return undefined;
}

/** As the reasons of refused fields are told everywhere. */
export function fieldReason({ reason, bound }: SettingProblem): { reason: string; params: Record<string, unknown> } {
  switch (reason) {
    case 'tooSmall':
      return { reason: 'too_small', params: { min: bound, of: 'number' } };
    case 'tooBig':
      return { reason: 'too_big', params: { max: bound, of: 'number' } };
    case 'tooManyRows':
      return { reason: 'too_big', params: { max: bound, of: 'array' } };
    case 'tooFewRows':
      return { reason: 'too_small', params: { min: bound, of: 'array' } };
    case 'periodShort':
      return { reason: 'periodTooShort', params: { min: bound } };
    case 'overlap':
      return { reason: 'periodsOverlap', params: {} };
    case 'wrongType':
      return { reason: 'invalid_type', params: {} };
    case 'notOffered':
    case 'notAZone':
      return { reason: 'invalid_value', params: {} };
    default:
      return { reason, params: bound === undefined ? {} : { bound } };
  }
}

function placeOf(values: readonly WantedValue[], name: string, { row, column }: SettingProblem): string {
  const place = values.findIndex((each) => each.name === name);
  return ['values', place, 'value', row, column].filter((part) => part !== undefined).join('.');
}

/** Refuses what an obstacle stands against. */
export function refuse(obstacle: Obstacle, values: readonly WantedValue[]): never {
  const { why, name, problem, blocker } = obstacle;
  switch (why) {
    case 'unknownSetting':
      throw new CallError('settingUnknown', { name });
    case 'readOnly':
      throw new CallError('settingReadOnly', { name });
    case 'level':
      throw new CallError('settingNotAllowed', { name });
    case 'blocked':
      throw new CallError('settingBlocked', { name, by: blocker?.name, value: blocker?.value });
    case 'outOfRange': {
      const found = problem ?? { reason: 'wrongType' };
      throw new CallError('refusedInput', { fields: [{ path: placeOf(values, name, found), ...fieldReason(found) }] });
    }
  }
}

/** Refuses what no device of a kind could be written, or not at this level: its models and firmwares may have narrower bounds. */
export function holdToCatalogue(kind: SettingSubject['kind'], values: readonly WantedValue[], level: number): void {
  const rules = values.flatMap(({ name }) => settingRule({ kind, model: '', firmware: '' }, name) ?? []);
  const obstacle = obstacleTo(values, { rules, stored: new Map(), level }, { mindsBlocking: false });
  if (obstacle !== undefined) refuse(obstacle, values);
}

/** Refuses values that were edited while the device came to have others. */
export function holdToBase(values: readonly WantedValue[], stored: Ground['stored']): void {
  for (const { name, basedOn } of values) {
    if (basedOn === undefined) continue;
    const reported = stored.get(name)?.reported ?? null;
    const isSame =
      basedOn === null || reported === null ? basedOn === reported : isSameSetting(name, basedOn, reported);
    if (!isSame) throw new CallError('settingChangedSince', { name, reported });
  }
}

export function holdOnce(values: readonly WantedValue[]): void {
  const names = new Set<string>();
  for (const [place, { name }] of values.entries()) {
    if (names.has(name)) {
      throw new CallError('refusedInput', { fields: [{ path: `values.${place}.name`, reason: 'taken', params: {} }] });
    }
    names.add(name);
  }
}

/** Values as devices spell them: a time zone that differs by capitals alone would be read back as another. */
export const asWritten = <T extends WantedValue>(values: readonly T[]): T[] =>
  values.map((each) =>
    each.name === 'Clock/TimeZone' && typeof each.value === 'string' ? { ...each, value: zoneSpelt(each.value) } : each,
  );

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase();

/** Whether what was typed is what a dangerous write asks for. */
export const isConfirmed = (typed: string, asked: string): boolean => withoutSpaces(typed) === withoutSpaces(asked);

export const isDangerous = (values: readonly WantedValue[], rules: readonly SettingRule[]): boolean =>
  values.some(({ name }) => rules.some((rule) => rule.name === name && rule.isDangerous));

/** Those that the device does not have yet, and will not have by what is on its way to it (by name) already. */
export const changing = (
  values: readonly WantedValue[],
  stored: Ground['stored'],
  ahead: ReadonlyMap<string, SettingValue> = new Map(),
): WantedValue[] =>
  values.filter(
    ({ name, value }) => !isSameSetting(name, value, ahead.get(name) ?? stored.get(name)?.reported ?? undefined),
  );
