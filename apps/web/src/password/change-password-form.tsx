import { changePassword } from '@sonnenwarte/contract/accounts/accounts';
import { useTranslation } from 'react-i18next';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { CheckField, PasswordField } from '../blocks/form/fields.tsx';
import { showMessage } from '../client/reporting.ts';
import { invalid, NewPasswordFields } from '../login/new-password-fields.tsx';

interface PasswordChange {
  oldPassword: string;
  newPassword: string;
  confirm: string;
  endPrograms: boolean;
}

const untouched: PasswordChange = { oldPassword: '', newPassword: '', confirm: '', endPrograms: false };

interface PasswordChangeOptions {
  /** A temporary password is not asked for again. */
  temporary?: boolean;
  onDone: () => void;
}

/** Changes the own password. */
export function useChangePasswordForm({
  temporary = false,
  onDone,
}: PasswordChangeOptions): EndpointForm<PasswordChange> {
  const { t } = useTranslation();
  const missing = t('blocks.reason.required');
  return useEndpointForm(changePassword, {
    initialValues: untouched,
    draft: false,
    prepare: ({ oldPassword, newPassword, endPrograms }) => ({
      oldPassword: temporary ? undefined : oldPassword,
      newPassword,
      endPrograms,
    }),
    check: ({ oldPassword, newPassword, confirm }) => ({
      oldPassword: temporary || oldPassword !== '' ? undefined : missing,
      confirm: confirm === '' ? missing : newPassword === confirm ? undefined : t('sign-up.passwordsDiffer'),
    }),
    reasons: {
      oldPassword: invalid(t('sign-up.passwordInvalid'), { wrong: t('password.change.oldWrong') }),
      newPassword: invalid(t('sign-up.passwordInvalid'), { required: missing }),
    },
    onDone: () => {
      showMessage({ id: 'password-changed', text: t('password.change.done'), color: 'brand' });
      onDone();
    },
  });
}

/** The old password and the new one twice, and whether programs are to be cut off; with a temporary one they already are. */
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
      {!temporary && (
        <CheckField
          form={form}
          name="endPrograms"
          label={t('password.change.programs')}
          hint={t('password.change.programsHint')}
        />
      )}
    </>
  );
}
