import { useTranslation } from 'react-i18next';
import { textFrom } from '../client/error-table.ts';
import { ApiError, NetworkError, StatusError } from '../client/failures.ts';
import { useGlobalState } from '../state/global-state.ts';
import { Button } from './button.tsx';
import styles from './error-notice.module.css';

/** Text of a failure: `{errno}-{text}` for an answer of the API, else what happened. */
export function useErrorText(error: unknown): string {
  const { t } = useTranslation();
  const table = useGlobalState((state) => state.errorMessages);
  const language = useGlobalState((state) => state.language);
  if (error instanceof ApiError) return `${error.errno}-${textFrom(table, error.errno, language) ?? error.message}`;
  if (error instanceof StatusError) return `status:${error.status} ${error.message}`.trim();
  if (error instanceof NetworkError) return t(error.timedOut ? 'common.timeout' : 'common.networkFailure');
  return t('common.somethingWentWrong');
}

interface ErrorNoticeProps {
  error: unknown;
  retry?: () => void;
  /** What was shown before is still shown beneath. */
  keepsShown?: boolean;
}

/** Says what went wrong and offers to try again; stands above what was shown, never in its place. */
export function ErrorNotice({ error, retry, keepsShown = false }: ErrorNoticeProps) {
  const { t } = useTranslation();
  const text = useErrorText(error);
  const saysSo = error instanceof NetworkError && !error.timedOut;
  return (
    <div className={styles.notice} role="alert">
      <p>
        {text}
        {keepsShown && !saysSo && <span className={styles.kept}>{t('common.stillShown')}</span>}
      </p>
      {retry && (
        <Button small onClick={retry}>
          {t('common.retry')}
        </Button>
      )}
    </div>
  );
}
