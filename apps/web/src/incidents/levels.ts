import { alarmLevels } from '@sonnenwarte/contract/incidents/incidents';

export type AlarmLevel = (typeof alarmLevels)[number];

/** Codes of what is not heard any more: the datalogger, or a device behind it. */
const silent: readonly number[] = [5003, 5004];

/** The level of an alarm; one that nobody knows is a warning. */
export const levelOf = (level: number): AlarmLevel => alarmLevels.find((each) => each === level) ?? 2;

/** How an incident is drawn: a ring where nothing is heard, else by its level. */
export function shapeOf(code: number, level: number): 'notice' | 'alarm' | 'fault' | 'offline' {
  if (silent.includes(code)) return 'offline';
  const known = levelOf(level);
  return known === 1 ? 'notice' : known === 2 ? 'alarm' : 'fault';
}
