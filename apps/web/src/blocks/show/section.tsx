import type { ReactNode } from 'react';
import { Panel } from './panel.tsx';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  /** What it is about, in one sentence. */
  lead: string;
  actions?: ReactNode;
  children?: ReactNode;
}

/** One panel, one idea. */
export function Section({ title, lead, actions, children }: SectionProps) {
  return (
    <Panel title={title} {...(actions === undefined ? {} : { actions })}>
      <p className={styles.lead}>{lead}</p>
      {children !== undefined && <div className={styles.body}>{children}</div>}
    </Panel>
  );
}
