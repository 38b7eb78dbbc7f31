import { IconChevronDown, IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import checkStyles from './check-box.module.css';
import type { FieldName } from './endpoint-form.ts';
import { FieldFrame, type FieldProps, useFieldLabel } from './field-frame.tsx';
import styles from './fields.module.css';

/** Share of the allowed length from which on the count is shown. */
const NEAR_LIMIT = 0.8;

/** A value as the text of its field. */
export const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** Count of characters, once the limit is near. */
function useCounter(length: number, max: number | undefined): ReactNode {
  const { t } = useTranslation();
  if (max === undefined || length < max * NEAR_LIMIT) return undefined;
  return (
    <span className={styles.counter} data-over={length > max || undefined}>
      {t('blocks.lengthOf', { length, max })}
    </span>
  );
}

interface TextProps {
  autoComplete?: string;
  placeholder?: string;
  autoFocus?: boolean;
}

type TextFieldProps<V extends object, F extends string, N extends FieldName<V>> = FieldProps<V, F, N> & TextProps;

const inputTypes = { email: 'email', phone: 'tel', url: 'url', username: 'text' } as const;

/**
 * A text of one line; keyboard and allowed length follow from the contract. The length is counted near its limit, and typing
 * goes on, so that pasted text is never cut off unseen.
 */
export function TextField<V extends object, F extends string, N extends FieldName<V>>(props: TextFieldProps<V, F, N>) {
  const { form, name, autoComplete = 'off', placeholder, autoFocus } = props;
  const { maxLength, format } = form.factsOf(name);
  const value = textOf(form.valueOf(name));
  const counter = useCounter(value.length, maxLength);
  return (
    <FieldFrame
      {...props}
      aside={counter}
      control={(control) => (
        <input
          {...control}
          className={styles.input}
          type={format === undefined ? 'text' : inputTypes[format]}
          name={name}
          value={value}
          autoComplete={autoComplete}
          placeholder={placeholder}
          // biome-ignore lint/a11y/noAutofocus: the first field of a dialog that was just opened
          autoFocus={autoFocus}
          onChange={(event) => form.setValue(name, event.currentTarget.value)}
        />
      )}
    />
  );
}

/** A secret; never kept as a draft. */
export function PasswordField<V extends object, F extends string, N extends FieldName<V>>(
  props: TextFieldProps<V, F, N>,
) {
  const { form, name, autoComplete = 'new-password', placeholder, autoFocus } = props;
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const { keepSecret } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once; the form is made anew by every rendering
  useEffect(() => keepSecret(name), [name]);
  return (
    <FieldFrame
      {...props}
      control={(control) => (
        <span className={styles.box}>
          <input
            {...control}
            className={styles.input}
            type={shown ? 'text' : 'password'}
            name={name}
            value={textOf(form.valueOf(name))}
            autoComplete={autoComplete}
            placeholder={placeholder}
            spellCheck={false}
            autoCapitalize="off"
            // biome-ignore lint/a11y/noAutofocus: the first field of a dialog that was just opened
            autoFocus={autoFocus}
            onChange={(event) => form.setValue(name, event.currentTarget.value)}
          />
          <button
            type="button"
            className={styles.inside}
            aria-label={t(shown ? 'login.hidePassword' : 'login.showPassword')}
            onClick={() => setShown(!shown)}
          >
            {shown ? <IconEyeOff size={18} aria-hidden="true" /> : <IconEye size={18} aria-hidden="true" />}
          </button>
        </span>
      )}
    />
  );
}

export function TextAreaField<V extends object, F extends string, N extends FieldName<V>>(
  props: TextFieldProps<V, F, N> & { rows?: number },
) {
  const { form, name, placeholder, rows = 4 } = props;
  const { maxLength } = form.factsOf(name);
  const value = textOf(form.valueOf(name));
  const counter = useCounter(value.length, maxLength);
  return (
    <FieldFrame
      {...props}
      aside={counter}
      control={(control) => (
        <textarea
          {...control}
          className={styles.area}
          name={name}
          rows={rows}
          value={value}
          placeholder={placeholder}
          onChange={(event) => form.setValue(name, event.currentTarget.value)}
        />
      )}
    />
  );
}

export interface Choice {
  value: string | number;
  label: string;
  disabled?: boolean;
}

interface SelectProps {
  options: readonly Choice[];
  /** What stands where nothing is chosen. */
  placeholder?: string;
  autoComplete?: string;
}

/** One value of a closed list, as the browser's own list box; the value keeps the option's type, nothing is ''. */
export function SelectField<V extends object, F extends string, N extends FieldName<V>>(
  props: FieldProps<V, F, N> & SelectProps,
) {
  const { form, name, options, placeholder, autoComplete } = props;
  const { t } = useTranslation();
  const value = textOf(form.valueOf(name));
  const chosen = options.some((option) => String(option.value) === value);
  const required = props.required ?? form.isRequired(name);
  return (
    <FieldFrame
      {...props}
      control={(control) => (
        <span className={styles.box}>
          <select
            {...control}
            className={styles.select}
            name={name}
            value={chosen ? value : ''}
            autoComplete={autoComplete}
            data-empty={!chosen || undefined}
            onChange={(event) => {
              const text = event.currentTarget.value;
              form.setValue(name, options.find((option) => String(option.value) === text)?.value ?? '');
            }}
          >
            {(!chosen || !required) && <option value="">{placeholder ?? t('blocks.choose')}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <IconChevronDown size={16} className={styles.chevron} aria-hidden="true" />
        </span>
      )}
    />
  );
}

/** A box to tick. */
export function CheckField<V extends object, F extends string, N extends FieldName<V>>(props: FieldProps<V, F, N>) {
  const { form, name, hint, description, disabled = false } = props;
  const label = useFieldLabel(form, name, props.label);
  const id = useId();
  const error = form.errorOf(name);
  const text = [hint, description].filter((each) => each !== undefined).join(' ');
  const described = [text && `${id}-text`, error && `${id}-error`].filter((each) => each !== undefined && each !== '');
  return (
    <div className={styles.field}>
      <div className={styles.toggle}>
        <input
          id={id}
          type="checkbox"
          className={checkStyles.box}
          name={name}
          checked={form.valueOf(name) === true}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={described.join(' ') || undefined}
          onChange={(event) => form.setValue(name, event.currentTarget.checked)}
        />
        <label htmlFor={id}>{label}</label>
      </div>
      {text && (
        <span id={`${id}-text`} className={styles.toggleText}>
          {text}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
    </div>
  );
}
