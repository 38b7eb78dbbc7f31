import { changePassword, info } from '@sonnenwarte/contract/accounts/accounts';
import { homeOf } from '@sonnenwarte/contract/routes';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useEndpointForm } from '../blocks/endpoint-form.ts';
import { ErrorNotice } from '../blocks/error-notice.tsx';
import { PasswordField } from '../blocks/fields.tsx';
import { Form } from '../blocks/form.tsx';
import { read } from '../client/queries.ts';
import { showMessage } from '../client/reporting.ts';
import { EntryForm } from '../login/entry-form.tsx';
import { EntryLink, EntryLinks } from '../login/entry-links.tsx';
import { invalid, NewPasswordFields } from '../login/new-password-fields.tsx';
import { go } from '../router/navigation.ts';
import { globalState } from '../state/global-state.ts';

/** Changes the own password; the only page that a temporary one opens. */
export function ChangePasswordScreen() {
  const { t } = useTranslation();
  return (
    <EntryForm title={t('password.change.title')}>
      <Change />
    </EntryForm>
  );
}

function Change() {
  const { t } = useTranslation();
  const account = useQuery(read(info, {}));
  return (
    <>
      {account.error && <ErrorNotice error={account.error} retry={() => void account.refetch()} />}
      {account.data && <ChangeForm temporary={account.data.passwordTemporary} />}
      <EntryLinks>
        <EntryLink to="/login">{t('password.change.signOut')}</EntryLink>
      </EntryLinks>
    </>
  );
}

function ChangeForm({ temporary }: { temporary: boolean }) {
  const { t } = useTranslation();
  const form = useEndpointForm(changePassword, {
    initialValues: { oldPassword: '', newPassword: '', confirm: '' },
    draft: false,
    prepare: ({ oldPassword, newPassword }) => ({ oldPassword: temporary ? undefined : oldPassword, newPassword }),
    check: ({ newPassword, confirm }) => ({
      confirm: newPassword === confirm ? undefined : t('sign-up.passwordsDiffer'),
    }),
    reasons: {
      oldPassword: invalid(t('sign-up.passwordInvalid'), { wrong: t('password.change.oldWrong') }),
      newPassword: invalid(t('sign-up.passwordInvalid')),
    },
    onDone: () => {
      showMessage({ id: 'password-changed', text: t('password.change.done'), color: 'brand' });
      go(homeOf(globalState.get().access), {}, { replace: true });
    },
  });
  return (
    <>
      <p>{t(temporary ? 'password.change.temporary' : 'password.change.intro')}</p>
      <Form form={form} submitLabel={t('password.submit')}>
        {!temporary && (
          <PasswordField
            form={form}
            name="oldPassword"
            label={t('password.old')}
            autoComplete="current-password"
            required
          />
        )}
        <NewPasswordFields form={form} />
      </Form>
    </>
  );
}
