import { useId } from 'react';
import checkStyles from './check-box.module.css';
import type { FieldName } from './endpoint-form.ts';
import { type FieldProps, useFieldLabel } from './field-frame.tsx';
import styles from './fields.module.css';

export interface CheckChoice<T extends string | number> {
  readonly value: T;
  readonly label: string;
  /** What it means, beneath its label. */
  readonly text?: string | undefined;
}

/** Several of few values, each with a box; the value is the list of those chosen, in the order in which they are offered. */
export function CheckSetField<
  V extends object,
  F extends string,
  N extends FieldName<V>,
  const T extends string | number,
>(props: FieldProps<V, F, N> & { choices: readonly CheckChoice<T>[] }) {
  const { form, name, choices, disabled = false } = props;
  const label = useFieldLabel(form, name, props.label);
  const id = useId();
  const error = form.errorOf(name);
  const value: unknown = form.valueOf(name);
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  const toggle = (each: T) =>
    form.setValue(
      name,
      choices.flatMap((choice) => (chosen.includes(choice.value) !== (choice.value === each) ? [choice.value] : [])),
    );
  return (
    <fieldset className={styles.set} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={styles.label}>{label}</legend>
      {choices.map((choice, place) => (
        <div key={choice.value} className={styles.field}>
          <div className={styles.toggle}>
            <input
              id={`${id}-${place}`}
              type="checkbox"
              className={checkStyles.box}
              name={name}
              value={choice.value}
              checked={chosen.includes(choice.value)}
              disabled={disabled}
              aria-invalid={error ? true : undefined}
              aria-describedby={choice.text === undefined ? undefined : `${id}-${place}-text`}
              onChange={() => toggle(choice.value)}
            />
            <label htmlFor={`${id}-${place}`}>{choice.label}</label>
          </div>
          {choice.text !== undefined && (
            <span id={`${id}-${place}-text`} className={styles.toggleText}>
              {choice.text}
            </span>
          )}
        </div>
      ))}
      {error && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
    </fieldset>
  );
}
