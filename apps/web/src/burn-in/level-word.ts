import { alarmLevels } from '@sonnenwarte/contract/incidents/incidents';
import type { TFunction } from 'i18next';

/** How bad an alarm is; a level that the catalogue does not know is its number. */
export function levelWord(level: number, t: TFunction): string {
  const known = alarmLevels.find((each) => each === level);
  return known === undefined ? String(level) : t(`incidents.level.${known}`);
}
