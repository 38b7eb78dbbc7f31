import { IconChevronDown } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import styles from './combobox.module.css';

export interface ComboboxChoice {
  id: string;
  name: string;
  detail: string;
}

interface ComboboxProps {
  label: string;
  /** Name of what is chosen. */
  text: string;
  placeholder: string;
  choices: readonly ComboboxChoice[];
  chosen: string;
  /** Said where nothing matches. */
  noMatch: string;
  error?: string | undefined;
  required?: boolean;
  onSearch: (text: string) => void;
  onChoose: (id: string) => void;
}

/** A field that finds one of many records by what is typed; arrow keys walk the matches, Enter takes one. */
export function Combobox(props: ComboboxProps) {
  const { label, text, placeholder, choices, chosen, noMatch, error, required = false, onSearch, onChoose } = props;
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const opened = typed !== undefined;
  const current = Math.min(at, choices.length - 1);

  const close = () => {
    setTyped(undefined);
    setAt(0);
    onSearch('');
  };
  const open = () => {
    if (opened) return;
    setTyped('');
    setAt(
      Math.max(
        0,
        choices.findIndex((choice) => choice.id === chosen),
      ),
    );
  };
  const take = (choice: ComboboxChoice | undefined) => {
    if (choice) onChoose(choice.id);
    close();
  };
  const walk = (step: number) => {
    const next = (current + step + choices.length) % Math.max(1, choices.length);
    setAt(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (opened) walk(event.key === 'ArrowDown' ? 1 : -1);
      else open();
    } else if (event.key === 'Enter' && opened) {
      event.preventDefault();
      take(choices[current]);
    } else if (event.key === 'Escape' && opened) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };

  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <span className={styles.box}>
        <input
          id={id}
          role="combobox"
          className={styles.input}
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          placeholder={text === '' ? placeholder : text}
          value={typed ?? text}
          aria-expanded={opened}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={opened && choices[current] ? `${id}-${current}` : undefined}
          aria-required={required || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onClick={open}
          onBlur={() => opened && close()}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
            onSearch(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
        />
        <IconChevronDown size={16} aria-hidden="true" />
      </span>
      {opened && (
        <div ref={list} id={`${id}-list`} role="listbox" aria-label={label} className={styles.list}>
          {choices.map((choice, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys of its list
            <div
              key={choice.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={choice.id === chosen}
              data-current={index === current || undefined}
              className={styles.option}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(choice)}
            >
              <span>{choice.name}</span>
              {choice.detail !== '' && <span className={styles.detail}>{choice.detail}</span>}
            </div>
          ))}
          {choices.length === 0 && <div className={styles.none}>{noMatch}</div>}
        </div>
      )}
      {error && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
    </div>
  );
}
