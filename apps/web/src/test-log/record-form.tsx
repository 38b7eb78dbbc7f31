import { MOST_RECORDING_HOURS, type record } from '@sonnenwarte/contract/test-log/test-log';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { NumberField } from '../blocks/form/number-field.tsx';

type Props = ActionProps<{ readonly dataloggerSN: string }, typeof record>;

/** Which datalogger is recorded, and for how long. */
export function RecordForm({ row, of, onClose, words }: Props): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: { dataloggerSN: row.dataloggerSN, hours: 1 },
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={words.label} opened onClose={onClose} submitLabel={words.label}>
      <TextField form={form} name="dataloggerSN" />
      <NumberField form={form} name="hours" hint={t('test-log.hoursHint', { most: MOST_RECORDING_HOURS })} />
    </FormDialog>
  );
}
