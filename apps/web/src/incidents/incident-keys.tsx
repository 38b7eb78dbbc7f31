import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './incidents.module.css';

/** The keys that act on the rows. */
export function IncidentKeys({ canChoose }: { canChoose: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <p className={styles.keys}>
      <span>
        <kbd>J</kbd>
        <kbd>K</kbd> {t('incidents.key.row')}
      </span>
      {canChoose && (
        <>
          <span>
            <kbd>X</kbd> {t('incidents.key.choose')}
          </span>
          <span>
            <kbd>Q</kbd> {t('incidents.key.acknowledge')}
          </span>
        </>
      )}
      <span>
        <kbd>⏎</kbd> {t('incidents.key.open')}
      </span>
    </p>
  );
}
