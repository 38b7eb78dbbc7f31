import type { Site } from '@sonnenwarte/contract/sites/site';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { EnergyFlow } from '../flow/energy-flow.tsx';
import type { NodeName } from '../flow/flow-model.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './sites.module.css';
import type { SiteNow } from './use-site-now.ts';

interface SiteFlowPanelProps {
  site: Pick<Site, 'systemCapacity'>;
  now: SiteNow;
  onOpenDevice?: (deviceID: string, node: NodeName) => void;
}

/** The live flow with what is to be said about its freshness. */
export function SiteFlowPanel({ site, now, onOpenDevice }: SiteFlowPanelProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { live, stale, broken, ageMs } = now;
  const ageText = ageMs === null ? undefined : format.age(ageMs);
  const reason = live?.state === 'offline' ? 'offline' : 'late';
  return (
    <Panel
      title={t('flow.title')}
      actions={
        stale && ageText ? (
          <p className={styles.notice} role="status">
            {!broken && `${t(`sites.notice.${reason}`)} `}
            {t('flow.lastValues', { age: ageText })}
          </p>
        ) : undefined
      }
    >
      {now.error !== null && now.error !== undefined && <ErrorNotice error={now.error} retry={now.retry} />}
      {now.loading && (
        <LoadingSkeleton>
          <Skeleton height="26rem" />
        </LoadingSkeleton>
      )}
      {live?.asOfMs === null && live.pv === null && live.inverter === null && (
        <EmptyState text={t('sites.notice.none')} />
      )}
      {live && (live.asOfMs !== null || live.inverter !== null) && (
        <EnergyFlow
          live={live}
          stale={stale}
          ageText={ageText}
          ratedW={site.systemCapacity * 1000}
          onOpenDevice={onOpenDevice}
        />
      )}
    </Panel>
  );
}
