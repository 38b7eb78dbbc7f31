import { useId } from 'react';
import styles from './segmented.module.css';

interface SegmentedProps<V extends string> {
  label: string;
  value: V;
  /** `count`: how many there are of it, lighter behind its word; `disabled`: it cannot be chosen now, and what is beside says why. */
  options: readonly { value: V; label: string; count?: string; disabled?: boolean }[];
  onChange: (value: V) => void;
  /** Takes the whole width, all choices alike. */
  wide?: boolean;
}

/** One choice of a few, as radio buttons side by side. */
export function Segmented<V extends string>({ label, value, options, onChange, wide = false }: SegmentedProps<V>) {
  const name = useId();
  return (
    <fieldset className={styles.segmented} data-wide={wide || undefined}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className={styles.input}
          />
          <span className={styles.text}>
            {option.label}
            {option.count !== undefined && <small> {option.count}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
