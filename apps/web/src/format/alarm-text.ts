import { useTranslation } from 'react-i18next';

export interface AlarmText {
  name: string;
  /** What to do; empty where nothing is known of the code. */
  advice: string;
}

/** Name and advice of an alarm code; a code that the catalogue does not know shows as its number. */
export function useAlarmText(): (code: number) => AlarmText {
  const { t, i18n } = useTranslation();
  return (code) => {
    const text = (part: 'name' | 'advice'): string | undefined => {
      const key = `alarms.${code}.${part}`;
      return i18n.exists(key) ? String(i18n.t(key as 'flow.title')) : undefined;
    };
    return { name: text('name') ?? t('sites.device.alarmCode', { code }), advice: text('advice') ?? '' };
  };
}
