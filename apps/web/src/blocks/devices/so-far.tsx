import type { DeviceRow } from '@sonnenwarte/contract/devices/device';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { localZone } from '../../format/local-zone.ts';
import { useFormat } from '../../format/use-format.ts';
import styles from './so-far.module.css';

type Told = Partial<Pick<DeviceRow, 'ianaTimezone'>> & Pick<DeviceRow, 'state' | 'updatedAtMs'>;

interface SoFarProps {
  device: Told;
  /** What of today it told. */
  wh: number | null;
  children: ReactNode;
}

/** Energy of today; of a device that is silent by now with the time up to which it is. */
export function SoFar({ device: { state, updatedAtMs, ianaTimezone }, wh, children }: SoFarProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (state !== 'offline' || wh === null || updatedAtMs === null) return children;
  return (
    <span className={styles.soFar}>
      <small>{t('devices.until', { time: format.time(updatedAtMs, ianaTimezone ?? localZone()) })}</small> {children}
    </span>
  );
}
