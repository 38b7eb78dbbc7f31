import { homeOf } from '@sonnenwarte/contract/routes';
import { useTranslation } from 'react-i18next';
import { Logo } from '../blocks/show/logo.tsx';
import { useDocumentTitle } from '../router/document-title.ts';
import { addressOf, go } from '../router/navigation.ts';
import { useGlobalState } from '../state/global-state.ts';
import { tokenOf } from '../state/session.ts';
import styles from './error-screen.module.css';

export type Problem = '403' | '404' | '5xx' | 'noPermissions';

/** One sentence that says what happened, and one way out. */
export function ErrorScreen({ problem }: { problem: Problem }) {
  const { t } = useTranslation();
  const access = useGlobalState((state) => state.access);
  const home = homeOf(tokenOf() === '' ? -1 : access);
  useDocumentTitle(t(`navigation.problem.${problem}.title`));
  return (
    <main className={styles.screen}>
      <Logo size={44} />
      <h1 className={styles.title}>{t(`navigation.problem.${problem}.title`)}</h1>
      <p className={styles.text}>{t(`navigation.problem.${problem}.text`)}</p>
      <a
        className={styles.out}
        href={addressOf(home)}
        onClick={(event) => {
          event.preventDefault();
          go(home);
        }}
      >
        {home === '/login' ? t('navigation.toLogin') : t('navigation.toHome')}
      </a>
    </main>
  );
}
