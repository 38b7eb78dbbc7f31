import type { DeviceClaim } from '@sonnenwarte/contract/device-claims/device-claims';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import styles from './device-claims.module.css';

/** Serial numbers that wait for a decision, each with its notice at the plant where it is made. */
export function HomeClaimRows({ claims }: { claims: readonly DeviceClaim[] }): ReactNode {
  const { t } = useTranslation();
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
