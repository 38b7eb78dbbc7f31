import { useId } from 'react';
import { addDays, localDay, startOfLocalDay } from '../../format/dates.ts';
import { RangeEntry } from '../widgets/range-entry.tsx';
import styles from './filters.module.css';
import type { ListInput, ListState } from './list-state.ts';

interface DayRangeFilterProps<Q extends ListInput> {
  list: ListState<Q>;
  /** Fields of the condition that hold the first instant and the one after the last, in ms. */
  from: string;
  to: string;
  label: string;
  timeZone: string;
}

/** Before any record. */
const FIRST_DAY = '2000-01-01';

const dayAt = (ms: unknown, timeZone: string) => (typeof ms === 'number' ? localDay(ms, timeZone) : undefined);

/** Days from one to another, kept in the address as instants; where it holds one of them only, the other side is open. */
export function DayRangeFilter<Q extends ListInput>({ list, from, to, label, timeZone }: DayRangeFilterProps<Q>) {
  const id = useId();
  const condition: Record<string, unknown> = { ...list.value.condition };
  const { [from]: fromMs, [to]: toMs, ...others } = condition;
  const today = localDay(Date.now(), timeZone);
  const last = dayAt(typeof toMs === 'number' ? toMs - 1 : undefined, timeZone);
  const first = dayAt(fromMs, timeZone);
  const set = (instants: Record<string, number>) => list.set({ condition: { ...others, ...instants } } as Partial<Q>);
  return (
    <div className={styles.range}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <RangeEntry
        labelledBy={id}
        value={first === undefined && last === undefined ? undefined : { from: first ?? FIRST_DAY, to: last ?? today }}
        today={today}
        max={today}
        onChange={(range) =>
          set(
            range
              ? { [from]: startOfLocalDay(range.from, timeZone), [to]: startOfLocalDay(addDays(range.to, 1), timeZone) }
              : {},
          )
        }
      />
    </div>
  );
}
