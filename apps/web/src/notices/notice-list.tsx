import { useTranslation } from 'react-i18next';
import styles from './notice-list.module.css';
import { dismiss, useNotices } from './notices.ts';

/** The messages of the moment, read out by screen readers as they come. */
export function NoticeList() {
  const { t } = useTranslation();
  const notices = useNotices();
  return (
    <div className={styles.list} role="log" aria-live="assertive" aria-label={t('common.messages')}>
      {notices.map(({ id, text, color, action }) => (
        <div key={id} className={styles.notice} data-color={color}>
          <span>{text}</span>
          {action && (
            <button type="button" className={styles.action} onClick={action.onSelect}>
              {action.label}
            </button>
          )}
          <button type="button" className={styles.close} aria-label={t('common.dismiss')} onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
