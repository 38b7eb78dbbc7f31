import { historyReport } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { TimeRange, type TimeRangeValue } from '../blocks/form/time-range.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { EnergyBars } from '../charts/energy-bars.tsx';
import { read } from '../client/queries.ts';
import { calendarParts, localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { energySlots, isEmpty, type SlotLabels, type Split, variablesOf } from './energy-slots.ts';
import styles from './sites.module.css';

const MINUTE_MS = 60_000;
const BARS_PX = 308;

interface SiteEnergyPanelProps {
  stationID: string;
  timeZone: string;
  /** History is still coming: that all is preliminary is said elsewhere. */
  preliminary: boolean;
}

/** Where the sun went and where the power came from, by hour, day, month or year. */
export function SiteEnergyPanel({ stationID, timeZone, preliminary }: SiteEnergyPanelProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const today = localDay(useNow(MINUTE_MS), timeZone);
  const [range, setRange] = useState<TimeRangeValue>({ span: 'month', day: today });
  const [split, setSplit] = useState<Split>('production');
  const query = useQuery({
    ...read(historyReport, {
      stationID,
      reportType: range.span,
      variables: [...new Set([...variablesOf('production'), ...variablesOf('consumption')])],
      queryDate: calendarParts(range.day),
    }),
    placeholderData: (previous) => previous,
    refetchInterval: 5 * MINUTE_MS,
  });

  const labels = useMemo((): SlotLabels => {
    const pad = (index: number): string => String(index).padStart(2, '0');
    const labelOf = (index: number): string =>
      query.data?.[0]?.data.find((entry) => entry.index === index)?.label ?? '';
    const inMonth = (index: number): string => `${range.day.slice(0, 8)}${pad(index)}`;
    const inYear = (index: number): string => `${range.day.slice(0, 4)}-${pad(index)}-01`;
    switch (range.span) {
      case 'day':
        return {
          short: (index) => hourOf(labelOf(index), index),
          long: (index) => `${format.day(range.day)} ${hourOf(labelOf(index), index)}`,
        };
      case 'month':
        return { short: String, long: (index) => format.dayLong(inMonth(index)) };
      case 'year':
        return { short: (index) => format.monthShort(inYear(index)), long: (index) => format.month(inYear(index)) };
      case 'total':
        return { short: String, long: String };
    }
  }, [range, format, query.data]);
  const bars = useMemo(
    () => (query.data ? energySlots(query.data, split, range.span, range.day, labels) : null),
    [query.data, split, range, labels],
  );
  const title = t(`charts.${split}`);

  return (
    <Panel
      title={title}
      actions={
        <Segmented
          label={t('sites.section.energy')}
          value={split}
          options={[
            { value: 'production', label: t('sites.figure.generationWh') },
            { value: 'consumption', label: t('sites.figure.consumptionWh') },
          ]}
          onChange={setSplit}
        />
      }
    >
      <div className={styles.energyControls}>
        <TimeRange value={range} onChange={setRange} today={today} />
      </div>
      <ReadState query={query}>
        <Skeleton height={`${BARS_PX}px`} />
      </ReadState>
      {bars && (
        <div className={styles.fade} data-waiting={query.isPlaceholderData || undefined}>
          {isEmpty(bars) ? (
            <EmptyState text={t(preliminary ? 'charts.arriving' : 'charts.noPeriod')} />
          ) : (
            <>
              <EnergyBars
                title={title}
                slots={preliminary ? bars.slots.map((slot) => ({ ...slot, estimated: false })) : bars.slots}
                heightPx={BARS_PX}
                parts={bars.parts.map(({ key, tone }) => ({
                  key,
                  label: t(`charts.part.${key}`),
                  colour: `var(--${tone})`,
                }))}
              />
              {bars.parts.some(({ key }) => key === 'undivided') && (
                <p className={styles.undivided}>{t('charts.undivided')}</p>
              )}
            </>
          )}
        </div>
      )}
    </Panel>
  );
}

/** The hour that a report's label names; labels are plant-local times. */
function hourOf(label: string, index: number): string {
  const [, hour] = /(\d{2}):\d{2}/.exec(label) ?? [];
  return hour ?? String(index - 1).padStart(2, '0');
}
