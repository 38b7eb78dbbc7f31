import type { MouseEvent, ReactNode } from 'react';
import { go } from '../router/navigation.ts';
import styles from './entry-links.module.css';

/** Ways on from a page before the workspace. */
export function EntryLinks({ children }: { children: ReactNode }) {
  return <div className={styles.links}>{children}</div>;
}

interface EntryLinkProps {
  to: `/${string}`;
  /** Leaves what was typed on the page where it is. */
  newWindow?: boolean;
  children: ReactNode;
}

/** A link to another page before the workspace, which is shown without loading the portal anew. */
export function EntryLink({ to, newWindow = false, children }: EntryLinkProps) {
  const follow = (event: MouseEvent) => {
    if (newWindow || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} className={styles.link} target={newWindow ? '_blank' : undefined} onClick={follow}>
      {children}
    </a>
  );
}
