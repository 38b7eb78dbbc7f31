import { addEmail, addWebhook } from '@sonnenwarte/contract/notifications/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { ShownOnce } from '../blocks/overlay/shown-once.tsx';
import { CopyField } from '../blocks/show/copy-field.tsx';

/** A further e-mail address for notices. */
export function EmailForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const form = useEndpointForm(addEmail, {
    initialValues: { address: '', name: '' },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('notifications.add.email')}
      opened
      onClose={onClose}
      submitLabel={t('notifications.add.email')}
    >
      <TextField form={form} name="address" />
      <TextField form={form} name="name" />
    </FormDialog>
  );
}

/** A web address to which notices are posted; then its secret, this once. */
export function WebhookForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [secret, setSecret] = useState<string>();
  const refused = t('notifications.urlRefused');
  const form = useEndpointForm(addWebhook, {
    initialValues: { url: '', name: '' },
    reasons: { url: { url: refused, wrong: refused } },
    onDone: (result) => setSecret(result.secret),
  });
  if (secret !== undefined) {
    return (
      <ShownOnce title={t('notifications.secret')} closeLabel={t('notifications.close')} onClose={onClose}>
        <CopyField label={t('notifications.secret')} value={secret} hint={t('notifications.secretHint')} />
      </ShownOnce>
    );
  }
  return (
    <FormDialog
      form={form}
      title={t('notifications.add.webhook')}
      opened
      onClose={onClose}
      submitLabel={t('notifications.add.webhook')}
    >
      <TextField form={form} name="url" hint={t('notifications.urlHint')} placeholder="https://" />
      <TextField form={form} name="name" />
    </FormDialog>
  );
}
