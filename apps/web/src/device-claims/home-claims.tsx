import { list } from '@sonnenwarte/contract/device-claims/device-claims';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import styles from './device-claims.module.css';

/** On every home: serial numbers that wait for a decision, each with its notice at the plant where it is made. */
export function HomeClaims(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(read(list, {}));
  const claims = query.data?.claims.filter(({ state }) => state === 'open') ?? [];
  if (query.error) return <ErrorNotice error={query.error} retry={() => void query.refetch()} keepsShown />;
  if (claims.length === 0) return null;
  return (
    <section className={styles.claim}>
      <p>{t('device-claims.count', { count: claims.length })}</p>
      <ul className={styles.rows}>
        {claims.map(({ id, deviceSN, holder, claimant, can }) => {
          const side = holder.stationID === null ? claimant : holder;
          return (
            <li key={id}>
              <span>{can.keep ? t('device-claims.waits', { sn: deviceSN }) : deviceSN}</span>
              {side.stationID === null ? (
                <span>{side.moduleSN}</span>
              ) : (
                <ScreenLink to="plant-detail" query={{ id: side.stationID, claim: id }}>
                  {side.plantName ?? side.moduleSN}
                </ScreenLink>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
