import { type DeletionRow, undo } from '@sonnenwarte/contract/deletions/deletions';
import { IconArrowBackUp } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const { opens, table } = actionsOf<DeletionRow>();

/** What can be done with a deletion. */
export const deletionActions = table(
  'deletions',
  { nameOf: ({ name }) => name },
  { undo: opens(undo, async () => (await import('./undo-deletion.tsx')).UndoDeletion, { icon: IconArrowBackUp }) },
);
