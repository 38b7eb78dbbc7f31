import { listing, refresh } from '@sonnenwarte/contract/fault-records/fault-records';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermit } from '../blocks/actions/can.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { read, write } from '../client/queries.ts';
import { useMoments } from '../format/moments.ts';
import styles from './records.module.css';

const REFRESH_MS = 30_000;

/** What the chosen inverter said last of what it keeps, and how to ask it again. */
export function ListingLine({ deviceID }: { deviceID: string | undefined }): ReactNode {
  const { t } = useTranslation();
  if (deviceID === undefined) return <p className={styles.note}>{t('fault-records.device.choose')}</p>;
  return <OfDevice key={deviceID} deviceID={deviceID} />;
}

function OfDevice({ deviceID }: { deviceID: string }): ReactNode {
  const { t } = useTranslation();
  const { moment } = useMoments();
  const permitted = usePermit()(refresh);
  const [busy, setBusy] = useState(false);
  const { data, error, refetch } = useQuery({ ...read(listing, { deviceID }), refetchInterval: REFRESH_MS });
  if (!data) return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : null;
  const { deviceSN: name, isAsked, listedMs, listed, failure, deviceCode, ianaTimezone } = data;
  const ask = async () => {
    if (permitted === undefined || busy) return;
    setBusy(true);
    try {
      await write(permitted, { deviceID });
    } catch {
      // The client has said it.
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.listing} role="status">
      <p className={styles.note}>
        {isAsked
          ? t('fault-records.device.asked', { name })
          : listedMs === null
            ? t('fault-records.device.never', { name })
            : t('fault-records.device.listed', { name, count: listed, time: moment(listedMs, ianaTimezone) })}
        {failure !== null && !isAsked && (
          <strong>{` ${t(`fault-records.failure.${failure}`, { code: String(deviceCode ?? '') })}`}</strong>
        )}
      </p>
      {permitted !== undefined && (
        <Button small aria-disabled={isAsked || busy || undefined} onClick={() => !isAsked && void ask()}>
          {t('fault-records.action.refresh')}
        </Button>
      )}
    </div>
  );
}
