import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './filters.module.css';
import type { ListInput, ListState } from './list-state.ts';
import { Select } from './select.tsx';

const TYPING_PAUSE_MS = 300;

type ConditionOf<Q extends ListInput> = NonNullable<Q['condition']>;

interface SearchFilterProps<Q extends ListInput> {
  list: ListState<Q>;
  /** Field of the condition that holds the text. */
  field: keyof ConditionOf<Q> & string;
  label: string;
  placeholder?: string;
}

/** Free text; takes effect when typing pauses. */
export function SearchFilter<Q extends ListInput>({ list, field, label, placeholder }: SearchFilterProps<Q>) {
  const { t } = useTranslation();
  const id = useId();
  const condition: Record<string, unknown> = { ...list.value.condition };
  const inAddress = String(condition[field] ?? '');
  const [text, setText] = useState(inAddress);
  const [seen, setSeen] = useState(inAddress);
  if (seen !== inAddress) {
    setSeen(inAddress);
    setText(inAddress);
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const apply = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => list.set({ condition: { ...list.value.condition, [field]: next.trim() } } as Partial<Q>),
      TYPING_PAUSE_MS,
    );
  };

  return (
    <div className={styles.search}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <span className={styles.box}>
        <IconSearch size={16} aria-hidden="true" />
        <input
          id={id}
          type="search"
          placeholder={placeholder}
          value={text}
          maxLength={64}
          onChange={(event) => apply(event.currentTarget.value)}
        />
        {text !== '' && (
          <button type="button" className={styles.clear} aria-label={t('common.clear')} onClick={() => apply('')}>
            <IconX size={14} aria-hidden="true" />
          </button>
        )}
      </span>
    </div>
  );
}

interface SelectFilterProps<Q extends ListInput> {
  list: ListState<Q>;
  field: keyof ConditionOf<Q> & string;
  label: string;
  /** The choices besides "all". */
  options: readonly { value: string | number; label: string }[];
}

/** One value of a closed list, or all. */
export function SelectFilter<Q extends ListInput>({ list, field, label, options }: SelectFilterProps<Q>) {
  const { t } = useTranslation();
  const condition: Record<string, unknown> = { ...list.value.condition };
  const { [field]: current, ...others } = condition;
  return (
    <Select
      className={styles.select}
      label={label}
      value={options.some(({ value }) => value === current) ? String(current) : ''}
      onChange={(chosenText) => {
        const chosen = options.find(({ value }) => String(value) === chosenText);
        list.set({ condition: chosen ? { ...others, [field]: chosen.value } : others } as Partial<Q>);
      }}
      options={[
        { value: '', label: t('common.all') },
        ...options.map((option) => ({ value: String(option.value), label: option.label })),
      ]}
    />
  );
}
