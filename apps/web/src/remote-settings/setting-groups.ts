import { type SettingGroup, type SettingRow, settingGroups } from '@sonnenwarte/contract/remote-settings/setting';
import type { Edits } from './edits.ts';

export interface GroupSummary {
  readonly group: SettingGroup;
  readonly rows: readonly SettingRow[];
  readonly drifted: number;
  readonly edited: number;
  readonly pending: number;
  /** Something of it is written only after the serial number was typed. */
  readonly isGuarded: boolean;
}

/** Groups that the device has, in the order of the contract, each with what is open in it. */
export function summariesOf(rows: readonly SettingRow[], edits: Edits): GroupSummary[] {
  const byGroup = Map.groupBy(rows, ({ rule }) => rule.group);
  return settingGroups.flatMap((group) => {
    const own = byGroup.get(group);
    if (own === undefined) return [];
    const count = (state: SettingRow['state']) => own.filter((row) => row.state === state).length;
    return {
      group,
      rows: own,
      drifted: count('drifted'),
      pending: count('pending'),
      edited: own.filter(({ rule }) => edits[rule.name] !== undefined).length,
      isGuarded: own.some(({ rule }) => rule.isDangerous),
    };
  });
}

/** The group to begin with: the first in which something is open, else the first. */
export const firstGroup = (summaries: readonly GroupSummary[]): SettingGroup | undefined =>
  (summaries.find(({ drifted, pending, edited }) => drifted + pending + edited > 0) ?? summaries[0])?.group;
