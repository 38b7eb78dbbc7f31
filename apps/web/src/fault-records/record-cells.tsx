import type { FaultRecordRow } from '@sonnenwarte/contract/fault-records/fault-record';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../blocks/show/badge.tsx';
import { usePointTexts } from '../devices/point-text.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { joinQuantity } from '../format/quantities.ts';
import styles from './records.module.css';

const tones: Readonly<Record<FaultRecordRow['state'], Tone>> = {
  kept: 'neutral',
  asked: 'brand',
  receiving: 'brand',
  stored: 'good',
  failed: 'bad',
};

/** How far a record is, with the reason where it is not here. */
export function StateCell({ row }: { row: FaultRecordRow }): ReactNode {
  const { t } = useTranslation();
  const { state, failure, deviceCode, parts, partCount } = row;
  return (
    <span className={styles.two}>
      <Badge tone={tones[state]}>{t(`fault-records.state.${state}`)}</Badge>
      {state === 'receiving' && partCount !== null && (
        <small>{t('fault-records.row.parts', { parts, count: partCount })}</small>
      )}
      {failure !== null && <small>{t(`fault-records.failure.${failure}`, { code: String(deviceCode ?? '') })}</small>}
    </span>
  );
}

/** The fault by its name, its code below. */
export function FaultCell({ row: { code } }: { row: FaultRecordRow }): ReactNode {
  const alarmText = useAlarmText();
  return (
    <span className={styles.two}>
      <span>{alarmText(code).name}</span>
      <small translate="no">{code}</small>
    </span>
  );
}

/** The quantity that left its limit, and how far. */
export function TriggerText({ row }: { row: FaultRecordRow }): ReactNode {
  const { t } = useTranslation();
  const texts = usePointTexts();
  const { trigger, triggerUnit, triggerValue, triggerLimit } = row;
  if (trigger === '' || triggerValue === null || triggerLimit === null) return '–';
  const told = (value: number): string => joinQuantity(texts.value(value, triggerUnit));
  return (
    <span className={styles.two}>
      <span>{`${texts.label(trigger)} ${told(triggerValue)}`}</span>
      <small>{t('fault-records.row.limit', { limit: told(triggerLimit) })}</small>
    </span>
  );
}
