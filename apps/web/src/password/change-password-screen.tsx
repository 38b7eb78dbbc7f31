import { info } from '@sonnenwarte/contract/accounts/own-account';
import { homeOf } from '@sonnenwarte/contract/routes';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Form } from '../blocks/form/form.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { read } from '../client/queries.ts';
import { EntryForm } from '../login/entry-form.tsx';
import { EntryLink, EntryLinks } from '../login/entry-links.tsx';
import { go } from '../router/navigation.ts';
import { globalState } from '../state/global-state.ts';
import { ChangePasswordFields, useChangePasswordForm } from './change-password-form.tsx';

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
  const form = useChangePasswordForm({
    temporary,
    onDone: () => go(homeOf(globalState.get().access), {}, { replace: true }),
  });
  return (
    <>
      <p>{t(temporary ? 'password.change.temporary' : 'password.change.intro')}</p>
      <Form form={form} submitLabel={t('password.submit')}>
        <ChangePasswordFields form={form} temporary={temporary} />
      </Form>
    </>
  );
}
