import { type ReactNode, useId } from 'react';
import styles from './panel.module.css';

interface PanelProps {
  title?: string;
  /** Stands at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A titled surface on the page. */
export function Panel({ title, actions, children }: PanelProps) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={title === undefined ? undefined : id}>
      {(title !== undefined || actions !== undefined) && (
        <header className={styles.head}>
          {title !== undefined && (
            <h2 id={id} className={styles.title}>
              {title}
            </h2>
          )}
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
