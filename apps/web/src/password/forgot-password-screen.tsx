import { forgotPassword } from '@sonnenwarte/contract/accounts/accounts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { Form } from '../blocks/form/form.tsx';
import { EntryForm } from '../login/entry-form.tsx';
import { EntryLink, EntryLinks } from '../login/entry-links.tsx';
import { invalid } from '../login/new-password-fields.tsx';
import styles from './password.module.css';

function RequestForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const form = useEndpointForm(forgotPassword, {
    initialValues: { user: '' },
    draft: false,
    reasons: { user: invalid(t('login.userMissing')) },
    onDone,
  });
  return (
    <Form form={form} submitLabel={t('password.forgot.submit')}>
      <TextField form={form} name="user" label={t('login.user')} autoComplete="username" />
    </Form>
  );
}

export function ForgotPasswordScreen() {
  const { t } = useTranslation();
  const [done, setDone] = useState(false);
  return (
    <EntryForm title={t('password.forgot.title')} {...(!done && { intro: t('password.forgot.intro') })}>
      {done ? (
        <p className={styles.done} role="status">
          {t('password.forgot.done')}
        </p>
      ) : (
        <RequestForm onDone={() => setDone(true)} />
      )}
      <EntryLinks>
        <EntryLink to="/login">{t('password.toLogin')}</EntryLink>
      </EntryLinks>
    </EntryForm>
  );
}
