import { errno } from '@sonnenwarte/contract/errors';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, isFailure } from '../client/failures.ts';
import { report } from '../client/reporting.ts';
import { useDocumentTitle } from '../shell/document-title.ts';
import { DEMO_PASSWORD, demoAccounts } from './demo-accounts.ts';
import { rememberedName } from './entered-name.ts';
import { EntryLink, EntryLinks } from './entry-links.tsx';
import { EntryPage } from './entry-page.tsx';
import { Field, SubmitButton } from './field.tsx';
import styles from './login-screen.module.css';
import { noteLanguageChoice, signIn } from './sign-in.ts';
import { useSecondsLeft } from './use-seconds-left.ts';
import { useSetUpState } from './use-set-up-state.ts';

/** Until when no further try is taken; `undefined` for any other failure. */
function waitEndOf(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.errno !== errno.tryLater) return undefined;
  const { result } = error;
  const waitMs = typeof result === 'object' && result !== null && 'retryAfterMs' in result ? result.retryAfterMs : 0;
  return typeof waitMs === 'number' ? Date.now() + waitMs : undefined;
}

export function LoginScreen() {
  const { t } = useTranslation();
  useDocumentTitle(t('login.title'));
  const state = useSetUpState();
  const [user, setUser] = useState(rememberedName);
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [waitEndMs, setWaitEndMs] = useState(0);
  const waitS = useSecondsLeft(waitEndMs);
  const noUser = asked && user.trim() === '';
  const noPassword = asked && password === '';

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (user.trim() === '' || password === '' || busy) return;
    setBusy(true);
    try {
      await signIn(user.trim(), password);
    } catch (error) {
      const endMs = waitEndOf(error);
      if (endMs !== undefined) setWaitEndMs(endMs);
      else if (isFailure(error)) void report(error);
    }
    setBusy(false);
  };

  return (
    <EntryPage onLanguage={noteLanguageChoice}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <h1>{t('login.title')}</h1>
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
        {waitS > 0 && (
          <p className={styles.notice} role="alert">
            {t('login.wait')} <span aria-live="off">{t('login.waitLeft', { seconds: waitS })}</span>
          </p>
        )}
        <SubmitButton label={t('login.submit')} busy={busy} />
        <EntryLinks>
          <EntryLink to="/forgotPassword">{t('login.forgotPassword')}</EntryLink>
          <EntryLink to="/signUp">{t('login.signUp')}</EntryLink>
        </EntryLinks>
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
