import { type assign, assignees } from '@sonnenwarte/contract/incidents/incidents';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { type ChosenIncidents, idsOf } from './incident-actions.tsx';

/** Who takes care of incidents. */
export function AssignForm({
  row,
  of,
  onClose,
  onDone,
  words,
}: ActionProps<ChosenIncidents, typeof assign>): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: { ids: idsOf(row), accountID: '' },
    draft: false,
    prepare: ({ ids, accountID }) => ({ ids, accountID: accountID === '' ? null : accountID }),
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('incidents.assign.title', { count: row.rows.length })}
      opened
      onClose={onClose}
      submitLabel={words.label}
    >
      <RecordField
        form={form}
        name="accountID"
        required={false}
        source={{
          endpoint: assignees,
          input: { incidentIDs: idsOf(row) },
          search: t('incidents.assign.search'),
          none: t('incidents.assign.none'),
        }}
      />
      <p>{t('incidents.assign.meaning')}</p>
    </FormDialog>
  );
}
