import type { Site } from '@sonnenwarte/contract/sites/site';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { type ConsumerName, EnergyFlow } from '../flow/energy-flow.tsx';
import type { NodeName } from '../flow/flow-model.ts';
import { replayedLive } from '../flow/replayed.ts';
import { type CalendarDay, localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { type ReplayStore, useReplay } from './replay.ts';
import styles from './site-flow-panel.module.css';
import type { SiteNow } from './use-site-now.ts';
import type { Destination } from './where-from-drawer.tsx';

interface SiteFlowPanelProps {
  site: Pick<Site, 'stationID' | 'systemCapacity' | 'ianaTimezone'>;
  now: SiteNow;
  onOpenDevice?: (deviceID: string, node: NodeName) => void;
  /** A moment of a day may be shown instead of now. */
  replay?: ReplayStore;
  /** The day that is looked at elsewhere; else today. */
  day?: CalendarDay | undefined;
}

const WhereFromDrawer = lazy(async () => ({ default: (await import('./where-from-drawer.tsx')).WhereFromDrawer }));
const toOf: Record<ConsumerName, Destination> = { load: 'house', charger: 'car' };

/** The live flow with what is to be said about its freshness. */
export function SiteFlowPanel({ site, now, onOpenDevice, replay, day }: SiteFlowPanelProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { live, stale, broken, ageMs } = now;
  const ageText = ageMs === null ? undefined : format.age(ageMs);
  const shown = useReplay(replay);
  const [asked, setAsked] = useState<{ to: Destination; day: CalendarDay }>();
  const past = useMemo(
    () => (live && shown.day && shown.index !== null ? replayedLive(live, shown.day, shown.index) : null),
    [live, shown.day, shown.index],
  );
  const reason = live?.state === 'offline' ? 'offline' : 'late';
  return (
    <div className={styles.flow} data-scrubs data-replayed={past !== null || undefined}>
      <Panel
        title={
          past && shown.day
            ? t('flow.titleAt', { time: format.time(past.asOfMs, shown.day.ianaTimezone) })
            : t('flow.title')
        }
        actions={
          past ? (
            <p className={styles.replayed}>
              {shown.how === 'drag' && t('flow.letGo')}
              {shown.how !== 'drag' && (
                <Button small look="plain" onClick={() => replay?.set({ index: null, how: 'pin' })}>
                  {t('flow.backToNow')}
                </Button>
              )}
            </p>
          ) : stale && ageText ? (
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
            live={past ?? live}
            stale={past === null && stale}
            ageText={past === null ? ageText : undefined}
            ratedW={site.systemCapacity * 1000}
            onOpenDevice={onOpenDevice}
            low={past !== null && replay !== undefined}
            onWhereFrom={(node) => setAsked({ to: toOf[node], day: day ?? localDay(Date.now(), site.ianaTimezone) })}
          />
        )}
      </Panel>
      {asked && (
        <Suspense>
          <WhereFromDrawer
            stationID={site.stationID}
            timeZone={site.ianaTimezone}
            hasCar={(live?.charger ?? null) !== null}
            first={asked}
            onClose={() => setAsked(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}
