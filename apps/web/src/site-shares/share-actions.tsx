import { edit, end, type SiteShare } from '@sonnenwarte/contract/site-shares/site-shares';
import { IconEye, IconSolarPanel2, IconUserX } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const { sends, asks, table } = actionsOf<SiteShare>();

/** What can be done with a share. */
export const shareActions = table(
  'site-shares',
  { nameOf: ({ account }) => account },
  {
    allow: sends(edit, ({ shareID }) => ({ shareID, right: 'workMode' as const }), {
      icon: IconSolarPanel2,
      when: ({ right }) => right === 'read',
      can: 'edit',
    }),
    restrict: sends(edit, ({ shareID }) => ({ shareID, right: 'read' as const }), {
      icon: IconEye,
      when: ({ right }) => right === 'workMode',
      can: 'edit',
    }),
    end: asks(end, ({ shareID }) => ({ shareID }), { icon: IconUserX, danger: true }),
  },
);
