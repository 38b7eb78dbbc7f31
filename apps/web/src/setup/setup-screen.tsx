import { setUp } from '@sonnenwarte/contract/accounts/accounts';
import { useTranslation } from 'react-i18next';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { PasswordField, TextField } from '../blocks/form/fields.tsx';
import { Form } from '../blocks/form/form.tsx';
import { EntryForm } from '../login/entry-form.tsx';
import { EntryLink, EntryLinks } from '../login/entry-links.tsx';
import { invalid } from '../login/new-password-fields.tsx';
import { useLinkCode } from '../login/use-link-code.ts';
import { useSetUpState } from '../login/use-set-up-state.ts';
import { go } from '../router/navigation.ts';

/** Makes the account that administers a new portal, with the code of the link that the server printed. */
export function SetupScreen() {
  const { t } = useTranslation();
  const state = useSetUpState();
  const code = useLinkCode();
  if (state && !state.needed) {
    return (
      <EntryForm title={t('setup.doneTitle')} intro={t('setup.done')}>
        <EntryLinks>
          <EntryLink to="/login">{t('setup.toLogin')}</EntryLink>
        </EntryLinks>
      </EntryForm>
    );
  }
  return code === '' ? (
    <EntryForm title={t('setup.title')} intro={t('setup.noCode')}>
      {null}
    </EntryForm>
  ) : (
    <EntryForm title={t('setup.title')} intro={t('setup.intro')}>
      <AccountForm code={code} />
    </EntryForm>
  );
}

function AccountForm({ code }: { code: string }) {
  const { t } = useTranslation();
  const form = useEndpointForm(setUp, {
    initialValues: { user: '', email: '', password: '', confirm: '' },
    draft: false,
    prepare: ({ confirm: _, ...values }) => ({ ...values, code }),
    check: ({ password, confirm }) => ({
      confirm: password === confirm ? undefined : t('sign-up.passwordsDiffer'),
    }),
    reasons: {
      user: invalid(t('blocks.reason.username')),
      password: invalid(t('sign-up.passwordInvalid')),
    },
    onDone: () => go('/login', {}, { replace: true }),
  });
  return (
    <Form form={form} submitLabel={t('setup.submit')}>
      <TextField form={form} name="user" label={t('setup.user')} hint={t('setup.userHint')} autoComplete="username" />
      <TextField form={form} name="email" label={t('setup.email')} autoComplete="email" />
      <PasswordField form={form} name="password" label={t('login.password')} hint={t('setup.passwordHint')} />
      <PasswordField form={form} name="confirm" label={t('setup.confirm')} required />
    </Form>
  );
}
