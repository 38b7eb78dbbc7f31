import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { Section } from '../blocks/show/section.tsx';
import { ChangePasswordFields, useChangePasswordForm } from '../password/change-password-form.tsx';

/** The own password. */
export function PasswordSection() {
  const { t } = useTranslation();
  const [changing, setChanging] = useState(false);
  return (
    <Section
      title={t('user-center.section.password')}
      lead={t('user-center.password.lead')}
      actions={
        <Button onClick={() => setChanging(true)}>
          <IconKey size={16} aria-hidden="true" />
          {t('user-center.password.change')}
        </Button>
      }
    >
      {changing && <PasswordForm onClose={() => setChanging(false)} />}
    </Section>
  );
}

function PasswordForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const form = useChangePasswordForm({ onDone: onClose });
  return (
    <FormDialog
      form={form}
      title={t('user-center.password.change')}
      opened
      onClose={onClose}
      submitLabel={t('password.submit')}
    >
      <p>{t('password.change.intro')}</p>
      <ChangePasswordFields form={form} />
    </FormDialog>
  );
}
