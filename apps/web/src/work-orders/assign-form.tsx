import type { WorkOrderRow } from '@sonnenwarte/contract/work-orders/work-order';
import { type assign, assignees } from '@sonnenwarte/contract/work-orders/work-orders';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';

/** Who of the organisation that has an order works on it. */
export function AssignForm({ row, of, onClose, onDone, words }: ActionProps<WorkOrderRow, typeof assign>): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: { id: row.orderID, accountID: row.assigneeID },
    draft: false,
    prepare: ({ id, accountID }) => ({ id, accountID: accountID === '' ? null : accountID }),
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <FormDialog form={form} title={t('work-orders.assign.title')} opened onClose={onClose} submitLabel={words.label}>
      <RecordField
        form={form}
        name="accountID"
        required={false}
        source={{
          endpoint: assignees,
          input: { orderID: row.orderID },
          search: t('work-orders.assign.search'),
          none: t('work-orders.assign.none'),
        }}
      />
      <p>{t('work-orders.assign.meaning', { name: row.holder })}</p>
    </FormDialog>
  );
}
