import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './analysis.module.css';
import type { ShownCurve } from './use-analysis.ts';

interface SampleWordsProps {
  curves: readonly ShownCurve[];
  days: string;
  /** All samples of the part are on their way. */
  isReading: boolean;
}

/** Of how many samples the curves are made, and whether all of them are drawn. */
export function SampleWords({ curves, days, isReading }: SampleWordsProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const samples = curves.reduce((sum, curve) => sum + curve.samples, 0);
  const isThinned = curves.some((curve) => curve.isThinned);
  const drawn = useMemo(
    () =>
      isThinned ? curves.reduce((sum, curve) => sum + curve.values.filter((value) => value !== null).length, 0) : 0,
    [curves, isThinned],
  );
  const words = isThinned
    ? t('analysis.thinned', { samples: format.number(samples), drawn: format.number(drawn) })
    : t('analysis.samples', { samples: format.number(samples) });
  return (
    <p className={styles.words} role="status">
      {days} · {isReading ? t('analysis.reading') : words}
    </p>
  );
}
