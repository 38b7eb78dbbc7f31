import { useForm } from '@mantine/form';
import { email, password, setUp, username } from '@sonnenwarte/contract/accounts/accounts';
import { hasHiddenSign } from '@sonnenwarte/contract/fields';
import { type ChangeEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { call } from '../client/call.ts';
import { EntryPage } from '../login/entry-page.tsx';
import { Field, SubmitButton } from '../login/field.tsx';
import { useLinkCode } from '../login/use-link-code.ts';
import { useSetUpState } from '../login/use-set-up-state.ts';
import { go } from '../router/navigation.ts';
import { useDocumentTitle } from '../shell/document-title.ts';
import styles from './setup-screen.module.css';

export function SetupScreen() {
  const { t } = useTranslation();
  useDocumentTitle(t('setup.title'));
  const state = useSetUpState();
  const code = useLinkCode();
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const check = (schema: z.ZodMiniType, message: string) => (value: string) =>
    z.safeParse(schema, value).success ? null : hasHiddenSign(value) ? t('blocks.reason.unprintable') : message;
  const form = useForm({
    initialValues: { user: '', email: '', password: '', confirm: '' },
    validate: {
      user: check(username, t('setup.userInvalid')),
      email: check(email, t('setup.emailInvalid')),
      password: check(password, t('setup.passwordInvalid')),
      confirm: (value, values) => (value === values.password ? null : t('setup.passwordsDiffer')),
    },
  });

  const fieldOf = (name: keyof typeof form.values) => ({
    value: form.values[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => form.setFieldValue(name, event.currentTarget.value),
    error: typeof form.errors[name] === 'string' ? form.errors[name] : undefined,
  });

  const submit = form.onSubmit(async (values) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await call(setUp, { code, user: values.user, email: values.email, password: values.password });
      go('/login', {}, { replace: true });
    } catch {
      running.current = false;
      setBusy(false);
    }
  });

  if (state && !state.needed) {
    return (
      <EntryPage>
        <h1>{t('setup.doneTitle')}</h1>
        <p>{t('setup.done')}</p>
        <a href="/login" className={styles.out}>
          {t('setup.toLogin')}
        </a>
      </EntryPage>
    );
  }
  if (code === '') {
    return (
      <EntryPage>
        <h1>{t('setup.title')}</h1>
        <p>{t('setup.noCode')}</p>
      </EntryPage>
    );
  }
  return (
    <EntryPage>
      <form className={styles.form} onSubmit={submit} noValidate>
        <h1>{t('setup.title')}</h1>
        <p className={styles.intro}>{t('setup.intro')}</p>
        <Field label={t('setup.user')} hint={t('setup.userHint')} autoComplete="username" {...fieldOf('user')} />
        <Field label={t('setup.email')} type="email" autoComplete="email" {...fieldOf('email')} />
        <Field
          label={t('login.password')}
          hint={t('setup.passwordHint')}
          type="password"
          autoComplete="new-password"
          {...fieldOf('password')}
        />
        <Field label={t('setup.confirm')} type="password" autoComplete="new-password" {...fieldOf('confirm')} />
        <SubmitButton label={t('setup.submit')} busy={busy} />
      </form>
    </EntryPage>
  );
}
