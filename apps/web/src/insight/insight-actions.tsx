import { pause, resume } from '@sonnenwarte/contract/insight/insight';
import { IconBell, IconBellOff } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { type ActionProps, actionsOf } from '../blocks/actions/actions.tsx';
import { lazyPart } from '../with-texts.ts';

/** A plant that can be put off. */
export interface Pausable {
  stationID: string;
  name: string;
  ianaTimezone: string;
  pause: object | null;
  can: { pause: boolean };
}

const PauseForm: ComponentType<ActionProps<Pausable, typeof pause>> = lazyPart(
  'put-off',
  async () => (await import('./pause-form.tsx')).PauseForm,
);

const { opens, sends, table } = actionsOf<Pausable>();

/** What can be done with what needs attention. */
export const insightActions = table(
  'losses',
  { nameOf: ({ name }) => name },
  {
    pause: opens(pause, async () => PauseForm, {
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
