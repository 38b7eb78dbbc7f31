import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { EndpointForm, FieldName } from './endpoint-form.ts';
import styles from './fields.module.css';

/** What every field takes. */
export interface FieldProps<V extends object> {
  form: EndpointForm<V>;
  name: FieldName<V>;
  label: string;
  /** What is allowed, above the field: "8 to 64 characters". */
  hint?: string;
  /** What it is good for, beneath the field. */
  description?: string;
  /** Where the contract's schema does not tell. */
  required?: boolean;
  disabled?: boolean;
}

/** What ties a control to its label, its texts and its error. */
export interface ControlProps {
  id: string;
  disabled: boolean;
  'aria-required': true | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface FieldFrameProps<V extends object> extends FieldProps<V> {
  /** Stands beneath, at the end: a count of characters. */
  aside?: ReactNode;
  control: (props: ControlProps) => ReactNode;
}

/** Label, hint, control, description and error of a field. */
export function FieldFrame<V extends object>(props: FieldFrameProps<V>) {
  const { form, name, label, hint, description, disabled = false, aside, control } = props;
  const { t } = useTranslation();
  const id = useId();
  const error = form.errorOf(name);
  const required = props.required ?? form.isRequired(name);
  const optional = !required && !disabled;
  const described = [
    optional && `${id}-optional`,
    hint && `${id}-hint`,
    description && `${id}-description`,
    error && `${id}-error`,
  ].filter((each) => typeof each === 'string' && each !== '');
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        {optional && (
          <span id={`${id}-optional`} className={styles.optional}>
            {t('blocks.optional')}
          </span>
        )}
      </div>
      {hint && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {control({
        id,
        disabled,
        'aria-required': required || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described.join(' ') || undefined,
      })}
      {error && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
      {(description || aside) && (
        <div className={styles.beneath}>
          {description && (
            <span id={`${id}-description`} className={styles.hint}>
              {description}
            </span>
          )}
          {aside}
        </div>
      )}
    </div>
  );
}
