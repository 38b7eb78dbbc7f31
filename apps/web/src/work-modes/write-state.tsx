import { isOpenCommand } from '@sonnenwarte/contract/commands/command';
import type { Written } from '@sonnenwarte/contract/work-modes/work-modes';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../blocks/show/badge.tsx';
import { serverNowMs } from '../client/clock.ts';
import styles from './work-modes.module.css';

const toneOf = (state: Written['state']) => {
  if (state === 'confirmed') return 'good';
  return isOpenCommand(state) ? 'brand' : 'bad';
};

/** The newest of each device. */
function newest(commands: readonly Written[]): Written[] {
  const seen = new Set<string>();
  return commands.filter(({ deviceID }) => !seen.has(deviceID) && seen.add(deviceID));
}

/** How far what was written has come: to each device, until it has read it back. */
export function WriteState({ commands }: { commands: readonly Written[] }): ReactNode {
  const { t } = useTranslation();
  const shown = newest(commands);
  if (shown.length === 0) return null;
  return (
    <ul className={styles.written} aria-live="polite">
      {shown.map(({ commandID, deviceSN, state, message, waitsForDevice }) => (
        <li key={commandID}>
          <Badge tone={toneOf(state)}>{t(`work-modes.state.${waitsForDevice ? 'waits' : state}`)}</Badge>
          <span>{deviceSN}</span>
          {message !== '' && state !== 'confirmed' && <small>{message}</small>}
        </li>
      ))}
    </ul>
  );
}

export const isUnderWay = (commands: readonly Written[]): boolean => commands.some(({ state }) => isOpenCommand(state));

const RECENT_MS = 60_000;

/** What was written lately: until the device has told of it, the plan is read again soon. */
export const isRecent = (commands: readonly Written[]): boolean =>
  isUnderWay(commands) || commands.some(({ createdMs }) => serverNowMs() - createdMs < RECENT_MS);
