import type { gridLimit } from '@sonnenwarte/contract/ems/ems';
import { releaseGridLimit, setGridLimit } from '@sonnenwarte/contract/ems/ems';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { IconLockOpen, IconPlugConnected } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

export type GridLimit = Result<typeof gridLimit>;

const { asks, opens, table } = actionsOf<GridLimit>();

/** What can be done with the limit of a plant. */
export const gridActions = table(
  'ems',
  { nameOf: ({ stationName }) => stationName },
  {
    setGridLimit: opens(setGridLimit, async () => (await import('./grid-limit-form.tsx')).GridLimitForm, {
      icon: IconPlugConnected,
    }),
    releaseGridLimit: asks(releaseGridLimit, ({ stationID }) => ({ stationID }), {
      icon: IconLockOpen,
      danger: true,
      when: ({ controller, purchase }) => controller !== null || purchase.controller !== null,
    }),
  },
);
