import { type DeviceRow, type ListedDeviceRow, strategyPhrase } from '@sonnenwarte/contract/devices/device';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../blocks/show/badge.tsx';
import { Freshness, SoFar } from '../blocks/show/freshness.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import { NOT_MEASURED } from '../format/quantities.ts';
import styles from './devices.module.css';
import { usePointTexts } from './point-text.ts';

/** State of a device: by the name of its alarm, where it has one. */
export function DeviceState({ row: { state, alarm } }: { row: Pick<DeviceRow, 'state' | 'alarm'> }): ReactNode {
  const alarmText = useAlarmText();
  const isAlarmed = alarm !== null && (state === 'alarm' || state === 'fault');
  return <StatusTag state={state} word={isAlarmed ? alarmText(alarm.code).name : undefined} />;
}

export function AlarmName({ row: { alarm } }: { row: DeviceRow }): ReactNode {
  const alarmText = useAlarmText();
  return alarm ? <span className={styles.alarm}>{alarmText(alarm.code).name}</span> : '–';
}

/** Serial number with the model beside it. */
export const serialCell = ({ deviceType }: DeviceRow, plain: ReactNode): ReactNode => (
  <>
    {plain} <span className={styles.model}>{deviceType}</span>
  </>
);

/** On a phone's card the plant names the device, and below it stands what is wrong and since when. */
export function PlantTitle({ row }: { row: ListedDeviceRow }): ReactNode {
  const { t } = useTranslation();
  const { moment } = useMoments();
  const alarmText = useAlarmText();
  const { alarm, state, plantName, deviceSN, drifts, ianaTimezone } = row;
  return (
    <>
      {plantName === '' ? deviceSN : plantName}
      {alarm !== null && state !== 'offline' && (
        <small className={styles.reason} data-state={state}>
          {alarmText(alarm.code).name} ·{' '}
          {t('devices.since', { time: moment(alarm.sinceMs, ianaTimezone ?? localZone()) })}
        </small>
      )}
      {drifts !== null && (
        <small className={styles.reason}>
          {t('devices.field.drifts')}: {t('devices.drifts', { count: drifts })}
        </small>
      )}
    </>
  );
}

/** How many settings it has changed by itself; nothing where there are none. */
export function Drifts({ row: { drifts } }: { row: ListedDeviceRow }): ReactNode {
  const { t } = useTranslation();
  return drifts === null ? null : <Badge tone="warn">{t('devices.drifts', { count: drifts })}</Badge>;
}

/** Settings that have drifted, before the firmware. */
export function Notes({ row, firmware }: { row: ListedDeviceRow; firmware: ReactNode }): ReactNode {
  return (
    <span className={styles.notes}>
      <Drifts row={row} />
      {firmware}
    </span>
  );
}

/** The strategy of an EMS unit, in the reader's words where it is one of the work modes. */
export function Strategy({ told }: { told: string }): ReactNode {
  const { value } = usePointTexts().value(told, 'text', strategyPhrase(told));
  return value === '' ? NOT_MEASURED : value;
}

export const freshnessCell = (row: DeviceRow): ReactNode => (
  <Freshness asOfMs={row.updatedAtMs} intervalS={row.intervalS} offline={row.state === 'offline'} />
);

type TodayField = 'todayWh' | 'importTodayWh' | 'exportTodayWh';

/** Energy of today, of a silent device with its time. */
export const soFar =
  <Name extends TodayField>(name: Name) =>
  (row: DeviceRow & Readonly<Record<Name, number | null>>, plain: ReactNode): ReactNode => (
    <SoFar device={row} wh={row[name]}>
      {plain}
    </SoFar>
  );

/** The firmware that leads; all of its parts on hover. */
export function versionCell({ version: { master, slave, manager, afci } }: Pick<DeviceRow, 'version'>): ReactNode {
  const all = [master, slave, manager, afci].filter((each) => each !== '');
  return <span title={all.join(' / ')}>{all[0] ?? '–'}</span>;
}

/** Share of what the inverter is built for, as a number and a bar. */
export const loadCell = ({ loadPercent }: { loadPercent: number | null }, plain: ReactNode): ReactNode => (
  <span className={styles.load}>
    {plain}
    {loadPercent !== null && (
      <i data-drawn aria-hidden="true">
        <b data-drawn style={{ width: `${Math.max(0, Math.min(100, loadPercent))}%` }} />
      </i>
    )}
  </span>
);
