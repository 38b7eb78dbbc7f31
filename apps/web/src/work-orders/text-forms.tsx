import type { WorkOrderRow } from '@sonnenwarte/contract/work-orders/work-order';
import type { reopen, solve } from '@sonnenwarte/contract/work-orders/work-orders';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextAreaField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';

/** Says how it was solved: whoever asked reads it. */
export function SolveForm({ row, of, onClose, onDone, words }: ActionProps<WorkOrderRow, typeof solve>): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: { id: row.orderID, text: '' },
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <FormDialog form={form} title={t('work-orders.solve.title')} opened onClose={onClose} submitLabel={words.label}>
      <TextAreaField
        form={form}
        name="text"
        label={t('work-orders.solve.text')}
        description={t('work-orders.solve.textHint', { name: row.asker })}
        rows={6}
      />
    </FormDialog>
  );
}

/** Says what is still wrong. */
export function ReopenForm({ row, of, onClose, onDone, words }: ActionProps<WorkOrderRow, typeof reopen>): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: { id: row.orderID, text: '' },
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <FormDialog form={form} title={t('work-orders.reopen.title')} opened onClose={onClose} submitLabel={words.label}>
      <TextAreaField form={form} name="text" label={t('work-orders.reopen.text')} rows={4} />
    </FormDialog>
  );
}
