import type { Quality } from '@sonnenwarte/contract/status';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './sites.module.css';

/** Says once that older values of the plant are still coming; its sums are read again as they do. */
export function Preliminary({ percent }: { percent: number | null }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const cache = useQueryClient();
  const seen = useRef(percent);
  useEffect(() => {
    if (seen.current === percent) return;
    seen.current = percent;
    void cache.invalidateQueries({ queryKey: ['sites'] });
  }, [percent, cache]);
  if (percent === null) return null;
  return <p className={styles.preliminary}>{t('sites.notice.preliminary', { percent: format.percent(percent) })}</p>;
}

/** The mark of a figure. While history is coming all is preliminary, and that is said once. */
export const markOf = (quality: Quality | undefined, historyPercent: number | null): Quality =>
  historyPercent === null ? (quality ?? 'measured') : 'measured';
