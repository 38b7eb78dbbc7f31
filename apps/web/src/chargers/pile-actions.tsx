import { add, edit, type Pile, remove, renewPassword, start, stop } from '@sonnenwarte/contract/chargers/chargers';
import { IconKey, IconPencil, IconPlayerPlay, IconPlayerStop, IconPlus, IconTrash } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const adding = actionsOf<{ stationID: string }>();

export const pileAdding = adding.table(
  'chargers',
  { nameOf: () => '' },
  { add: adding.opens(add, async () => (await import('./pile-forms.tsx')).PileAddForm, { icon: IconPlus }) },
);

const { asks, opens, sends, table } = actionsOf<Pile>();
const nameOf = ({ name }: Pile): string => name;
const ofIt = ({ deviceID }: Pile) => ({ deviceID });

/** Charging now, or not. */
export const chargingActions = table(
  'chargers',
  { nameOf },
  {
    start: sends(start, ofIt, {
      icon: IconPlayerPlay,
      can: 'control',
      when: ({ online, isPlugged, isCharging, isStopped }) => online && isPlugged && (!isCharging || isStopped),
    }),
    stop: sends(stop, ofIt, {
      icon: IconPlayerStop,
      can: 'control',
      when: ({ online, isPlugged, isStopped }) => online && isPlugged && !isStopped,
    }),
  },
);

/** What can be done with a pile itself. */
export const pileActions = table(
  'chargers',
  { nameOf },
  {
    edit: opens(edit, async () => (await import('./pile-forms.tsx')).PileEditForm, { icon: IconPencil }),
    renewPassword: opens(renewPassword, async () => (await import('./renew-password.tsx')).RenewPassword, {
      icon: IconKey,
      can: 'edit',
    }),
    remove: asks(remove, ofIt, { icon: IconTrash, danger: true }),
  },
);
