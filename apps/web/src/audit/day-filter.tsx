import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { DayPicker } from '../blocks/form/day-picker.tsx';
import type { ListInput, ListState } from '../blocks/list/list-state.ts';
import { addDays, localDay, startOfLocalDay } from '../format/dates.ts';
import { localZone } from '../format/local-zone.ts';
import styles from './audit.module.css';

interface DayFilterProps<Q extends ListInput> {
  list: ListState<Q>;
  /** Field of the condition that holds the instant, in ms. */
  field: string;
  label: string;
  /** The instant is the end of the day that is chosen, not its beginning. */
  end?: boolean;
}

/** A day of the reader's own clock, kept in the address as its first or last instant. */
export function DayFilter<Q extends ListInput>({ list, field, label, end = false }: DayFilterProps<Q>): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const zone = localZone();
  const condition: Record<string, unknown> = { ...list.value.condition };
  const { [field]: current, ...others } = condition;
  const day = typeof current === 'number' ? localDay(current - (end ? 1 : 0), zone) : '';
  return (
    <div className={styles.day}>
      <span id={id} className={styles.dayLabel}>
        {label}
      </span>
      <DayPicker
        label={label}
        value={day}
        placeholder={t('audit.detail.anyDay')}
        today={localDay(Date.now(), zone)}
        max={localDay(Date.now(), zone)}
        className={styles.dayButton ?? ''}
        fromStart
        clearable
        onChange={(chosen) => {
          const ms = chosen === '' ? undefined : startOfLocalDay(end ? addDays(chosen, 1) : chosen, zone);
          list.set({ condition: ms === undefined ? others : { ...others, [field]: ms } } as Partial<Q>);
        }}
      />
    </div>
  );
}
