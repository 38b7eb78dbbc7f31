import { type IncidentRow, MOST_AT_ONCE } from '@sonnenwarte/contract/incidents/incidents';
import { useState } from 'react';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { usePermit } from '../blocks/actions/can.tsx';
import { type Selection, useSelection } from '../blocks/list/selection.tsx';
import { chosenIncidentActions } from './incident-actions.tsx';

/** Incidents to choose, for who can do something with several; a cause is chosen with all that it explains. */
export function useChosenIncidents(rows: readonly IncidentRow[]): Selection | undefined {
  const chosen = useSelection();
  const permit = usePermit();
  /** Those chosen on other pages, as they were seen last. */
  const [seen, setSeen] = useState<ReadonlyMap<string, IncidentRow>>(new Map());
  if (!Object.values(chosenIncidentActions.actions).some(({ of }) => permit(of))) return undefined;
  const known = new Map([...seen, ...rows.map((row) => [row.incidentID, row] as const)]);
  return {
    ...chosen,
    set: (keys) => {
      setSeen(new Map([...known].filter(([key]) => keys.has(key))));
      chosen.set(keys);
    },
    canSelect: (key) => {
      const { can } = known.get(key) ?? {};
      return can !== undefined && (can.work || can.assign) && (chosen.keys.has(key) || chosen.keys.size < MOST_AT_ONCE);
    },
    actions: (
      <ActionButtons
        table={chosenIncidentActions}
        row={{ rows: [...chosen.keys].flatMap((key) => known.get(key) ?? []) }}
        small
        onDone={chosen.clear}
      />
    ),
  };
}
