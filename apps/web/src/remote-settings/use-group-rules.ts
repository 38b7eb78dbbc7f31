import { rules } from '@sonnenwarte/contract/remote-settings/group-remote';
import type { SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { read } from '../client/queries.ts';
import type { GroupDraft } from './group-draft.ts';

/** Rules of the settings that the chosen devices have in common, by name. */
export function useGroupRules({ deviceIDs }: GroupDraft): ReadonlyMap<string, SettingRule> {
  const { data } = useQuery(read(rules, { deviceIDs }));
  return useMemo(() => new Map((data?.rules ?? []).map((rule) => [rule.name, rule])), [data]);
}
