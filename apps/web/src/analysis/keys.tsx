import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MarkShape, type PlotMark } from './marks-track.tsx';
import styles from './views.module.css';

const kinds = ['alarm', 'setting'] as const satisfies readonly PlotMark['kind'][];

/** What the marks of the plot mean: those that it has. */
export function MarkLegend({ marks }: { marks: readonly PlotMark[] }): ReactNode {
  const { t } = useTranslation();
  const shown = kinds.filter((kind) => marks.some((mark) => mark.kind === kind));
  if (shown.length === 0) return null;
  return (
    <p className={styles.legend}>
      {shown.map((kind) => (
        <span key={kind}>
          <MarkShape kind={kind} /> {t(kind === 'alarm' ? 'analysis.alarm' : 'analysis.changedSetting')}
        </span>
      ))}
    </p>
  );
}

/** The keys that act on the plot. */
export function Keys({ hasMarks }: { hasMarks: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.keys}>
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
