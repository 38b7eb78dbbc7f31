import { figureNames } from '@sonnenwarte/contract/sites/site';
import type { Quality } from '@sonnenwarte/contract/status';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './sites.module.css';
import type { SiteNow } from './use-site-now.ts';

interface PreliminaryProps {
  /** How much of a history that is still coming has been counted; null where none comes. */
  percent: number | null;
  /** Past figures are being made anew. */
  recalculating: boolean;
}

/** Says once that sums of the plant are not final; they are read again as they come. */
export function Preliminary({ percent, recalculating }: PreliminaryProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const cache = useQueryClient();
  const isFinal = percent === null && !recalculating;
  const seen = useRef({ percent, recalculating });
  useEffect(() => {
    if (seen.current.percent === percent && seen.current.recalculating === recalculating) return;
    seen.current = { percent, recalculating };
    // News come faster than slow answers: an answer under way is waited for, but for the last one.
    void cache.invalidateQueries({ queryKey: ['sites'] }, { cancelRefetch: isFinal });
  }, [percent, recalculating, isFinal, cache]);
  if (isFinal) return null;
  return (
    <p className={styles.preliminary} role="status">
      {percent === null
        ? t('sites.note.recalculating')
        : t('sites.notice.preliminary', { percent: format.percent(percent) })}
    </p>
  );
}

interface PreliminaryCountProps {
  of: 'plants' | 'plantsOnPage' | 'devices';
  count: number;
  total: number;
}

/** Says once that sums over several plants or devices are not final, and of how many. */
export function PreliminaryCount({ of, count, total }: PreliminaryCountProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (count === 0) return null;
  return (
    <p className={styles.preliminary} role="status">
      {t(`fleet.preliminary.${of}`, { number: format.number(count), total: format.number(total) })}
    </p>
  );
}

/** Whether today's values are among those of a history that have not come yet. */
export const isArriving = ({ historyPercent, today }: Pick<SiteNow, 'historyPercent' | 'today'>): boolean =>
  historyPercent !== null && today !== undefined && figureNames.every((name) => today[name] === null);

/** The mark of a figure. While history is coming all is preliminary, and that is said once. */
export const markOf = (quality: Quality | undefined, historyPercent: number | null): Quality =>
  historyPercent === null ? (quality ?? 'measured') : 'measured';
