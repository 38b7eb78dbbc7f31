import { attention } from '@sonnenwarte/contract/fleet/fleet';
import type { Figures } from '@sonnenwarte/contract/sites/site';
import { day, figures } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { QualityMark } from '../blocks/show/key-figure.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { fetchPlot } from '../charts/chart-parts.ts';
import { DayChart } from '../charts/day-chart.tsx';
import { daylightSpan, daySeries } from '../charts/day-series.ts';
import { read } from '../client/queries.ts';
import { localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { lazyComponent } from '../lazy-screen.ts';
import { useNow } from '../live/use-now.ts';
import { isArriving, markOf } from '../sites/preliminary.tsx';
import type { SiteNow } from '../sites/use-site-now.ts';
import styles from './fleet.module.css';

// Fetched with this code, which comes while somebody types the password.
fetchPlot().catch(() => undefined);

const AttentionPanel = lazyComponent(async () => (await import('../insight/attention-panel.tsx')).AttentionPanel);

const MINUTE_MS = 60_000;
const CHART_PX = 220;
const periods = ['month', 'year', 'total'] as const;
const amounts = [
  ['saved', 'saving'],
  ['earned', 'income'],
  ['paid', 'paid'],
] as const;

interface OwnerPastProps {
  stationID: string;
  timeZone: string;
  now: SiteNow;
}

/** What came before now: the curve of today, and what month, year and all the time gave. */
export function OwnerPast({ stationID, timeZone, now }: OwnerPastProps): ReactNode {
  return (
    <>
      <OwnLosses />
      <TodayCurve stationID={stationID} timeZone={timeZone} arriving={isArriving(now)} />
      <LongerPeriods stationID={stationID} historyPercent={now.historyPercent} />
    </>
  );
}

interface TodayCurveProps {
  stationID: string;
  timeZone: string;
  /** Values are still to come, but for the newest. */
  arriving: boolean;
}

/** What the own plants lose; nothing where none does. */
function OwnLosses(): ReactNode {
  const { plants = [], paused = 0 } = useQuery(read(attention, {})).data ?? {};
  if (paused === 0 && !plants.some(({ isLosing }) => isLosing)) return null;
  return (
    <Suspense>
      <AttentionPanel isOwn />
    </Suspense>
  );
}

function TodayCurve({ stationID, timeZone, arriving }: TodayCurveProps): ReactNode {
  const { t } = useTranslation();
  const nowMs = useNow(MINUTE_MS);
  const date = localDay(nowMs, timeZone);
  const query = useQuery({ ...read(day, { stationID, date }), refetchInterval: MINUTE_MS });
  const { data } = query;
  const span = useMemo(() => data && daylightSpan(data, nowMs), [data, nowMs]);
  return (
    <Panel title={t('sites.section.day')}>
      <ReadState query={query}>
        <Skeleton height={`${CHART_PX + 40}px`} />
      </ReadState>
      {data &&
        span &&
        (arriving || daySeries(data).length === 0 ? (
          <EmptyState text={t(arriving ? 'charts.arriving' : 'charts.noDay')} />
        ) : (
          <Suspense fallback={<Skeleton height={`${CHART_PX + 40}px`} />}>
            <DayChart day={data} span={span} heightPx={CHART_PX} />
          </Suspense>
        ))}
    </Panel>
  );
}

/** Generation of month, year and all the time, and what it was worth; money says since when it is known. */
function LongerPeriods({ stationID, historyPercent }: { stationID: string; historyPercent: number | null }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery(read(figures, { stationID }));
  const { data } = query;
  const moneyOf = (of: Figures, currency: string): string => {
    const told = amounts.flatMap(([note, amount]) =>
      of[amount] === null ? [] : [t(`sites.note.${note}`, { money: format.money(of[amount], currency) })],
    );
    if (told.length === 0) return '';
    return [
      ...told,
      ...(of.moneySince === null ? [] : [t('sites.note.since', { day: format.day(of.moneySince) })]),
    ].join(' · ');
  };
  return (
    <Panel title={t('sites.figure.generationWh')}>
      <ReadState query={query}>
        <Skeleton height="7rem" />
      </ReadState>
      {data && (
        <dl className={styles.periods} data-ages>
          {periods.map((period) => (
            <div key={period}>
              <dt>{t(`sites.period.${period}`)}</dt>
              <dd>
                <b>{format.energy(data[period].generationWh)}</b>
                <QualityMark quality={markOf(data[period].qualities.generationWh, historyPercent)} />
              </dd>
              <dd>{moneyOf(data[period], data.currency)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
