import { historyReport } from '@sonnenwarte/contract/sites/site-endpoints';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Select } from '../blocks/form/select.tsx';
import { TimeRange, type TimeRangeValue } from '../blocks/form/time-range.tsx';
import { IconButton } from '../blocks/show/button.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { EnergyBars } from '../charts/energy-bars.tsx';
import { read } from '../client/queries.ts';
import { useAnswered } from '../client/use-answered.ts';
import { calendarParts, localDay, startOfLocalDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import {
  boughtWhOf,
  energySlots,
  isEmpty,
  type SlotLabels,
  type Split,
  variablesOf,
  wholesOf,
} from './energy-slots.ts';
import { useRangeName } from './range-name.ts';
import styles from './sites.module.css';
import { type Against, againstsOf, useComparison } from './use-comparison.ts';

const HistoryExport = lazy(async () => ({ default: (await import('./history-export.tsx')).HistoryExport }));
const EnergySums = lazy(async () => ({ default: (await import('./energy-sums.tsx')).EnergySums }));
const ComparisonWords = lazy(async () => ({ default: (await import('./comparison-words.tsx')).ComparisonWords }));

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BARS_PX = 308;

interface SiteEnergyPanelProps {
  stationID: string;
  timeZone: string;
  /** History is still coming: that all is preliminary is said elsewhere. */
  preliminary: boolean;
  range: TimeRangeValue;
  onRange: (range: TimeRangeValue) => void;
}

/** Where the sun went and where the power came from, by hour, day, month or year. */
export function SiteEnergyPanel({ stationID, timeZone, preliminary, range, onRange }: SiteEnergyPanelProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const nowMs = useNow(MINUTE_MS);
  const today = localDay(nowMs, timeZone);
  const [split, setSplit] = useState<Split>('production');
  const [wanted, setWanted] = useState<Against>('none');
  const [isExporting, setExporting] = useState(false);
  const againsts = againstsOf(range);
  const against = againsts.includes(wanted) ? wanted : range.span === 'year' && wanted !== 'none' ? 'previous' : 'none';
  const compared = useComparison(stationID, range, against, wholesOf(split));
  const rangeName = useRangeName();
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

  const told = useAnswered(range, query);
  const other =
    query.isPlaceholderData || !compared.told ? undefined : rangeName(range.span, compared.told.against.first);
  const report = told?.data;
  const shown = told?.asked ?? range;
  const { span, day } = shown;
  const labels = useMemo((): SlotLabels => {
    const pad = (index: number): string => String(index).padStart(2, '0');
    const labelOf = (index: number): string => report?.[0]?.data.find((entry) => entry.index === index)?.label ?? '';
    const inMonth = (index: number): string => `${day.slice(0, 8)}${pad(index)}`;
    const inYear = (index: number): string => `${day.slice(0, 4)}-${pad(index)}-01`;
    switch (span) {
      case 'day':
        return {
          short: (index) => hourOf(labelOf(index), index),
          long: (index) => `${format.day(day)} ${hourOf(labelOf(index), index)}`,
        };
      case 'month':
        return { short: String, long: (index) => format.dayLong(inMonth(index)) };
      case 'year':
        return { short: (index) => format.monthShort(inYear(index)), long: (index) => format.month(inYear(index)) };
      case 'total':
        return { short: String, long: String };
    }
  }, [span, day, format, report]);
  const both = useMemo(() => {
    if (!report) return null;
    const of = (each: Split) => energySlots(report, each, span, day, labels);
    return { production: of('production'), consumption: of('consumption') };
  }, [report, span, day, labels]);
  const bars = both?.[split];
  const title = t(`charts.${split}`);
  const isToCome = (key: string): boolean => {
    if (span === 'total') return false;
    if (span === 'day') return day === today && startOfLocalDay(today, timeZone) + (Number(key) - 1) * HOUR_MS > nowMs;
    return withinOf(shown, Number(key)).day > today;
  };

  return (
    <Panel
      title={title}
      actions={
        <>
          <Segmented
            label={t('sites.section.energy')}
            value={split}
            options={[
              { value: 'production', label: t('sites.figure.generationWh') },
              { value: 'consumption', label: t('sites.figure.consumptionWh') },
            ]}
            onChange={setSplit}
          />
          <IconButton
            aria-label={t('sites.export.open')}
            title={t('sites.export.open')}
            onClick={() => setExporting(true)}
          >
            <IconDownload size={18} aria-hidden="true" />
          </IconButton>
        </>
      }
    >
      <div className={styles.energyControls}>
        <TimeRange value={range} onChange={onRange} today={today} />
        {againsts.length > 1 && (
          <Select
            label={t('sites.compare.label')}
            labelHidden
            value={against}
            onChange={(value) => setWanted(againsts.find((each) => each === value) ?? 'none')}
            options={againsts.map((each) => ({ value: each, label: t(nameOfAgainst(each, range.span)) }))}
          />
        )}
      </div>
      <ReadState query={query}>
        <Skeleton height={`${BARS_PX}px`} />
      </ReadState>
      {both && bars && (
        <div className={styles.fade} data-waiting={query.isPlaceholderData || undefined}>
          {isEmpty(bars) ? (
            <EmptyState text={t(preliminary ? 'charts.arriving' : 'charts.noPeriod')} />
          ) : (
            <>
              <EnergyBars
                title={title}
                slots={bars.slots.map((slot) => ({
                  ...slot,
                  estimated: slot.estimated && !preliminary,
                  future: isToCome(slot.key),
                  ...(other !== undefined && { comparedWh: compared.sumsWh.get(Number(slot.key)) ?? null }),
                }))}
                {...(span !== 'day' && { onOpen: ({ key }) => onRange(withinOf(shown, Number(key))) })}
                heightPx={BARS_PX}
                {...(other !== undefined && { compared: other })}
                parts={bars.parts.map(({ key, tone }) => ({
                  key,
                  label: t(`charts.part.${key}`),
                  colour: `var(--${tone})`,
                }))}
              />
              {compared.told && other !== undefined && (
                <Suspense>
                  <ComparisonWords told={compared.told} split={split} other={other} />
                </Suspense>
              )}
              {bars.parts.some(({ key }) => key === 'undivided') && (
                <p className={styles.undivided}>{t('charts.undivided')}</p>
              )}
            </>
          )}
          <Suspense>
            <EnergySums bars={both} preliminary={preliminary} boughtWh={boughtWhOf(report ?? [])} />
          </Suspense>
        </div>
      )}
      {isExporting && (
        <Suspense>
          <HistoryExport stationID={stationID} today={today} range={range} onClose={() => setExporting(false)} />
        </Suspense>
      )}
    </Panel>
  );
}

function nameOfAgainst(against: Against, span: TimeRangeValue['span']) {
  if (against === 'previous' && span !== 'total') return `sites.compare.previous_${span}` as const;
  return against === 'lastYear' ? ('sites.compare.lastYear' as const) : ('sites.compare.none' as const);
}

/** The range that a bar of another range stands for: a day of a month, a month of a year, a year of all. */
function withinOf({ span, day }: TimeRangeValue, index: number): TimeRangeValue {
  const two = String(index).padStart(2, '0');
  if (span === 'month') return { span: 'day', day: `${day.slice(0, 8)}${two}` };
  if (span === 'year') return { span: 'month', day: `${day.slice(0, 4)}-${two}-01` };
  return { span: 'year', day: `${index}-01-01` };
}

/** The hour that a report's label names; labels are plant-local times. */
function hourOf(label: string, index: number): string {
  const [, hour] = /(\d{2}):\d{2}/.exec(label) ?? [];
  return hour ?? String(index - 1).padStart(2, '0');
}
