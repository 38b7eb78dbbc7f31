import { repairEndpoints } from '@sonnenwarte/contract/data-repair/data-repair';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Can } from '../blocks/actions/can.tsx';
import { Button } from '../blocks/show/button.tsx';
import type { Permitted } from '../client/permit.ts';
import { useWrite } from '../client/queries.ts';

interface UndoProps {
  stationID: string;
  correctionID: number;
  onUndone: () => void;
}

/** Takes a correction back; it can be made again, so nobody is asked. */
export function UndoButton(props: UndoProps): ReactNode {
  return <Can of={repairEndpoints.undo}>{(of) => <Undo of={of} {...props} />}</Can>;
}

function Undo({
  of,
  stationID,
  correctionID,
  onUndone,
}: UndoProps & { of: Permitted<typeof repairEndpoints.undo> }): ReactNode {
  const { t } = useTranslation();
  const undo = useWrite(of);
  return (
    <Button
      small
      aria-disabled={undo.isPending}
      onClick={() => {
        if (!undo.isPending) undo.mutate({ stationID, correctionID }, { onSuccess: onUndone });
      }}
    >
      <IconArrowBackUp size={16} aria-hidden="true" />
      {t('data-repair.undo')}
    </Button>
  );
}
