import { alarms } from '@sonnenwarte/contract/sites/site-endpoints';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { addDays, localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { AlarmDevice } from './alarm-device.tsx';
import styles from './site-trouble-panel.module.css';

const MINUTE_MS = 60_000;
const DAYS = 30;
const FIRST_SHOWN = 5;

/** What stood in the last thirty days, the newest first; nothing where nothing did. */
export function SiteAlarmsPanel({ stationID, timeZone }: { stationID: string; timeZone: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  const lastDay = localDay(useNow(MINUTE_MS), timeZone);
  const query = useQuery(read(alarms, { stationID, firstDay: addDays(lastDay, 1 - DAYS), lastDay }));
  const [isAll, setIsAll] = useState(false);
  const rows = query.data?.alarms.toSorted((a, b) => b.sinceMs - a.sinceMs) ?? [];
  if (rows.length === 0 && !query.error) return null;
  return (
    <Panel
      title={t('sites.section.alarms')}
      actions={
        <ScreenLink to="alarm" query={{ 'condition.view': 'all', 'condition.stationID': stationID }}>
          {t('sites.trouble.all')}
        </ScreenLink>
      }
    >
      <ReadState query={query}>{null}</ReadState>
      <ul className={styles.alarmRows}>
        {rows.slice(0, isAll ? rows.length : FIRST_SHOWN).map((alarm) => (
          <li key={`${alarm.deviceID}:${alarm.code}:${alarm.sinceMs}`}>
            <strong>{alarmText(alarm.code).name}</strong>
            <span>
              <AlarmDevice alarm={alarm} />
            </span>
            <span>
              {format.dateTime(alarm.sinceMs, timeZone)} –{' '}
              {alarm.untilMs === null ? t('sites.trouble.stands') : format.dateTime(alarm.untilMs, timeZone)}
            </span>
          </li>
        ))}
      </ul>
      {!isAll && rows.length > FIRST_SHOWN && (
        <Button small look="plain" onClick={() => setIsAll(true)}>
          {t('sites.trouble.more', { number: format.number(rows.length - FIRST_SHOWN) })}
        </Button>
      )}
    </Panel>
  );
}
