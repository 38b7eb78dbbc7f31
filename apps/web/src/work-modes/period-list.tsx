import type { WorkMode } from '@sonnenwarte/contract/work-modes/work-modes';
import { IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../blocks/show/badge.tsx';
import styles from './period-list.module.css';
import { usePeriodText } from './period-text.ts';
import type { PlanDraft } from './use-plan-draft.ts';

interface PeriodListProps {
  draft: PlanDraft;
  now: WorkMode['now'];
  day: number;
  onOpen: (place: number) => void;
}

/** The windows of a day below the band, on a phone: each opens its sheet. */
export function PeriodList({ draft, now, day, onOpen }: PeriodListProps): ReactNode {
  const { t } = useTranslation();
  const text = usePeriodText();
  const shown = draft.plan.periods
    .map((period, place) => ({ period, place }))
    .filter(({ period }) => (period.days & (1 << day)) !== 0)
    .sort((one, other) => one.period.startMin - other.period.startMin);
  if (shown.length === 0) return <p className={styles.note}>{t('work-modes.noWindow')}</p>;
  return (
    <ul className={styles.list}>
      {shown.map(({ period, place }, at) => (
        <li key={place}>
          <button type="button" data-action={period.action} onClick={() => onOpen(place)}>
            <b>{at + 1}</b>
            <span className={styles.times}>{text.times(period)}</span>
            <span>
              {text.action(period.action)}
              <small>{text.detail(period)}</small>
            </span>
            {!draft.isChanged && now?.period === place && <Badge tone="good">{t('work-modes.holds')}</Badge>}
            <IconChevronRight size={18} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
