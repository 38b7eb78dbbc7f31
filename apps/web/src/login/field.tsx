import { type InputHTMLAttributes, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './field.module.css';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'size'> {
  label: string;
  hint?: string;
  error?: string | undefined;
}

/** A labelled text field of the pages before the workspace; they stand without the component kit, to open fast. */
export function Field({ label, hint, error, type = 'text', ...input }: FieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const [shown, setShown] = useState(false);
  const secret = type === 'password';
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {hint && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      <span className={styles.box}>
        <input
          {...input}
          id={id}
          type={secret && shown ? 'text' : type}
          className={styles.input}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
        />
        {secret && (
          <button type="button" className={styles.show} onClick={() => setShown(!shown)}>
            {t(shown ? 'login.hidePassword' : 'login.showPassword')}
          </button>
        )}
      </span>
      {error && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
    </div>
  );
}

/** The button that sends a form of these pages. */
export function SubmitButton({
  label,
  busy,
  disabled = false,
}: {
  label: string;
  busy: boolean;
  /** It stays where the focus is, but does nothing. */
  disabled?: boolean;
}) {
  return (
    <button
      type="submit"
      className={styles.submit}
      aria-disabled={busy || disabled}
      data-busy={busy || undefined}
      data-disabled={disabled || undefined}
    >
      {label}
    </button>
  );
}
