import { LEVEL } from '@sonnenwarte/contract/levels';
import type { SiteAlarm, SiteSilence } from '@sonnenwarte/contract/sites/site-alarms';
import type { State } from '@sonnenwarte/contract/status';
import { useTranslation } from 'react-i18next';
import { useAlarmText } from '../format/alarm-text.ts';
import { useGlobalState } from '../state/global-state.ts';

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

type Reason = SiteSilence['reason'];

/** What an owner can do where nothing comes; to link a datalogger is open to both. */
const ownerAdviceAt: Readonly<Partial<Record<Reason, 'connection' | 'check'>>> = {
  neverHeard: 'connection',
  silent: 'connection',
  noValues: 'check',
};

function useSilenceAdvice(): (reason: Reason) => string {
  const { t } = useTranslation();
  const isOwner = useGlobalState((state) => state.access === LEVEL.endUser);
  return (reason) => {
    const own = isOwner && ownerAdviceAt[reason];
    return own ? t(`sites.ownerAdvice.${own}`) : t(`sites.silence.${reason}.advice`);
  };
}

/** What is wrong with a plant, since when, and the next step. That nothing comes weighs more than what was told before. */
export function useTroubleText(): (trouble: Trouble) => TroubleText {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  const silenceAdvice = useSilenceAdvice();
  return ({ state, alarm, silence }) => {
    if (silence !== null) {
      return {
        fault: t(`sites.silence.${silence.reason}.name`),
        sinceMs: silence.sinceMs,
        of: [silence.moduleType, silence.moduleSN].filter((each) => each !== '').join(' '),
        advice: silenceAdvice(silence.reason),
      };
    }
    if (alarm !== null) {
      const { name, advice } = alarmText(alarm.code);
      return { fault: name, sinceMs: alarm.sinceMs, of: alarm.deviceSN, advice };
    }
    return { fault: t(`states.${state}`), sinceMs: null, of: '', advice: '' };
  };
}
