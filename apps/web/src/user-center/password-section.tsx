import { changePassword } from '@sonnenwarte/contract/accounts/accounts';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/button.tsx';
import { useEndpointForm } from '../blocks/endpoint-form.ts';
import { PasswordField } from '../blocks/fields.tsx';
import { FormDialog } from '../blocks/form-dialog.tsx';
import { showMessage } from '../client/reporting.ts';
import { invalid, NewPasswordFields } from '../login/new-password-fields.tsx';
import { Section } from './section.tsx';

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
  const form = useEndpointForm(changePassword, {
    initialValues: { oldPassword: '', newPassword: '', confirm: '' },
    draft: false,
    alsoChanges: ['user-center'],
    check: ({ newPassword, confirm }) => ({
      confirm: newPassword === confirm ? undefined : t('sign-up.passwordsDiffer'),
    }),
    reasons: {
      oldPassword: invalid(t('sign-up.passwordInvalid'), { wrong: t('password.change.oldWrong') }),
      newPassword: invalid(t('sign-up.passwordInvalid')),
    },
    onDone: () => {
      showMessage({ id: 'password-changed', text: t('password.change.done'), color: 'brand' });
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('user-center.password.change')}
      opened
      onClose={onClose}
      submitLabel={t('password.submit')}
    >
      <PasswordField
        form={form}
        name="oldPassword"
        label={t('password.old')}
        autoComplete="current-password"
        required
      />
      <NewPasswordFields form={form} />
    </FormDialog>
  );
}
