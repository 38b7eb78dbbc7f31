import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** One sentence and one action where there is nothing to show. */
export function EmptyState({ text, action }: { text: string; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>{text}</p>
      {action}
    </div>
  );
}
