import type { BatchRow, batchRemove } from '@sonnenwarte/contract/factory/batches';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { ConfirmAction } from '../blocks/actions/confirm-action.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { useWrite } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';

/** Tells how many units go with a batch before it is deleted; of one with units its number is typed. */
export function DeleteBatch({ row, of, onClose, onDone, words }: ActionProps<BatchRow, typeof batchRemove>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const write = useWrite(of, { inPlace: true });
  const { batchID, number, units, runs } = row;
  if (runs > 0)
    return (
      <Dialog
        title={t('factory.batches.deleteTitle', { name: number })}
        opened
        onClose={onClose}
        footer={<Button onClick={onClose}>{t('blocks.cancel')}</Button>}
      >
        <p>{t('factory.batches.deleteRuns', { number: format.number(runs) })}</p>
      </Dialog>
    );
  return (
    <ConfirmAction
      opened
      danger
      onClose={onClose}
      title={t('factory.batches.deleteTitle', { name: number })}
      confirmLabel={words.label}
      {...(units > 0 && { typed: number })}
      onConfirm={async () => {
        await write.mutateAsync({ batchID, units });
        onDone();
      }}
    >
      <p>
        {units === 0
          ? t('factory.batches.deleteEmpty')
          : t('factory.batches.deleteUnits', { number: format.number(units) })}
      </p>
    </ConfirmAction>
  );
}
