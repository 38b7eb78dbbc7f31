import { IconChevronDown, IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import checkStyles from './check-box.module.css';
import { DayPicker } from './day-picker.tsx';
import { FieldFrame, type FieldProps } from './field-frame.tsx';
import styles from './fields.module.css';

export type { FieldProps } from './field-frame.tsx';

/** Share of the allowed length from which on the count is shown. */
const NEAR_LIMIT = 0.8;

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

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

interface TextProps<V extends object> extends FieldProps<V> {
  autoComplete?: string;
  /** Counted near the limit; typing goes on, so that pasted text is never cut off unseen. */
  maxLength?: number;
  placeholder?: string;
  autoFocus?: boolean;
}

interface TextFieldProps<V extends object> extends TextProps<V> {
  type?: 'text' | 'email' | 'tel' | 'url';
}

export function TextField<V extends object>(props: TextFieldProps<V>) {
  const { form, name, type = 'text', maxLength, autoComplete = 'off', placeholder, autoFocus } = props;
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
          type={type}
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
export function PasswordField<V extends object>(props: TextProps<V>) {
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

export function TextAreaField<V extends object>(props: TextProps<V> & { rows?: number }) {
  const { form, name, maxLength, placeholder, rows = 4 } = props;
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

/** A number as the user types it, with comma or point; what is no number stays and is refused as such. */
export const numberOf = (text: string): number | string => {
  const trimmed = text.trim();
  const number = Number(trimmed.replace(',', '.'));
  return trimmed === '' || !Number.isFinite(number) ? trimmed : number;
};

interface NumberFieldProps<V extends object> extends FieldProps<V> {
  /** Stands in the field, at the end. */
  unit?: string;
  integer?: boolean;
}

export function NumberField<V extends object>(props: NumberFieldProps<V>) {
  const { form, name, unit, integer = false } = props;
  const value = form.valueOf(name);
  const decimalMark = useFormat().number(0.5, 1).replaceAll(/\d/g, '');
  const written = textOf(value).replace('.', typeof value === 'number' ? decimalMark : '.');
  const [text, setText] = useState(written);
  const shown = numberOf(text) === value ? text : written;
  return (
    <FieldFrame
      {...props}
      control={(control) => (
        <span className={styles.box}>
          <input
            {...control}
            className={styles.input}
            type="text"
            inputMode={integer ? 'numeric' : 'decimal'}
            name={name}
            value={shown}
            autoComplete="off"
            onChange={(event) => {
              setText(event.currentTarget.value);
              form.setValue(name, numberOf(event.currentTarget.value));
            }}
          />
          {unit && (
            <span className={styles.unit} aria-hidden="true">
              {unit}
            </span>
          )}
        </span>
      )}
    />
  );
}

export interface Choice {
  value: string | number;
  label: string;
  disabled?: boolean;
}

interface SelectFieldProps<V extends object> extends FieldProps<V> {
  options: readonly Choice[];
  /** What stands where nothing is chosen. */
  placeholder?: string;
  autoComplete?: string;
}

/** One value of a closed list, as the browser's own list box; the value keeps the option's type, nothing is ''. */
export function SelectField<V extends object>(props: SelectFieldProps<V>) {
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

/** A calendar day, `YYYY-MM-DD`; nothing is ''. */
export function DateField<V extends object>(props: FieldProps<V> & { min?: string; max?: string }) {
  const { form, name, label, min, max } = props;
  const { t } = useTranslation();
  const value = textOf(form.valueOf(name));
  const required = props.required ?? form.isRequired(name);
  return (
    <FieldFrame
      {...props}
      control={({ 'aria-required': _, ...control }) => (
        <DayPicker
          control={{ ...control, name: String(name) }}
          label={label}
          className={`${styles.input} ${styles.day}`}
          value={value}
          placeholder={t('blocks.choose')}
          today={localDay(Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone)}
          min={min}
          max={max}
          clearable={!required}
          fromStart
          onChange={(day) => form.setValue(name, day)}
        />
      )}
    />
  );
}

function ToggleField<V extends object>({ look, ...props }: FieldProps<V> & { look: 'check' | 'switch' }) {
  const { form, name, label, hint, description, disabled = false } = props;
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
          role={look === 'switch' ? 'switch' : undefined}
          className={look === 'switch' ? styles.switch : checkStyles.box}
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

export const CheckField = <V extends object>(props: FieldProps<V>) => <ToggleField {...props} look="check" />;

export const SwitchField = <V extends object>(props: FieldProps<V>) => <ToggleField {...props} look="switch" />;
