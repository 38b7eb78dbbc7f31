import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAlarmText } from '../../format/alarm-text.ts';
import { useFormat } from '../../format/use-format.ts';
import styles from './active-alarms.module.css';

/** From this level on a device does not work on. */
const STANDS_FROM_LEVEL = 3;

interface ShownAlarm {
  readonly code: number;
  readonly level: number;
  readonly sinceMs: number;
}

interface ActiveAlarmsProps<A extends ShownAlarm> {
  alarms: readonly A[];
  /** Of the plant. */
  timeZone: string;
  /** Whose alarm it is, where that is not what the screen is about. */
  deviceOf?: (alarm: A) => { key: string; shown: ReactNode };
}

/** What is wrong now, since when in the plant's time, and what to do. */
export function ActiveAlarms<A extends ShownAlarm>({ alarms, timeZone, deviceOf }: ActiveAlarmsProps<A>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  return (
    <ul className={styles.alarms}>
      {alarms.map((alarm) => {
        const text = alarmText(alarm.code);
        const device = deviceOf?.(alarm);
        return (
          <li
            key={`${device?.key ?? ''}:${alarm.code}:${alarm.sinceMs}`}
            data-stands={alarm.level >= STANDS_FROM_LEVEL || undefined}
          >
            <strong>{text.name}</strong>
            <span className={styles.code}>
              {t('sites.device.alarmCode', { code: alarm.code })} ·{' '}
              {t('devices.since', { time: format.dateTime(alarm.sinceMs, timeZone) })}
              {device && <> · {device.shown}</>}
            </span>
            {text.advice !== '' && <p>{text.advice}</p>}
          </li>
        );
      })}
    </ul>
  );
}
