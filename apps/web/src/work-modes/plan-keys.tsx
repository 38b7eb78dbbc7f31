import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { STEP_MIN, STEP_W } from './plan-edit.ts';
import styles from './plan-keys.module.css';

/** The keys that act on the windows of a band. */
export function PlanKeys(): ReactNode {
  const { t } = useTranslation();
  return (
    <p className={styles.keys}>
      <span>
        <kbd>⇥</kbd> {t('work-modes.key.next')}
      </span>
      <span>
        <kbd>←</kbd>
        <kbd>→</kbd> {t('work-modes.key.step', { step: STEP_MIN })}
      </span>
      <span>
        <kbd>{t('work-modes.key.shift')}</kbd> {t('work-modes.key.end')}
      </span>
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd> {t('work-modes.key.power', { watts: STEP_W })}
      </span>
      <span>
        <kbd>⏎</kbd> {t('work-modes.key.type')}
      </span>
      <span>
        <kbd>{t('work-modes.key.delete')}</kbd> {t('work-modes.key.remove')}
      </span>
    </p>
  );
}
