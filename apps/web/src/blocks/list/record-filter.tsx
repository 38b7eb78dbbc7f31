import type { ChoiceEndpoint } from '@sonnenwarte/contract/choices';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { RecordEntry } from '../widgets/record-entry.tsx';
import type { RecordSource } from '../widgets/use-records.ts';
import styles from './filters.module.css';
import type { ListInput, ListState } from './list-state.ts';

type ConditionOf<Q extends ListInput> = NonNullable<Q['condition']>;

interface RecordFilterProps<Q extends ListInput, E extends ChoiceEndpoint> {
  list: ListState<Q>;
  /** Field of the condition that holds the id. */
  field: keyof ConditionOf<Q> & string;
  label: string;
  source: RecordSource<E>;
  /** Filters that depend on the record and go with it. */
  along?: readonly (keyof ConditionOf<Q> & string)[];
}

/** Rows of one record, or of all. */
export function RecordFilter<Q extends ListInput, const E extends ChoiceEndpoint>({
  list,
  field,
  label,
  source,
  along = [],
}: RecordFilterProps<Q, E>) {
  const { t } = useTranslation();
  const id = useId();
  const condition: Record<string, unknown> = { ...list.value.condition };
  const others = Object.fromEntries(
    Object.entries(condition).filter(([name]) => name !== field && !along.some((each) => each === name)),
  );
  const current = condition[field];
  return (
    <div className={styles.record}>
      <label id={`${id}-label`} htmlFor={id} className={styles.label}>
        {label}
      </label>
      <RecordEntry
        id={id}
        labelledBy={`${id}-label`}
        source={source}
        placeholder={t('common.all')}
        value={typeof current === 'string' ? current : ''}
        onChange={(chosen) =>
          list.set({ condition: chosen === '' ? others : { ...others, [field]: chosen } } as Partial<Q>)
        }
      />
    </div>
  );
}
