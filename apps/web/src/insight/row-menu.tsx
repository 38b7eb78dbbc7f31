import type { TroubledSite } from '@sonnenwarte/contract/fleet/fleet';
import type { ReactNode } from 'react';
import { Can } from '../blocks/actions/can.tsx';
import { useActions } from '../blocks/actions/use-actions.tsx';
import { IconButton } from '../blocks/show/button.tsx';
import { insightActions } from './insight-actions.tsx';

/** What can be done with a plant that needs attention: to see no more of it for a while, or to see it again. */
export function RowMenu({ plant }: { plant: TroubledSite }): ReactNode {
  const actions = useActions(insightActions);
  return (
    <>
      {actions.byName(plant).map(({ name, action: { of, icon: Icon }, label, begin }) => (
        <Can key={name} of={of}>
          <IconButton title={label} aria-label={`${label}: ${plant.name}`} onClick={begin}>
            {Icon && <Icon size={18} aria-hidden="true" />}
          </IconButton>
        </Can>
      ))}
      {actions.dialogs}
    </>
  );
}
