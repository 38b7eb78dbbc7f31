import type { TroubledSite } from '@sonnenwarte/contract/fleet/fleet';
import type { ReactNode } from 'react';
import { useActions } from '../blocks/actions/use-actions.tsx';
import { RowActions } from '../blocks/list/row-actions.tsx';
import { insightActions } from './insight-actions.tsx';

/** What can be done with a plant that needs attention. */
export function RowMenu({ plant }: { plant: TroubledSite }): ReactNode {
  const actions = useActions(insightActions);
  return (
    <>
      <RowActions name={plant.name} actions={actions.of(plant)} />
      {actions.dialogs}
    </>
  );
}
