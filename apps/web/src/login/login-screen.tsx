import { errno } from '@sonnenwarte/contract/errors';
import { hasHiddenSign } from '@sonnenwarte/contract/fields';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { ApiError, isFailure } from '../client/failures.ts';
import { report } from '../client/reporting.ts';
import { fetchWorkspace } from '../first-screen.ts';
import { useFormat } from '../format/use-format.ts';
import { dismissAll } from '../notices/notices.ts';
import { useDocumentTitle } from '../router/document-title.ts';
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

/** The name is refused for its form. */
const isRefused = (error: unknown): boolean => error instanceof ApiError && error.errno === errno.refusedInput;

export function LoginScreen() {
  const { t } = useTranslation();
  const format = useFormat();
  useDocumentTitle(t('login.title'));
  const state = useSetUpState();
  const [user, setUser] = useState(rememberedName);
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [waitEndMs, setWaitEndMs] = useState(0);
  const [failure, setFailure] = useState<unknown>();
  const waitS = useSecondsLeft(waitEndMs);
  const isUserBad = hasHiddenSign(user.trim());
  const refused = isRefused(failure);
  const userError =
    asked && user.trim() === ''
      ? t('login.userMissing')
      : asked && isUserBad
        ? t('blocks.reason.unprintable')
        : refused
          ? t('login.userMissing')
          : undefined;
  // Old ones may hold such signs, so it is asked for first.
  const passwordError =
    asked && password === ''
      ? t('login.passwordMissing')
      : failure !== undefined && hasHiddenSign(password)
        ? t('blocks.reason.unprintable')
        : undefined;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || waitS > 0) return;
    dismissAll();
    setAsked(true);
    setFailure(undefined);
    if (user.trim() === '' || isUserBad || password === '') return;
    setBusy(true);
    try {
      await signIn(user.trim(), password);
    } catch (error) {
      const endMs = waitEndOf(error);
      if (endMs !== undefined) setWaitEndMs(endMs);
      else {
        setFailure(error);
        if (isFailure(error)) void report(error, { inPlace: true });
      }
    }
    setBusy(false);
  };

  return (
    <EntryPage onLanguage={noteLanguageChoice}>
      <form className={styles.form} onSubmit={submit} onFocus={fetchWorkspace} noValidate>
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
          error={userError}
        />
        <Field
          type="password"
          label={t('login.password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          name="password"
          autoComplete="current-password"
          error={passwordError}
        />
        {failure !== undefined && !refused && <ErrorNotice error={failure} />}
        {waitS > 0 && (
          <p className={styles.notice} role="alert">
            {t('login.wait')} <span aria-live="off">{t('login.waitLeft', { time: format.seconds(waitS) })}</span>
          </p>
        )}
        <SubmitButton label={t('login.submit')} busy={busy} disabled={waitS > 0} />
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
