import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import type { GridLimit } from './grid-actions.tsx';

/** How soon the portal holds what is sold, by how often the dataloggers tell. */
export function useSpeedText(): (grid: Pick<GridLimit, 'reports'>) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ reports }) => {
    if (!reports) return '';
    const every = format.seconds(reports.everyS);
    return reports.holdsWithinS === null
      ? t('ems.speed.seldom', { every })
      : t('ems.speed.within', { every, within: format.seconds(reports.holdsWithinS) });
  };
}
