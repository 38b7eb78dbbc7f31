import { pause, resume } from '@sonnenwarte/contract/insight/insight';
import { IconBell, IconBellOff } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

/** A plant that can be put off. */
export interface Pausable {
  stationID: string;
  name: string;
  ianaTimezone: string;
  pause: object | null;
  can: { pause: boolean };
}

const { opens, sends, table } = actionsOf<Pausable>();

/** What can be done with what needs attention. */
export const insightActions = table(
  'insight',
  { nameOf: ({ name }) => name },
  {
    pause: opens(pause, async () => (await import('./pause-form.tsx')).PauseForm, {
      icon: IconBellOff,
      when: (row) => row.pause === null,
    }),
    resume: sends(resume, ({ stationID }) => ({ stationID }), {
      icon: IconBell,
      when: (row) => row.pause !== null,
      can: 'pause',
    }),
  },
);
