import type { DataloggerRow } from '@sonnenwarte/contract/dataloggers/dataloggers';
import type { remove } from '@sonnenwarte/contract/dataloggers/managing';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { ConfirmAction } from '../blocks/actions/confirm-action.tsx';
import { useWrite } from '../client/queries.ts';

/** Asks for the serial number before a datalogger is deleted. */
export function DeleteDatalogger({
  row,
  of,
  onClose,
  onDone,
  words,
}: ActionProps<DataloggerRow, typeof remove>): ReactNode {
  const { t } = useTranslation();
  const write = useWrite(of, { inPlace: true });
  return (
    <ConfirmAction
      opened
      danger
      onClose={onClose}
      title={t('dataloggers.delete.title', { name: row.moduleSN })}
      confirmLabel={words.label}
      typed={row.moduleSN}
      onConfirm={async () => {
        await write.mutateAsync({ moduleID: row.moduleID });
        onDone();
      }}
    >
      <p>{t('dataloggers.delete.meaning')}</p>
    </ConfirmAction>
  );
}
