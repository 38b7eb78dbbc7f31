import { useId } from 'react';
import styles from './segmented.module.css';

interface SegmentedProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: string }[];
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
            onChange={() => onChange(option.value)}
            className={styles.input}
          />
          <span className={styles.text}>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
