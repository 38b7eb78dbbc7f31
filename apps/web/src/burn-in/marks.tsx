import type { RunState as RunStateName, UnitState as UnitStateName } from '@sonnenwarte/contract/burn-in/moves';
import {
  IconBan,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconFlame,
  IconHandOff,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../blocks/show/badge.tsx';
import styles from './burn-in.module.css';

const tones: Readonly<Record<RunStateName, Tone>> = {
  planned: 'neutral',
  running: 'brand',
  finished: 'good',
  aborted: 'warn',
};

export function RunState({ state }: { state: RunStateName }): ReactNode {
  const { t } = useTranslation();
  return <Badge tone={tones[state]}>{t(`burn-in.runState.${state}`)}</Badge>;
}

const icons = {
  waiting: IconCircleDashed,
  running: IconFlame,
  passed: IconCircleCheckFilled,
  failed: IconCircleXFilled,
  aborted: IconBan,
  removed: IconHandOff,
} as const satisfies Record<UnitStateName, unknown>;

/** State of a unit by form, colour and word. */
export function UnitState({ state }: { state: UnitStateName }): ReactNode {
  const { t } = useTranslation();
  const Icon = icons[state];
  return (
    <span className={styles.state} data-state={state}>
      <Icon size={16} aria-hidden="true" />
      {t(`burn-in.unitState.${state}`)}
    </span>
  );
}
