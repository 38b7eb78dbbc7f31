import { changePassword } from '@sonnenwarte/contract/accounts/accounts';
import { useTranslation } from 'react-i18next';
import { type EndpointForm, useEndpointForm } from '../blocks/endpoint-form.ts';
import { PasswordField } from '../blocks/fields.tsx';
import { showMessage } from '../client/reporting.ts';
import { invalid, NewPasswordFields } from '../login/new-password-fields.tsx';

interface PasswordChange {
  oldPassword: string;
  newPassword: string;
  confirm: string;
}

interface PasswordChangeOptions {
  /** A temporary password is not asked for again. */
  temporary?: boolean;
  alsoChanges?: readonly string[];
  onDone: () => void;
}

/** Changes the own password. */
export function useChangePasswordForm({
  temporary = false,
  alsoChanges = [],
  onDone,
}: PasswordChangeOptions): EndpointForm<PasswordChange> {
  const { t } = useTranslation();
  return useEndpointForm(changePassword, {
    initialValues: { oldPassword: '', newPassword: '', confirm: '' },
    draft: false,
    alsoChanges,
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
      onDone();
    },
  });
}

/** The old password, unless it is a temporary one, and the new one twice. */
export function ChangePasswordFields({
  form,
  temporary = false,
}: {
  form: EndpointForm<PasswordChange>;
  temporary?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <>
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
    </>
  );
}
