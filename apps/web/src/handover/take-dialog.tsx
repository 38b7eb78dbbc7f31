import { take } from '@sonnenwarte/contract/handover/handover';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { expectPlant } from './arrival.ts';

/** Takes a plant over by the code on its sheet. */
export function TakeDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(take, {
    initialValues: { code: '' },
    draft: false,
    onDone: () => {
      expectPlant();
      onClose();
    },
  });
  return (
    <FormDialog form={form} title={t('handover.take')} opened onClose={onClose} submitLabel={t('handover.take')}>
      <TextField form={form} name="code" autoComplete="off" />
    </FormDialog>
  );
}
