import type { SiteAlarm, SiteSilence } from '@sonnenwarte/contract/sites/site-alarms';
import type { State } from '@sonnenwarte/contract/status';
import { useTranslation } from 'react-i18next';
import { useAlarmText } from '../format/alarm-text.ts';

export interface Trouble {
  readonly state: State;
  /** The worst that stands. */
  readonly alarm: SiteAlarm | null;
  readonly silence: SiteSilence | null;
}

export interface TroubleText {
  /** What is wrong, in a few words. */
  fault: string;
  sinceMs: number | null;
  /** Serial number of the device or datalogger; empty where it is none. */
  of: string;
  /** What to do; empty where nothing is known. */
  advice: string;
}

/** What is wrong with a plant, since when, and the next step. That nothing comes weighs more than what was told before. */
export function useTroubleText(): (trouble: Trouble) => TroubleText {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  return ({ state, alarm, silence }) => {
    if (silence !== null) {
      return {
        fault: t(`sites.silence.${silence.reason}.name`),
        sinceMs: silence.sinceMs,
        of: [silence.moduleType, silence.moduleSN].filter((each) => each !== '').join(' '),
        advice: t(`sites.silence.${silence.reason}.advice`),
      };
    }
    if (alarm !== null) {
      const { name, advice } = alarmText(alarm.code);
      return { fault: name, sinceMs: alarm.sinceMs, of: alarm.deviceSN, advice };
    }
    return { fault: t(`states.${state}`), sinceMs: null, of: '', advice: '' };
  };
}
