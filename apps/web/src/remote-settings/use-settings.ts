import { list } from '@sonnenwarte/contract/commands/commands';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { view } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { read } from '../client/queries.ts';
import { useChanges } from '../live/use-live.ts';

export type SettingsView = Result<typeof view>;

const FEATURES = [view.feature, list.feature];

/** Reads all that is shown of settings again whenever the stream tells that something of these subjects is another. */
function useRefresh(subjects: readonly string[]): void {
  const cache = useQueryClient();
  const changes = useChanges(subjects);
  useEffect(() => {
    if (changes.split(' ').some((atMs) => atMs !== '0' && atMs !== '')) {
      for (const feature of FEATURES) void cache.invalidateQueries({ queryKey: [feature] });
    }
  }, [cache, changes]);
}

export const useSettingsRefresh = (subjectID: string): void => useRefresh([`settings:${subjectID}`]);

export const useGroupRefresh = (groupIDs: readonly string[]): void => useRefresh(groupIDs.map((id) => `group:${id}`));

/** Settings of a device or datalogger, always as they are now. */
export function useSettings(subjectID: string): UseQueryResult<SettingsView> {
  useSettingsRefresh(subjectID);
  return useQuery(read(view, { id: subjectID }));
}
