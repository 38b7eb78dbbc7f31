import type { State } from '@sonnenwarte/contract/status';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ScreenLink, type ScreenTarget } from '../blocks/show/screen-link.tsx';
import { StatusMark } from '../blocks/show/status-tag.tsx';
import { useFormat } from '../format/use-format.ts';
import type { Costliest } from './costliest.ts';
import styles from './fleet.module.css';

interface Counts {
  total: number;
  normal: number;
  alarm: number;
  fault: number;
  offline: number;
}

const states = ['normal', 'alarm', 'fault', 'offline'] as const satisfies readonly State[];

/** The answer to "is anything wrong?", in one sentence. */
export function Verdict({
  counts,
  telling,
  text,
  asOfMs,
  textThen,
}: {
  counts: Counts;
  /** What costs most, said in place of the count. */
  telling?: Costliest | undefined;
  /** The sentence for a count, which chooses its plural, and the numbers as they are written. */
  text: (count: number, texts: { number: string; total: string }) => string;
  /** The line is down: what is told is of this moment. */
  asOfMs?: number | undefined;
  /** The same of that moment. */
  textThen: (texts: { number: string; total: string; time: string }) => string;
}): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const wrong = counts.total - counts.normal;
  const texts = { number: format.number(wrong), total: format.number(counts.total) };
  const worst: State = (['fault', 'alarm', 'offline'] as const).find((each) => counts[each] > 0) ?? 'normal';
  const told = asOfMs === undefined ? telling : undefined;
  const state = told?.state ?? worst;
  return (
    <p className={styles.verdict} data-state={state} data-ages role="status">
      <StatusMark state={state} />
      {asOfMs === undefined
        ? (told?.text ?? (wrong === 0 ? t('fleet.allWell') : text(wrong, texts)))
        : wrong === 0
          ? t('fleet.then.allWell', { time: format.localTime(asOfMs) })
          : textThen({ ...texts, time: format.localTime(asOfMs) })}
    </p>
  );
}

interface StateTilesProps {
  label: string;
  counts: Counts;
  /** The list that a tile opens, filtered by its state. */
  target: (state: State) => ScreenTarget;
}

/** Counts by state; each opens its list. */
export function StateTiles({ label, counts, target }: StateTilesProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <ul className={styles.tiles} aria-label={label} data-ages>
      {states.map((state) => (
        <li key={state}>
          <ScreenLink
            {...target(state)}
            className={styles.tile}
            data-state={state}
            data-none={counts[state] === 0 || undefined}
          >
            <strong>{format.number(counts[state])}</strong>
            <span>
              <StatusMark state={state} />
              {t(`fleet.state.${state}`)}
            </span>
          </ScreenLink>
        </li>
      ))}
    </ul>
  );
}
