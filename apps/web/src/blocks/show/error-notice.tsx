import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchErrorText } from '../../client/error-table.ts';
import { failureText } from '../../client/failure-text.ts';
import { ApiError, NetworkError } from '../../client/failures.ts';
import { useGlobalState } from '../../state/global-state.ts';
import { Button } from './button.tsx';
import styles from './error-notice.module.css';

/** Text of a failure in the language of the screen. */
export function useErrorText(error: unknown): string {
  useTranslation();
  const table = useGlobalState((state) => state.errorMessages);
  const language = useGlobalState((state) => state.language);
  const number = error instanceof ApiError ? error.errno : undefined;
  useEffect(() => {
    if (number !== undefined) void fetchErrorText(number, language);
  }, [number, language]);
  return failureText(error, table, language);
}

interface ErrorNoticeProps {
  error: unknown;
  retry?: () => void;
  /** What was shown before is still shown beneath. */
  keepsShown?: boolean;
}

/** Says what went wrong and offers to try again; stands above what was shown, never in its place. That the line is down is said by the badge alone. */
export function ErrorNotice({ error, retry, keepsShown = false }: ErrorNoticeProps) {
  const { t } = useTranslation();
  const failure = useErrorText(error);
  const isOffLine = error instanceof NetworkError && !error.timedOut;
  if (isOffLine && keepsShown) return null;
  const text = isOffLine ? t('common.noConnection') : failure;
  return (
    <div className={styles.notice} role="alert">
      <p>
        {text}
        {keepsShown && <span className={styles.kept}>{t('common.stillShown')}</span>}
      </p>
      {retry && (
        <Button small onClick={retry}>
          {t('common.retry')}
        </Button>
      )}
    </div>
  );
}
