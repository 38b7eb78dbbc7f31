import { useTranslation } from 'react-i18next';
import type { EndpointForm, ReasonTexts } from '../blocks/form/endpoint-form.ts';
import { PasswordField } from '../blocks/form/fields.tsx';

interface NewPassword {
  newPassword: string;
  confirm: string;
}

/** A new password, typed twice. */
export function NewPasswordFields<V extends NewPassword>({ form }: { form: EndpointForm<V> }) {
  const { t } = useTranslation();
  return (
    <>
      <PasswordField form={form} name="newPassword" label={t('password.new')} hint={t('password.hint')} />
      <PasswordField form={form} name="confirm" label={t('password.confirm')} required />
    </>
  );
}

/** The same words for every reason but those that have their own. */
export const invalid = (text: string, own: Exclude<ReasonTexts, string> = {}): ReasonTexts => ({
  required: text,
  tooShort: text,
  tooLong: text,
  invalidFormat: text,
  username: text,
  notOffered: text,
  invalid: text,
  ...own,
});
