import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import styles from './select.module.css';

interface SelectProps {
  label: string;
  /** The label is for screen readers only. */
  labelHidden?: boolean;
  /** As large as a screen's heading, which it stands for. */
  heading?: boolean;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  className?: string | undefined;
}

/** One value of a closed list, as the browser's own list box. */
export function Select({
  label,
  labelHidden = false,
  heading = false,
  value,
  options,
  onChange,
  className,
}: SelectProps): ReactNode {
  const id = useId();
  return (
    <span className={[styles.field, className].filter(Boolean).join(' ')} data-heading={heading || undefined}>
      <label htmlFor={id} className={labelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <span className={styles.box}>
        {heading && (
          <span className={styles.shown} aria-hidden="true">
            {options.find((option) => option.value === value)?.label}
          </span>
        )}
        <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <IconChevronDown size={heading ? 20 : 16} aria-hidden="true" />
      </span>
    </span>
  );
}
