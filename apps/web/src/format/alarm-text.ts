import { LEVEL } from '@sonnenwarte/contract/levels';
import { useTranslation } from 'react-i18next';
import { useGlobalState } from '../state/global-state.ts';
import { ownerAdviceOf } from './owner-advice.ts';

export interface AlarmText {
  name: string;
  /** What to do; empty where nothing is known of the code. */
  advice: string;
}

/**
 * Name and advice of an alarm code; a code that the catalogue does not know shows as its number. An end user is told what is safe for
 * them, everybody else what is to be done.
 */
export function useAlarmText(): (code: number) => AlarmText {
  const { t, i18n } = useTranslation();
  const isOwner = useGlobalState((state) => state.access === LEVEL.endUser);
  return (code) => {
    const text = (part: 'name' | 'advice'): string | undefined => {
      const key = `alarms.${code}.${part}`;
      return i18n.exists(key) ? String(i18n.t(key as 'flow.title')) : undefined;
    };
    return {
      name: text('name') ?? t('sites.device.alarmCode', { code }),
      advice: isOwner ? t(`sites.ownerAdvice.${ownerAdviceOf(code)}`) : (text('advice') ?? ''),
    };
  };
}
