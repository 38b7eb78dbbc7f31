import { start } from '@sonnenwarte/contract/view-as/view-as';
import { IconEye } from '@tabler/icons-react';
import { type Action, type ActionOptions, actionsOf } from '../blocks/actions/actions.tsx';
import type { ViewTarget } from './start-dialog.tsx';

/** Seeing the portal through the eyes that a record stands for. */
export const viewsAs = <Row,>(
  targetOf: (row: Row) => ViewTarget,
  options: Pick<ActionOptions<Row>, 'when' | 'can'> = {},
): Action<Row> =>
  actionsOf<Row>().opens(
    start,
    async () => {
      const { ViewAsStart } = await import('./start-dialog.tsx');
      return ({ row, of, onClose }) => <ViewAsStart of={of} preset={targetOf(row)} onClose={onClose} />;
    },
    { icon: IconEye, label: (_, t) => t('view-as.start'), ...options },
  );
