import type { ReactNode } from 'react';
import styles from './detail-screen.module.css';

interface DetailScreenProps {
  title: ReactNode;
  /** One line below the title: place, size, type. */
  subtitle?: ReactNode;
  /** Beside the title: how it stands, and how fresh that is. */
  mark?: ReactNode;
  /** At the right of the title: freshness, state, buttons. */
  aside?: ReactNode;
  children: ReactNode;
}

/** One thing: title, what it is, how fresh, then its panels. */
export function DetailScreen({ title, subtitle, mark, aside, children }: DetailScreenProps) {
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <div className={styles.names}>
          <div className={styles.line}>
            <h1 className={styles.title}>{title}</h1>
            {mark}
          </div>
          {subtitle !== undefined && <p className={styles.subtitle}>{subtitle}</p>}
        </div>
        {aside !== undefined && <div className={styles.aside}>{aside}</div>}
      </header>
      {children}
    </div>
  );
}
