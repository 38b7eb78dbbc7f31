import { alarms } from '@sonnenwarte/contract/sites/site-endpoints';
import { day } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { WhenIdle } from '../blocks/show/when-idle.tsx';
import type { ChartMark } from '../charts/chart-marks.tsx';
import { DayChart } from '../charts/day-chart.tsx';
import { daylightSpan, daySeries } from '../charts/day-series.ts';
import { read } from '../client/queries.ts';
import { type CalendarDay, localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { DayKinks } from '../kinks/kinks-part.ts';
import { useNow } from '../live/use-now.ts';
import { useDayMarks } from './day-marks.tsx';
import { PlayButton, useDayReplay } from './day-replay.tsx';
import { DayStepper } from './day-stepper.tsx';
import { type ReplayStore, useReplay } from './replay.ts';
import styles from './sites.module.css';

const MINUTE_MS = 60_000;
const CHART_PX = 240;
const PHONE_CHART_PX = 220;

interface SiteDayPanelProps {
  stationID: string;
  timeZone: string;
  /** Today's values are still to come, but for the newest. */
  arriving: boolean;
  /** The day that was chosen; undefined = today, whichever that is. */
  chosen: CalendarDay | undefined;
  onChoose: (day: CalendarDay | undefined) => void;
  /** What dragging along the day shows elsewhere. */
  replay: ReplayStore;
}

/** The curves of a plant-local day, with steps to the days before. */
export function SiteDayPanel({
  stationID,
  timeZone,
  arriving,
  chosen,
  onChoose,
  replay,
}: SiteDayPanelProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const nowMs = useNow(MINUTE_MS);
  const phone = useIsPhone();
  const today = localDay(nowMs, timeZone);
  const date = chosen ?? today;
  const refetchInterval = date === today ? MINUTE_MS : (false as const);
  const query = useQuery({
    ...read(day, { stationID, date }),
    refetchInterval,
    placeholderData: (previous) => previous,
  });
  const told = useQuery({ ...read(alarms, { stationID, firstDay: date, lastDay: date }), refetchInterval });
  const happened = useDayMarks(told.data, timeZone, nowMs);
  const [kinks, setKinks] = useState<readonly ChartMark[]>([]);
  const marks = useMemo(() => [...happened, ...kinks].toSorted((a, b) => a.fromMs - b.fromMs), [happened, kinks]);
  const [isWhole, setIsWhole] = useState(false);
  const data = query.data;
  const earlierDay = data?.earlierDay ?? null;
  const choose = (next: CalendarDay): void => onChoose(next === today ? undefined : next);
  const hasValues = data !== undefined && daySeries(data).length > 0;
  const span = useMemo(() => {
    if (data === undefined || isWhole) return { startMs: data?.startMs ?? 0, endMs: data?.endMs ?? 0 };
    return daylightSpan(data, data.date === today ? nowMs : null);
  }, [data, isWhole, today, nowMs]);
  const isCut = data !== undefined && (isWhole || span.startMs > data.startMs || span.endMs < data.endMs);
  const { index, how } = useReplay(replay);
  const scrub = useDayReplay(replay, data, query.isPlaceholderData);
  const waiting = <Waiting />;

  return (
    <Panel
      title={t('sites.section.day')}
      actions={
        <>
          {hasValues && (
            <PlayButton replay={replay} day={data} span={span} isPlaying={index !== null && how === 'play'} />
          )}
          {hasValues && isCut && (
            <Button small look="plain" aria-pressed={isWhole} onClick={() => setIsWhole(!isWhole)}>
              {t('charts.wholeDay')}
            </Button>
          )}
          <DayStepper date={date} today={today} onChange={choose} />
        </>
      }
    >
      <ReadState query={query}>
        <Skeleton height={`${CHART_PX + 40}px`} />
      </ReadState>
      {data && (
        <div className={styles.fade} data-waiting={query.isPlaceholderData || undefined}>
          {arriving && date === today ? (
            <EmptyState text={t('charts.arriving')} />
          ) : !hasValues ? (
            <EmptyState
              text={t('charts.noDay')}
              action={
                earlierDay !== null && (
                  <Button small onClick={() => choose(earlierDay)}>
                    {t('charts.lastDay', { day: format.day(earlierDay) })}
                  </Button>
                )
              }
            />
          ) : (
            <Suspense fallback={waiting}>
              <Suspense fallback={null}>
                <WhenIdle>
                  <DayKinks
                    key={data.date}
                    stationID={stationID}
                    date={data.date}
                    timeZone={timeZone}
                    refetchInterval={refetchInterval}
                    onFound={setKinks}
                  />
                </WhenIdle>
              </Suspense>
              <DayChart
                day={data}
                span={span}
                heightPx={phone ? PHONE_CHART_PX : CHART_PX}
                marks={marks.filter(({ fromMs, toMs }) => fromMs < span.endMs && (toMs ?? fromMs) >= span.startMs)}
                scrub={scrub}
              />
            </Suspense>
          )}
        </div>
      )}
    </Panel>
  );
}

function Waiting(): ReactNode {
  return (
    <LoadingSkeleton>
      <Skeleton height={`${CHART_PX + 40}px`} />
    </LoadingSkeleton>
  );
}
