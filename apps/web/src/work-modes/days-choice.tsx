import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { shortWeekday } from '../format/short-weekday.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './work-modes.module.css';

/** A Monday. */
const MONDAY = '2024-01-0';

export function useDayNames(): readonly string[] {
  const format = useFormat();
  const { i18n } = useTranslation();
  return Array.from({ length: 7 }, (_, day) => shortWeekday(`${MONDAY}${day + 1}`, format, i18n.language));
}

/** Weekdays as bits, Monday first; the last one stays. */
export function DaysChoice({
  days,
  onChange,
  disabled,
}: {
  days: number;
  onChange: (days: number) => void;
  disabled: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const names = useDayNames();
  return (
    <fieldset className={styles.days} disabled={disabled}>
      <legend>{t('work-modes.days')}</legend>
      {names.map((name, day) => {
        const bit = 1 << day;
        return (
          <button
            key={name}
            type="button"
            aria-pressed={(days & bit) !== 0}
            onClick={() => (days ^ bit) !== 0 && onChange(days ^ bit)}
          >
            {name}
          </button>
        );
      })}
    </fieldset>
  );
}
