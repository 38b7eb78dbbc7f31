import { resetPassword } from '@sonnenwarte/contract/accounts/accounts';
import { errno } from '@sonnenwarte/contract/errors';
import { useTranslation } from 'react-i18next';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { Form } from '../blocks/form/form.tsx';
import { ApiError } from '../client/failures.ts';
import { showMessage } from '../client/reporting.ts';
import { rememberName } from '../login/entered-name.ts';
import { EntryForm } from '../login/entry-form.tsx';
import { EntryLink, EntryLinks } from '../login/entry-links.tsx';
import { invalid, NewPasswordFields } from '../login/new-password-fields.tsx';
import { useLinkCode } from '../login/use-link-code.ts';
import { go } from '../router/navigation.ts';

/** Sets a new password with the code of a mailed link. */
export function ResetPasswordScreen() {
  const { t } = useTranslation();
  const code = useLinkCode();
  return (
    <EntryForm title={t('password.reset.title')}>
      <ResetForm key={code} code={code} />
    </EntryForm>
  );
}

function ResetForm({ code }: { code: string }) {
  const { t } = useTranslation();
  const form = useEndpointForm(resetPassword, {
    initialValues: { code, newPassword: '', confirm: '' },
    draft: false,
    prepare: ({ newPassword }) => ({ code, newPassword }),
    check: ({ newPassword, confirm }) => ({
      confirm: newPassword === confirm ? undefined : t('sign-up.passwordsDiffer'),
    }),
    reasons: { newPassword: invalid(t('sign-up.passwordInvalid')) },
    onDone: ({ user }) => {
      rememberName(user);
      showMessage({ id: 'password-reset', text: t('password.reset.done'), color: 'brand' });
      go('/login', {}, { replace: true });
    },
  });
  const linkIsVoid = form.failure instanceof ApiError && form.failure.errno === errno.resetLinkInvalid;
  if (code === '') {
    return (
      <>
        <p>{t('password.incomplete')}</p>
        <AskAnew />
      </>
    );
  }
  return (
    <>
      <Form form={form} submitLabel={t('password.submit')}>
        <NewPasswordFields form={form} />
      </Form>
      {linkIsVoid && <AskAnew />}
    </>
  );
}

function AskAnew() {
  const { t } = useTranslation();
  return (
    <EntryLinks>
      <EntryLink to="/forgotPassword">{t('password.reset.askAnew')}</EntryLink>
    </EntryLinks>
  );
}
