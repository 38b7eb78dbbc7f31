import type { ReactNode } from 'react';
import { Hint } from '../overlay/hint.tsx';
import styles from './property-list.module.css';

export interface Property {
  label: string;
  value: ReactNode;
  /** Definition, shown on hover and focus. */
  hint?: string;
}

/** Label and value pairs of one thing; an empty value shows a dash. */
export function PropertyList({ items }: { items: readonly Property[] }) {
  return (
    <dl className={styles.list}>
      {items.map(({ label, value, hint }) => (
        <div key={label} className={styles.pair}>
          <dt>
            <Hint text={hint}>{label}</Hint>
          </dt>
          <dd>{value === '' || value === null || value === undefined ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  );
}
