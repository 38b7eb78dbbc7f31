import type { Sight, UnitRow } from '@sonnenwarte/contract/factory/units';
import type { WarrantyState } from '@sonnenwarte/contract/factory/warranty';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceTarget } from '../blocks/devices/detail-target.ts';
import { Badge, type Tone } from '../blocks/show/badge.tsx';
import { ScreenLink, type ScreenTarget } from '../blocks/show/screen-link.tsx';
import type { CalendarDay } from '../format/dates.ts';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './factory.module.css';

const tones: Readonly<Record<WarrantyState, Tone>> = {
  running: 'good',
  endsSoon: 'warn',
  over: 'bad',
  notBegun: 'neutral',
  unknown: 'neutral',
};

const sightTones: Readonly<Record<Sight, Tone>> = { seen: 'good', never: 'warn', undelivered: 'neutral' };

/** How a warranty stands. */
export function WarrantyMark({ state }: { state: WarrantyState | null }): ReactNode {
  const { t } = useTranslation();
  if (state === null) return NOT_MEASURED;
  return <Badge tone={tones[state]}>{t(`factory.warranty.${state}`)}</Badge>;
}

/** A calendar day, or a dash. */
export function Day({ day }: { day: string | null }): ReactNode {
  const format = useFormat();
  return day === null ? NOT_MEASURED : format.day(day as CalendarDay);
}

/** Until when it is warranted, and how that stands. */
export function WarrantyCell({ row }: { row: UnitRow }): ReactNode {
  return (
    <span className={styles.about}>
      <WarrantyMark state={row.warranty} />
      {row.warrantyUntil !== null && (
        <small>
          <Day day={row.warrantyUntil} />
        </small>
      )}
    </span>
  );
}

/** Whether it was ever heard. */
export function SeenMark({ row: { seen } }: { row: UnitRow }): ReactNode {
  const { t } = useTranslation();
  if (seen === null) return NOT_MEASURED;
  return <Badge tone={sightTones[seen]}>{t(`factory.seen.${seen}`)}</Badge>;
}

function targetOf({ kind, deviceID }: UnitRow): ScreenTarget | undefined {
  if (deviceID === null) return undefined;
  return kind === 'logger' ? { to: 'module-config', query: { id: deviceID } } : deviceTarget({ kind, deviceID });
}

/** The device or datalogger that it is, where there is one. */
export function ThingLink({ row }: { row: UnitRow }): ReactNode {
  const { t } = useTranslation();
  const target = targetOf(row);
  if (target === undefined) return NOT_MEASURED;
  return <ScreenLink {...target}>{row.plantName === '' ? t('factory.units.open') : row.plantName}</ScreenLink>;
}

/** Its firmware now, marked where it is another one than at delivery. */
export function FirmwareCell({ row: { firmwareNow, firmwareDiffers } }: { row: UnitRow }): ReactNode {
  const { t } = useTranslation();
  if (firmwareNow === '') return NOT_MEASURED;
  return (
    <span className={styles.about}>
      <span translate="no">{firmwareNow}</span>
      {firmwareDiffers === true && <small>{t('factory.units.differs')}</small>}
    </span>
  );
}
