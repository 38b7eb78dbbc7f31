import { day } from '@sonnenwarte/contract/sites/sites';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DayPicker } from '../blocks/form/day-picker.tsx';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { DayChart } from '../charts/day-chart.tsx';
import { daySeries } from '../charts/day-series.ts';
import { read } from '../client/queries.ts';
import { addDays, type CalendarDay, localDay } from '../format/dates.ts';
import { useNow } from '../live/use-now.ts';
import styles from './sites.module.css';

const MINUTE_MS = 60_000;
const CHART_PX = 320;

interface SiteDayPanelProps {
  stationID: string;
  timeZone: string;
  /** Today's values are still to come, but for the newest. */
  arriving: boolean;
}

/** The curves of a plant-local day, with steps to the days before. */
export function SiteDayPanel({ stationID, timeZone, arriving }: SiteDayPanelProps): ReactNode {
  const { t } = useTranslation();
  const today = localDay(useNow(MINUTE_MS), timeZone);
  const [chosen, setChosen] = useState<CalendarDay>();
  const date = chosen ?? today;
  const query = useQuery({
    ...read(day, { stationID, date }),
    refetchInterval: date === today ? MINUTE_MS : false,
    placeholderData: (previous) => previous,
  });
  const waiting = <Waiting />;

  return (
    <Panel
      title={t('sites.section.day')}
      actions={
        <DayStepper date={date} today={today} onChange={(next) => setChosen(next === today ? undefined : next)} />
      }
    >
      <ReadState query={query}>
        <Skeleton height={`${CHART_PX + 40}px`} />
      </ReadState>
      {query.data && (
        <div className={styles.fade} data-waiting={query.isPlaceholderData || undefined}>
          {arriving && date === today ? (
            <EmptyState text={t('charts.arriving')} />
          ) : daySeries(query.data).length === 0 ? (
            <EmptyState text={t('charts.noDay')} />
          ) : (
            <Suspense fallback={waiting}>
              <DayChart day={query.data} heightPx={CHART_PX} />
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

interface DayStepperProps {
  date: CalendarDay;
  today: CalendarDay;
  onChange: (date: CalendarDay) => void;
}

/** A day back, a day forth, any day, and back to today. */
export function DayStepper({ date, today, onChange }: DayStepperProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.stepper}>
      {date !== today && (
        <Button small look="plain" onClick={() => onChange(today)}>
          {t('charts.today')}
        </Button>
      )}
      <IconButton aria-label={t('charts.previous')} onClick={() => onChange(addDays(date, -1))}>
        <IconChevronLeft size={18} aria-hidden="true" />
      </IconButton>
      <DayPicker
        label={t('charts.chooseDay')}
        className={styles.date ?? ''}
        value={date}
        min="2000-01-01"
        max={today}
        onChange={onChange}
      />
      <IconButton aria-label={t('charts.next')} disabled={date >= today} onClick={() => onChange(addDays(date, 1))}>
        <IconChevronRight size={18} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
