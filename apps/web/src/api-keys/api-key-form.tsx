import type { create } from '@sonnenwarte/contract/api-keys/api-keys';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { ShownOnce } from '../blocks/overlay/shown-once.tsx';
import { CopyField } from '../blocks/show/copy-field.tsx';

/** Names a new key, then shows it, this once. */
export function ApiKeyForm({ of, onClose, words }: ActionProps<undefined, typeof create>): ReactNode {
  const { t } = useTranslation();
  const [key, setKey] = useState<string>();
  const form = useEndpointForm(of, {
    initialValues: { name: '' },
    onDone: (result) => setKey(result.key),
  });
  if (key !== undefined) {
    return (
      <ShownOnce title={t('api-keys.shown')} closeLabel={t('api-keys.close')} onClose={onClose}>
        <CopyField label={t('api-keys.shown')} value={key} hint={t('api-keys.shownHint')} />
      </ShownOnce>
    );
  }
  return (
    <FormDialog form={form} title={words.label} opened onClose={onClose} submitLabel={words.label}>
      <TextField form={form} name="name" hint={t('api-keys.nameHint')} />
    </FormDialog>
  );
}
