import type { ReactNode } from 'react';
import styles from './tool-button.module.css';

/** Class of a button above a list, beside its filters. */
export const toolButton = styles.button ?? '';

/** What such a button shows; on a phone the icon alone. */
export const ToolFace = ({ icon, word, busy }: { icon: ReactNode; word: string; busy?: boolean }): ReactNode => (
  <span className={styles.content} data-busy={busy || undefined}>
    {icon}
    <span className={styles.word}>{word}</span>
  </span>
);
