import { CloseButton, Input, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './filters.module.css';
import type { ListInput, ListState } from './list-state.ts';

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
    <TextInput
      className={styles.search}
      label={label}
      placeholder={placeholder ?? ''}
      value={text}
      maxLength={64}
      onChange={(event) => apply(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={text !== '' && <CloseButton size="sm" aria-label={t('common.clear')} onClick={() => apply('')} />}
    />
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
    <NativeSelect
      className={styles.select}
      label={label}
      value={options.some(({ value }) => value === current) ? String(current) : ''}
      onChange={(event) => {
        const chosen = options.find(({ value }) => String(value) === event.currentTarget.value);
        list.set({ condition: chosen ? { ...others, [field]: chosen.value } : others } as Partial<Q>);
      }}
      data={[
        { value: '', label: t('common.all') },
        ...options.map((option) => ({ value: String(option.value), label: option.label })),
      ]}
    />
  );
}

/** Gives any control the look of a filter field. */
export const FilterField = Input.Wrapper;
