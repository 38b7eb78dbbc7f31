import { DEV_OPS_DAYS, type list } from '@sonnenwarte/contract/insight/insight';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import styles from '../blocks/list/filters.module.css';
import type { FilteredList } from '../blocks/list/use-list.ts';
import { RangeEntry } from '../blocks/widgets/range-entry.tsx';
import { addDays, localDay } from '../format/dates.ts';
import { localZone } from '../format/local-zone.ts';

/** The whole days of which figures are summed: those that the list takes by itself, or others. */
export function DaysFilter({ list: plants }: { list: FilteredList<typeof list> }): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const yesterday = addDays(localDay(Date.now(), localZone()), -1);
  const { first, last, ...others } = plants.value.condition;
  const to = last ?? yesterday;
  return (
    <div className={styles.range}>
      <span id={id} className={styles.label}>
        {t('insight.devOps.period')}
      </span>
      <RangeEntry
        labelledBy={id}
        value={{ from: first ?? addDays(to, 1 - DEV_OPS_DAYS), to }}
        today={yesterday}
        max={yesterday}
        onChange={(range) =>
          plants.set({ condition: { ...others, ...(range && { first: range.from, last: range.to }) } })
        }
      />
    </div>
  );
}
