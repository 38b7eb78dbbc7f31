import type { Site } from '@sonnenwarte/contract/sites/site';
import { detail } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { Freshness } from '../blocks/show/freshness.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { openScreen } from '../blocks/show/screen-link.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { read } from '../client/queries.ts';
import { ClaimsHint } from '../device-claims/claims-hint.tsx';
import type { NodeName } from '../flow/flow-model.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { useTabTitle } from '../tabs/tab-context.ts';
import { isArriving, Preliminary } from './preliminary.tsx';
import { SiteDayPanel } from './site-day-panel.tsx';
import { SiteDevicesPanel } from './site-devices-panel.tsx';
import { SiteEnergyPanel } from './site-energy-panel.tsx';
import { SiteFiguresPanel } from './site-figures-panel.tsx';
import { SiteFlowPanel } from './site-flow-panel.tsx';
import { SiteInfoPanel } from './site-info-panel.tsx';
import { SiteKeyFigures } from './site-key-figures.tsx';
import styles from './sites.module.css';
import { type SiteNow, useSiteNow } from './use-site-now.ts';

const MINUTE_MS = 60_000;

interface SiteDetailProps {
  stationID: string;
  /** Stands for the title: the choice of plants of the data board. */
  picker?: ReactNode;
  /** The plant's name becomes the title of the tab. */
  titlesTab?: boolean;
}

/** A plant: live flow, figures, curves, devices. */
export function SiteDetail({ stationID, picker, titlesTab = false }: SiteDetailProps): ReactNode {
  const plant = useQuery(read(detail, { stationID }));
  const now = useSiteNow(stationID);
  const name = now.name ?? plant.data?.name;
  useTabTitle(titlesTab ? name : undefined);
  const openDevice = useOpenDevice();

  if (!plant.data) {
    if (!plant.error) return <SiteSkeleton />;
    return <UnreadRecord error={plant.error} retry={() => void plant.refetch()} list="plant-view" />;
  }
  const site = plant.data;
  return (
    <DetailScreen
      title={picker ?? name}
      subtitle={<SiteSubtitle site={site} />}
      aside={<SiteAside site={site} now={now} />}
    >
      <ClaimsHint stationID={stationID} />
      <Preliminary percent={now.historyPercent} recalculating={now.recalculating} />
      <SiteKeyFigures site={site} now={now} />
      <SiteFlowPanel site={site} now={now} onOpenDevice={openDevice} />
      <div className={styles.charts}>
        <SiteDayPanel stationID={stationID} timeZone={site.ianaTimezone} arriving={isArriving(now)} />
        <SiteEnergyPanel stationID={stationID} timeZone={site.ianaTimezone} preliminary={now.historyPercent !== null} />
      </div>
      <SiteFiguresPanel site={site} now={now} />
      <SiteDevicesPanel stationID={stationID} historyPercent={now.historyPercent} />
      <SiteInfoPanel site={site} />
    </DetailScreen>
  );
}

/** Opens the screen of a device; inverters have one of their own. */
function useOpenDevice(): (deviceID: string, node: NodeName) => void {
  return useCallback((deviceID, node) => {
    if (node === 'inverter' || node === 'pv') openScreen({ to: 'device-inverter-detail', query: { id: deviceID } });
    else document.getElementById(`device-${deviceID}`)?.scrollIntoView({ behavior: 'smooth', block: 'center' });
  }, []);
}

function SiteSubtitle({ site }: { site: Site }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const nowMs = useNow(MINUTE_MS);
  const facts = [
    [site.city, format.country(site.country)].filter((each) => each !== '').join(', '),
    site.systemCapacity > 0 ? format.capacity(site.systemCapacity, 1) : '',
    site.batteryCapacityWh === null ? '' : t('sites.note.storage', { energy: format.energy(site.batteryCapacityWh) }),
    t('sites.note.localTime', { time: format.timeWithZone(nowMs, site.ianaTimezone) }),
  ];
  return facts.filter((fact) => fact !== '').join(' · ');
}

function SiteAside({ site, now }: { site: Site; now: SiteNow }): ReactNode {
  const live = now.live;
  return (
    <>
      <StatusTag state={live?.state ?? site.state} />
      <Freshness
        asOfMs={live?.asOfMs ?? site.updatedAtMs}
        intervalS={live?.intervalS ?? site.intervalS}
        offline={(live?.state ?? site.state) === 'offline'}
      />
    </>
  );
}

/** The plant screen before its first answer. */
export function SiteSkeleton(): ReactNode {
  return (
    <LoadingSkeleton>
      <Skeleton width="16rem" height="2rem" />
      <div className={styles.skeletonRow}>
        {['a', 'b', 'c', 'd', 'e'].map((each) => (
          <Skeleton key={each} height="6rem" />
        ))}
      </div>
      <Skeleton height="28rem" />
      <Skeleton height="20rem" />
    </LoadingSkeleton>
  );
}
