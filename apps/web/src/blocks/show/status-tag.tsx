import type { State } from '@sonnenwarte/contract/status';
import { useTranslation } from 'react-i18next';
import styles from './status-tag.module.css';

const shapes = {
  normal: <circle cx="5" cy="5" r="4" />,
  alarm: <path d="M5 .7 9.7 9.2H.3z" />,
  fault: <path d="M5 .6 9.4 5 5 9.4.6 5z" />,
  offline: <circle cx="5" cy="5" r="3.3" fill="none" stroke="currentColor" strokeWidth="1.8" />,
} as const satisfies Record<State, unknown>;

/** Shape of a state alone, for where its word stands beside it anyway. */
export function StatusMark({ state }: { state: State }) {
  return (
    <svg className={styles.mark} data-state={state} viewBox="0 0 10 10" aria-hidden="true">
      {shapes[state]}
    </svg>
  );
}

/** State of a plant or device: a green dot, an amber triangle where it works on, a red diamond where it stands, or a hollow grey ring, always with its word. */
export function StatusTag({
  state,
  word,
}: {
  state: State /** What it comes from, instead of the state's own word. */;
  word?: string | undefined;
}) {
  const { t } = useTranslation();
  return (
    <span className={styles.tag} data-state={state} data-ages>
      <StatusMark state={state} />
      {word ?? t(`states.${state}`)}
    </span>
  );
}
