import type { Level } from '@sonnenwarte/contract/levels';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './badge.module.css';

export type Tone = 'neutral' | 'brand' | 'good' | 'warn' | 'bad';

/** A word about a record: its level, its state. Never colour alone, the word says it. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}

const tones = {
  1: 'neutral',
  2: 'brand',
  3: 'brand',
  4: 'brand',
  10: 'neutral',
  255: 'warn',
} as const satisfies Record<Level, Tone>;

/** Access level of an account, by its name. */
export function LevelBadge({ level }: { level: Level }) {
  const { t } = useTranslation();
  return <Badge tone={tones[level]}>{t(`levels.${level}`)}</Badge>;
}
