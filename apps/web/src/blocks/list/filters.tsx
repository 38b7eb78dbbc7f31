import type { FieldOf, ListEndpoint } from '@sonnenwarte/contract/endpoint';
import type { ChoiceField } from '@sonnenwarte/contract/kinds';
import { type Level, levels } from '@sonnenwarte/contract/levels';
import { state } from '@sonnenwarte/contract/status';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCountryChoices } from '../form/country-choices.ts';
import { Select } from '../form/select.tsx';
import styles from './filters.module.css';
import type { ListInput, ListState } from './list-state.ts';
import { useListText } from './list-text.ts';
import type { FilteredList } from './use-list.ts';
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

interface Option {
  value: string | number;
  label: string;
}

interface SelectFilterProps<Q extends ListInput> {
  list: ListState<Q>;
  field: keyof ConditionOf<Q> & string;
  label: string;
  /** The choices besides "all". */
  options: readonly Option[];
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

interface FieldFilterProps<L extends ListEndpoint> {
  list: FilteredList<L>;
  /** Filter of the condition that is called as a field of the list. */
  field: FieldOf<L>;
  /** The choices where not all that the kind has are offered. */
  among?: readonly (string | number)[];
}

/** One value of a field that is a state, a choice, a level or a country, or all. */
export function FieldFilter<const L extends ListEndpoint>({ list, field: name, among }: FieldFilterProps<L>) {
  const { t } = useTranslation();
  const { label, choice } = useListText();
  const countries = useCountryChoices();
  const field = list.endpoint.list.fields[name];
  const options = (): readonly Option[] => {
    switch (field?.kind) {
      case 'state':
        return state.options.map((value) => ({ value, label: t(`states.${value}`) }));
      case 'choice':
        return (among ?? field.values).map((value) => ({ value, label: choice(field, value) }));
      case 'level':
        return (among ?? levels).map((value) => ({ value, label: t(`levels.${value as Level}`) }));
      case 'country':
        return countries.filter(({ value }) => among?.includes(value) ?? true);
      default:
        return [];
    }
  };
  return (
    <SelectFilter
      list={list}
      field={name as keyof ConditionOf<FilteredList<L>['value']> & string}
      label={label(list.endpoint, name)}
      options={options()}
    />
  );
}

/** Which texts the search looks in, or all of them. */
export function SearchInFilter<const L extends ListEndpoint>({
  list,
  choices,
}: {
  list: FilteredList<L>;
  choices: ChoiceField;
}) {
  const { t } = useTranslation();
  const { choice } = useListText();
  return (
    <SelectFilter
      list={list}
      field={'contentType' as keyof ConditionOf<FilteredList<L>['value']> & string}
      label={t('common.searchIn')}
      options={choices.values.map((value) => ({ value, label: choice(choices, value) }))}
    />
  );
}

/** The search of a list, with its own words. */
export function ListSearch<const L extends ListEndpoint>({ list }: { list: FilteredList<L> }) {
  const { sentence } = useListText();
  const field = 'content' as keyof ConditionOf<FilteredList<L>['value']> & string;
  return <SearchFilter list={list} field={field} label={sentence(list.endpoint, 'search')} />;
}
