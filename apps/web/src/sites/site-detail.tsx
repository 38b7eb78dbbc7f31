import { LEVEL } from '@sonnenwarte/contract/levels';
import type { Site } from '@sonnenwarte/contract/sites/site';
import { detail } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { useActions } from '../blocks/actions/use-actions.tsx';
import type { TimeRangeValue } from '../blocks/form/time-range.tsx';
import { RowActions } from '../blocks/list/row-actions.tsx';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { Freshness } from '../blocks/show/freshness.tsx';
import { Later } from '../blocks/show/later.tsx';
import { DetailSkeleton, LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { openScreen } from '../blocks/show/screen-link.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { WhenNear } from '../blocks/show/when-near.tsx';
import { read } from '../client/queries.ts';
import { ClaimsHint } from '../device-claims/claims-hint.tsx';
import type { NodeName } from '../flow/flow-model.ts';
import { ForecastPanel } from '../forecast/forecast-part.ts';
import { type CalendarDay, localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { SiteSharesPanel } from '../site-shares/site-shares-panel.tsx';
import { useGlobalState } from '../state/global-state.ts';
import { StoryPanel } from '../story/story-part.ts';
import { useTab, useTabTitle } from '../tabs/tab-context.ts';
import { changeTabs } from '../tabs/tab-state.ts';
import { close } from '../tabs/tabs.ts';
import { isArriving, Preliminary } from './preliminary.tsx';
import { createReplay, momentOf, type ReplayStore, useReplay } from './replay.ts';
import { ReportOf } from './report-of.tsx';
import { SectionLinks } from './section-links.tsx';
import { ShareDay } from './share-day.tsx';
import { siteEditing, siteMore, siteSharing } from './site-actions.tsx';
import { SiteAlarmsPanel } from './site-alarms-panel.tsx';
import { SiteConditions } from './site-conditions.tsx';
import { SiteCorrections } from './site-corrections.tsx';
import { SiteDayPanel } from './site-day-panel.tsx';
import { SiteDevicesPanel } from './site-devices-panel.tsx';
import { SiteEnergyPanel } from './site-energy-panel.tsx';
import { SiteFiguresPanel } from './site-figures-panel.tsx';
import { SiteFlowPanel } from './site-flow-panel.tsx';
import { SiteInfoPanel } from './site-info-panel.tsx';
import { SiteKeyFigures } from './site-key-figures.tsx';
import { SiteTroublePanel } from './site-trouble-panel.tsx';
import styles from './sites.module.css';
import { useStuckFlow } from './stuck-flow.ts';
import { type SiteNow, useSiteNow } from './use-site-now.ts';

const MINUTE_MS = 60_000;

const SiteCalendarPanel = lazy(async () => ({
  default: (await import('./site-calendar-panel.tsx')).SiteCalendarPanel,
}));

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
  const [replay] = useState(createReplay);
  const today = localDay(useNow(MINUTE_MS), plant.data?.ianaTimezone ?? 'UTC');
  const [chosen, setChosen] = useState<CalendarDay>();
  const [chosenRange, setRange] = useState<TimeRangeValue>();
  const range = chosenRange ?? { span: 'month', day: today };
  const dayPanel = useRef<HTMLDivElement>(null);
  const region = useStuckFlow(replay);
  const { id: tabId } = useTab();
  /** Whose home shows today's figures already. */
  const isOwner = useGlobalState((state) => state.access === LEVEL.endUser);
  /** A plant that was deleted leaves its own tab for the list. */
  const leave = (): void => {
    if (!titlesTab) return;
    openScreen({ to: 'plant-view' });
    changeTabs((tabs) => close(tabs, tabId));
  };
  const showDay = (day: CalendarDay): void => setChosen(day === today ? undefined : day);
  const changeRange = (next: TimeRangeValue): void => {
    setRange(next);
    if (next.span === 'day') showDay(next.day);
  };
  const openDay = (day: CalendarDay): void => {
    showDay(day);
    dayPanel.current?.scrollIntoView({ behavior: 'smooth', block: 'start' });
  };

  if (!plant.data) {
    if (!plant.error) return <DetailSkeleton />;
    return <UnreadRecord error={plant.error} retry={() => void plant.refetch()} list="plant-view" />;
  }
  const site = plant.data;
  return (
    <DetailScreen
      title={picker ?? name}
      subtitle={<SiteSubtitle site={site} />}
      aside={<SiteAside site={site} now={now} replay={replay} onDeleted={leave} />}
    >
      <SectionLinks />
      <ClaimsHint stationID={stationID} />
      <Preliminary percent={now.historyPercent} recalculating={now.recalculating} />
      <SiteTroublePanel site={site} state={now.live?.state ?? site.state} />
      <div ref={region} className={styles.region}>
        <SiteFlowPanel site={site} now={now} onOpenDevice={openDevice} replay={replay} day={chosen} />
        <Later>
          <div ref={dayPanel} className={styles.day} data-section="day">
            <SiteDayPanel
              stationID={stationID}
              timeZone={site.ianaTimezone}
              arriving={isArriving(now)}
              chosen={chosen}
              onChoose={setChosen}
              replay={replay}
            />
          </div>
        </Later>
      </div>
      <Later>
        {!isOwner && <SiteKeyFigures site={site} now={now} />}
        <div data-part="story">
          <WhenNear standIn={<div className={styles.storyRoom} />}>
            <Suspense fallback={<div className={styles.storyRoom} />}>
              <StoryPanel stationID={stationID} timeZone={site.ianaTimezone} day={chosen ?? today} />
            </Suspense>
          </WhenNear>
        </div>
        <div className={styles.charts} data-section="energy">
          <SiteEnergyPanel
            stationID={stationID}
            timeZone={site.ianaTimezone}
            preliminary={now.historyPercent !== null}
            range={range}
            onRange={changeRange}
          />
          <WhenNear standIn={<div className={styles.calendarRoom} />}>
            <Suspense fallback={<CalendarSkeleton />}>
              <SiteCalendarPanel
                stationID={stationID}
                timeZone={site.ianaTimezone}
                range={range}
                onRange={changeRange}
                onOpenDay={openDay}
                newest={now.today}
              />
            </Suspense>
          </WhenNear>
        </div>
        <WhenNear standIn={<div className={styles.forecastRoom} />}>
          <Suspense fallback={<div className={styles.forecastRoom} />}>
            <ForecastPanel stationID={stationID} />
          </Suspense>
        </WhenNear>
        <div className={styles.section} data-section="figures">
          <SiteFiguresPanel site={site} now={now} />
        </div>
        <SiteCorrections stationID={stationID} />
        <SiteConditions stationID={stationID} />
        <div className={styles.section} data-section="devices">
          <SiteDevicesPanel stationID={stationID} historyPercent={now.historyPercent} />
        </div>
        <SiteAlarmsPanel stationID={stationID} timeZone={site.ianaTimezone} />
        <SiteSharesPanel site={site} actions={<ActionButtons table={siteSharing} row={site} small />} />
        <SiteInfoPanel site={site} />
      </Later>
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
    site.sharedBy === '' ? '' : t('sites.shared.by', { name: site.sharedBy }),
    site.batteryCapacityWh === null ? '' : t('sites.note.storage', { energy: format.energy(site.batteryCapacityWh) }),
    t('sites.note.localTime', { time: format.timeWithZone(nowMs, site.ianaTimezone) }),
  ];
  return facts.filter((fact) => fact !== '').join(' · ');
}

interface SiteAsideProps {
  site: Site;
  now: SiteNow;
  replay: ReplayStore;
  /** The page has nothing to show once the plant is deleted. */
  onDeleted: () => void;
}

function SiteAside({ site, now, replay, onDeleted }: SiteAsideProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const live = now.live;
  const shownMs = momentOf(useReplay(replay));
  const more = useActions(siteMore, (name) => name === 'delete' && onDeleted());
  return (
    <>
      <StatusTag state={live?.state ?? site.state} />
      {shownMs !== null ? (
        <span className={styles.view}>{t('sites.note.view', { time: format.time(shownMs, site.ianaTimezone) })}</span>
      ) : (
        <Freshness
          asOfMs={live?.asOfMs ?? site.updatedAtMs}
          intervalS={live?.intervalS ?? site.intervalS}
          offline={(live?.state ?? site.state) === 'offline'}
        />
      )}
      <ReportOf site={site} />
      <ShareDay site={site} />
      <ActionButtons table={siteEditing} row={site} small />
      <RowActions name={site.name} actions={more.of(site)} />
      {more.dialogs}
    </>
  );
}

function CalendarSkeleton(): ReactNode {
  return (
    <LoadingSkeleton>
      <Skeleton height="26rem" />
    </LoadingSkeleton>
  );
}
