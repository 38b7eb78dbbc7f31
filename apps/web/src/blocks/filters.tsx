import { IconSearch, IconX } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './filters.module.css';
import type { ListInput, ListState } from './list-state.ts';
import { Select } from './select.tsx';
import { useSearchText } from './use-search-text.ts';

type ConditionOf<Q extends ListInput> = NonNullable<Q['condition']>;

interface SearchFilterProps<Q extends ListInput> {
  list: ListState<Q>;
  /** Field of the condition that holds the text. */
  field: keyof ConditionOf<Q> & string;
  label: string;
  placeholder?: string;
}

/** Free text; takes effect when typing pauses, and at once when the field is left or Enter is pressed. */
export function SearchFilter<Q extends ListInput>({ list, field, label, placeholder }: SearchFilterProps<Q>) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { text, type, hurry } = useSearchText(list, field);
  const clear = () => {
    type('');
    hurry();
    input.current?.focus();
  };

  return (
    <div className={styles.search}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <span className={styles.box}>
        <IconSearch size={16} aria-hidden="true" />
        <input
          ref={input}
          id={id}
          type="search"
          placeholder={placeholder}
          value={text}
          maxLength={64}
          onChange={(event) => type(event.currentTarget.value)}
          onBlur={hurry}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) hurry();
          }}
        />
        {text !== '' && (
          <button type="button" className={styles.clear} aria-label={t('common.clear')} onClick={clear}>
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
