import { list } from '@sonnenwarte/contract/device-claims/device-claims';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { read } from '../client/queries.ts';
import styles from './device-claims.module.css';

function leadTo(id: string): void {
  const heading = document.getElementById(`claim-${id}`);
  heading?.scrollIntoView({ block: 'center' });
  heading?.focus({ preventScroll: true });
}

/** At the top of a plant: a serial number waits for a decision further down. */
export function ClaimsHint({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(read(list, { stationID }));
  const open = query.data?.claims.filter(({ state }) => state === 'open') ?? [];
  const [first] = open;
  if (first === undefined) return null;
  return (
    <p className={styles.hint}>
      {t('device-claims.count', { count: open.length })}
      <Button small onClick={() => leadTo(first.id)}>
        {t('device-claims.show')}
      </Button>
    </p>
  );
}
