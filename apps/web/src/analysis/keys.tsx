import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MarkShape } from './marks-track.tsx';
import styles from './views.module.css';

/** The keys that act on the plot, and what the marks mean. */
export function Keys({ hasMarks }: { hasMarks: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.keys}>
      {hasMarks && (
        <p>
          <MarkShape kind="alarm" /> {t('analysis.alarm')}
        </p>
      )}
      <p>
        <kbd>←</kbd>
        <kbd>→</kbd> {t('analysis.key.moment')} <kbd>{t('analysis.key.shift')}</kbd> {t('analysis.key.day')}
      </p>
      <p>
        <kbd>+</kbd>
        <kbd>−</kbd> {t('analysis.key.zoom')} {hasMarks && <kbd>M</kbd>} {hasMarks && t('analysis.key.mark')}
      </p>
    </div>
  );
}
