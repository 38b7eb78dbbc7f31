import { alarmCauses, alarmFactsOf } from '@sonnenwarte/contract/incidents/alarm-facts';
import type { close } from '@sonnenwarte/contract/incidents/incidents';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextAreaField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { type ChosenIncidents, idsOf } from './incident-actions.tsx';

/** Incidents that are over are done with: what it was. */
export function CloseForm({ row, of, onClose, onDone, words }: ActionProps<ChosenIncidents, typeof close>): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: { ids: idsOf(row), cause: '', comment: '' },
    draft: false,
    onDone: () => {
      onDone();
      onClose();
    },
  });
  const likely = row.rows.flatMap(({ code }) => alarmFactsOf(code).causes);
  const causes = [...new Set([...likely, ...alarmCauses])];
  return (
    <FormDialog
      form={form}
      title={t('incidents.close.title', { count: row.rows.length })}
      opened
      onClose={onClose}
      submitLabel={words.label}
    >
      <SelectField
        form={form}
        name="cause"
        placeholder={t('incidents.close.noCause')}
        options={causes.map((value) => ({ value, label: t(`alarm-facts.cause.${value}`) }))}
        description={t('incidents.close.why')}
      />
      <TextAreaField form={form} name="comment" />
    </FormDialog>
  );
}
