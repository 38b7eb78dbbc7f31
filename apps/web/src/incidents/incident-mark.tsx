import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusMark } from '../blocks/show/status-tag.tsx';
import styles from './incidents.module.css';
import { type AlarmLevel, levelOf, shapeOf } from './levels.ts';

/** Shape and colour of how bad an incident is; its word is for who does not see them. */
export function IncidentMark({ code, level }: { code: number; level: number }): ReactNode {
  const { t } = useTranslation();
  const shape = shapeOf(code, level);
  return (
    <>
      {shape === 'notice' ? (
        <svg className={styles.notice} viewBox="0 0 10 10" aria-hidden="true">
          <rect x="1" y="1" width="8" height="8" rx="2" />
        </svg>
      ) : (
        <StatusMark state={shape} />
      )}
      <span className="visually-hidden">{t(`incidents.level.${levelOf(level)}`)}:</span>
    </>
  );
}

export function LevelWord({ level }: { level: number }): ReactNode {
  const { t } = useTranslation();
  const word: AlarmLevel = levelOf(level);
  return t(`incidents.level.${word}`);
}
