import type { abort, removeUnit } from '@sonnenwarte/contract/burn-in/burn-in';
import type { RunRow } from '@sonnenwarte/contract/burn-in/rows';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';

interface ReasonFormProps<Values extends { reason: string }> {
  form: EndpointForm<Values, 'burn-in'>;
  title: string;
  hint: string;
  label: string;
  onClose: () => void;
}

/** What cannot be undone is said why. */
function ReasonForm<Values extends { reason: string }>(props: ReasonFormProps<Values>): ReactNode {
  const { form, title, hint, label, onClose } = props;
  return (
    <FormDialog form={form} title={title} opened onClose={onClose} submitLabel={label} danger>
      <p>{hint}</p>
      <TextField form={form} name="reason" />
    </FormDialog>
  );
}

/** Aborts a run, and says why. */
export function AbortForm({ row, of, words, onClose, onDone }: ActionProps<RunRow, typeof abort>): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: { runID: row.runID, reason: '' },
    draft: false,
    onDone: () => {
      onDone();
      onClose();
    },
  });
  const title = t('burn-in.run.abortTitle', { name: words.name });
  return (
    <ReasonForm form={form} title={title} hint={t('burn-in.run.abortHint')} label={words.label} onClose={onClose} />
  );
}

/** A unit of a run, by which it is taken off. */
export interface TakenUnit {
  readonly runID: string;
  readonly sn: string;
}

/** Takes a unit off the rack, and says why. */
export function TakeOffForm({ row, of, words, onClose, onDone }: ActionProps<TakenUnit, typeof removeUnit>): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: { runID: row.runID, sn: row.sn, reason: '' },
    draft: false,
    onDone: () => {
      onDone();
      onClose();
    },
  });
  const title = t('burn-in.unit.takeTitle', { sn: row.sn });
  return (
    <ReasonForm form={form} title={title} hint={t('burn-in.unit.takeHint')} label={words.label} onClose={onClose} />
  );
}
