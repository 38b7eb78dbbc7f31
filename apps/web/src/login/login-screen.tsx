import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '../shell/document-title.ts';
import { DEMO_PASSWORD, demoAccounts } from './demo-accounts.ts';
import { EntryPage } from './entry-page.tsx';
import { Field, SubmitButton } from './field.tsx';
import styles from './login-screen.module.css';
import { noteLanguageChoice, signIn } from './sign-in.ts';
import { useSetUpState } from './use-set-up-state.ts';

export function LoginScreen() {
  const { t } = useTranslation();
  useDocumentTitle(t('login.title'));
  const state = useSetUpState();
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const noUser = asked && user.trim() === '';
  const noPassword = asked && password === '';

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (user.trim() === '' || password === '' || busy) return;
    setBusy(true);
    await signIn(user.trim(), password).catch(() => undefined);
    setBusy(false);
  };

  return (
    <EntryPage onLanguage={noteLanguageChoice}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <h1 className={styles.title}>{t('login.title')}</h1>
        {state?.needed && <p className={styles.notice}>{t('login.setUpNeeded')}</p>}
        <Field
          label={t('login.user')}
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={noUser ? t('login.userMissing') : undefined}
        />
        <Field
          type="password"
          label={t('login.password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          name="password"
          autoComplete="current-password"
          error={noPassword ? t('login.passwordMissing') : undefined}
        />
        <SubmitButton label={t('login.submit')} busy={busy} />
      </form>
      {state?.demo && (
        <section className={styles.demo} aria-labelledby="demo-title">
          <h2 id="demo-title" className={styles.demoTitle}>
            {t('login.demo.title')}
          </h2>
          <p className={styles.demoText}>{t('login.demo.text', { password: DEMO_PASSWORD })}</p>
          <ul className={styles.accounts}>
            {demoAccounts.map((account) => (
              <li key={account.user}>
                <button
                  type="button"
                  className={styles.account}
                  onClick={() => {
                    setUser(account.user);
                    setPassword(DEMO_PASSWORD);
                  }}
                >
                  <strong>{account.user}</strong>
                  <span>{t(`levels.${account.level}`)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </EntryPage>
  );
}
