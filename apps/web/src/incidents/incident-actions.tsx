import { standingStates } from '@sonnenwarte/contract/incidents/incident-moves';
import { acknowledge, assign, close, type IncidentRow, mute, unmute } from '@sonnenwarte/contract/incidents/incidents';
import { IconBell, IconBellOff, IconCheck, IconCircleCheck, IconUserMinus, IconUserPlus } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { ComponentType } from 'react';
import { type ActionProps, actionsOf } from '../blocks/actions/actions.tsx';
import { showNotice } from '../notices/notices.ts';

/** Incidents that are worked on together. */
export interface ChosenIncidents {
  readonly rows: readonly IncidentRow[];
}

const standing: readonly IncidentRow['state'][] = standingStates;

export const isStanding = ({ state }: Pick<IncidentRow, 'state'>): boolean => standing.includes(state);
const isOpen = ({ state }: IncidentRow): boolean => state === 'open';
const isCleared = ({ state }: IncidentRow): boolean => state === 'cleared';
const isMuted = ({ mutedUntilMs }: IncidentRow): boolean => mutedUntilMs !== null;
const isAssigned = ({ assignee }: IncidentRow): boolean => assignee !== '';
const canBeMuted = (row: IncidentRow): boolean => isStanding(row) && !isMuted(row);

export const idsOf = ({ rows }: ChosenIncidents): string[] => rows.map(({ incidentID }) => incidentID);

const loadAssign = async () => (await import('./assign-form.tsx')).AssignForm;
const loadMute = async () => (await import('./mute-form.tsx')).MuteForm;
const loadClose = async () => (await import('./close-form.tsx')).CloseForm;

/** The dialog for chosen incidents, for one. */
const forOne =
  <E,>(load: () => Promise<ComponentType<ActionProps<ChosenIncidents, E>>>) =>
  async (): Promise<ComponentType<ActionProps<IncidentRow, E>>> => {
    const Dialog = await load();
    return ({ row, ...props }) => <Dialog {...props} row={{ rows: [row] }} />;
  };

const one = actionsOf<IncidentRow>();
const ofOne = ({ incidentID }: IncidentRow) => ({ ids: [incidentID] });

/** What can be done with an incident. */
export const incidentActions = one.table(
  'incidents',
  { nameOf: ({ plantName, region, code }) => `${plantName || region} ${code}` },
  {
    acknowledge: one.sends(acknowledge, ofOne, { icon: IconCheck, can: 'work', when: isOpen }),
    mute: one.opens(mute, forOne(loadMute), { icon: IconBellOff, can: 'work', when: canBeMuted }),
    unmute: one.sends(unmute, ofOne, { icon: IconBell, can: 'work', when: isMuted }),
    assign: one.opens(assign, forOne(loadAssign), { icon: IconUserPlus, can: 'assign' }),
    unassign: one.sends(assign, (row) => ({ ...ofOne(row), accountID: null }), {
      icon: IconUserMinus,
      can: 'assign',
      when: isAssigned,
    }),
    close: one.opens(close, forOne(loadClose), { icon: IconCircleCheck, can: 'work', when: isCleared }),
  },
);

const several = actionsOf<ChosenIncidents>();
const ofSeveral = (chosen: ChosenIncidents) => ({ ids: idsOf(chosen) });
const some = (is: (row: IncidentRow) => boolean) => ({ when: ({ rows }: ChosenIncidents) => rows.some(is) });

/** Says of how many it was done; the others were so before, or are over. */
function told({ done }: { readonly done: number }, { rows }: ChosenIncidents, t: TFunction): void {
  if (rows.length < 2) return;
  showNotice({
    id: `incidents ${done} ${rows.length}`,
    text:
      done === rows.length
        ? t('incidents.doneAll', { count: done })
        : t('incidents.doneSome', { count: rows.length, done }),
    color: 'brand',
  });
}

/** What can be done with several incidents at once. */
export const chosenIncidentActions = several.table(
  'incidents',
  { nameOf: () => '' },
  {
    acknowledge: several.sends(acknowledge, ofSeveral, { icon: IconCheck, told, ...some(isOpen) }),
    assign: several.opens(assign, loadAssign, { icon: IconUserPlus }),
    mute: several.opens(mute, loadMute, { icon: IconBellOff, ...some(canBeMuted) }),
    unmute: several.sends(unmute, ofSeveral, { icon: IconBell, told, ...some(isMuted) }),
    close: several.opens(close, loadClose, { icon: IconCircleCheck, ...some(isCleared) }),
  },
);
