import type { abort, removeUnit } from '@sonnenwarte/contract/burn-in/burn-in';
import type { RunRow } from '@sonnenwarte/contract/burn-in/rows';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';

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
  return (
    <FormDialog
      form={form}
      title={t('burn-in.run.abortTitle', { name: words.name })}
      opened
      onClose={onClose}
      submitLabel={words.label}
      danger
    >
      <p>{t('burn-in.run.abortHint')}</p>
      <TextField form={form} name="reason" />
    </FormDialog>
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
    initialValues: { ...row, reason: '' },
    draft: false,
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('burn-in.unit.takeTitle', { sn: row.sn })}
      opened
      onClose={onClose}
      submitLabel={words.label}
      danger
    >
      <p>{t('burn-in.unit.takeHint')}</p>
      <TextField form={form} name="reason" />
    </FormDialog>
  );
}
