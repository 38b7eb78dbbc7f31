import { historyRaw, variables } from '@sonnenwarte/contract/devices/devices';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dropdown } from '../blocks/form/dropdown.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { TimeChart } from '../charts/time-chart.tsx';
import { read } from '../client/queries.ts';
import { addDays, type CalendarDay, calendarParts, localDay, startOfLocalDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { DayStepper } from '../sites/site-day-panel.tsx';
import styles from './devices.module.css';
import { alignHistory } from './history-series.ts';
import { usePointTexts } from './point-text.ts';

const MINUTE_MS = 60_000;
const CHART_PX = 320;
const MAX_SHOWN = 8;
const preferred = ['AC/ActivePower', 'DC/Power', 'Battery/Power'];
const colours = ['brand', 'pv', 'battery', 'grid', 'load', 'charger', 'external', 'muted'] as const;
const dashes = [[], [8, 3], [3, 2], [12, 3, 3, 3], [1, 3], [6, 3, 1, 3], [5, 5], [2, 5]] as const;
/** Points that tell no curve. */
const notPlotted = new Set(['enum', 'bitfield', 'bool', 'text', 'string']);

interface HistoryPanelProps {
  deviceID: string;
  /** Of the plant. */
  timeZone: string;
}

/** Chosen values of a device over a plant-local day. */
export function HistoryPanel({ deviceID, timeZone }: HistoryPanelProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const texts = usePointTexts();
  const today = localDay(useNow(MINUTE_MS), timeZone);
  const [chosenDay, setChosenDay] = useState<CalendarDay>();
  const [chosen, setChosen] = useState<readonly string[]>();
  const date = chosenDay ?? today;

  const points = useQuery(read(variables, { deviceID }));
  const known = (points.data?.variables ?? []).filter((point) => !notPlotted.has(point.unit));
  const first = preferred.filter((name) => known.some((point) => point.variable === name));
  const shown = chosen ?? (first.length > 0 ? first : known.slice(0, 1).map((point) => point.variable));
  const query = useQuery({
    ...read(historyRaw, { deviceID, variables: [...shown].sort(), timespan: 'day', beginDate: calendarParts(date) }),
    enabled: shown.length > 0,
    refetchInterval: date === today ? MINUTE_MS : false,
    placeholderData: (previous) => previous,
  });

  const aligned = useMemo(() => alignHistory(query.data ?? []), [query.data]);
  const series = aligned.series
    .filter((each) => each.values.some((value) => value !== null))
    .map((each, index) => ({
      key: each.variable,
      label: texts.label(each.variable),
      values: each.values,
      colour: `var(--${colours[index % colours.length] ?? 'brand'})`,
      dash: dashes[index % dashes.length] ?? [],
      scale: each.unit === '' ? 'value' : each.unit,
      quantity: (value: number | null) => (value === null ? { value: '–', unit: '' } : texts.value(value, each.unit)),
    }));
  const scales = [...new Set(series.map((each) => each.scale))].map((name) => ({
    name,
    labels: (values: readonly number[]) =>
      name === 'W'
        ? format.powerAxis(values)
        : values.map((value) => {
            const quantity = texts.value(value, name === 'value' ? '' : name);
            return `${quantity.value} ${quantity.unit}`.trim();
          }),
  }));

  return (
    <Panel
      title={t('devices.section.chart')}
      actions={
        <>
          <PointChooser
            known={known.map((point) => point.variable)}
            shown={shown}
            onChange={setChosen}
            label={texts.label}
          />
          <DayStepper date={date} today={today} onChange={(next) => setChosenDay(next === today ? undefined : next)} />
        </>
      }
    >
      {(points.error || query.error) && (
        <ErrorNotice
          error={points.error ?? query.error}
          retry={() => void (points.error ? points.refetch() : query.refetch())}
          keepsShown={query.data !== undefined}
        />
      )}
      {shown.length === 0 && points.data && <EmptyState text={t('devices.chooseHint')} />}
      {query.isLoading && <Waiting />}
      {query.data && shown.length > 0 && series.length === 0 && <EmptyState text={t('charts.noDay')} />}
      {series.length > 0 && (
        <Suspense fallback={<Waiting />}>
          <TimeChart
            tsMs={aligned.tsMs}
            startMs={startOfLocalDay(date, timeZone)}
            endMs={startOfLocalDay(addDays(date, 1), timeZone)}
            timeZone={timeZone}
            series={series}
            scales={scales}
            summary={`${t('devices.section.chart')}: ${series.map((each) => each.label).join(', ')}. ${format.dayLong(date)}.`}
            heightPx={CHART_PX}
          />
        </Suspense>
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

interface PointChooserProps {
  known: readonly string[];
  shown: readonly string[];
  onChange: (shown: readonly string[]) => void;
  label: (variable: string) => string;
}

function PointChooser({ known, shown, onChange, label }: PointChooserProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Dropdown className={styles.choose ?? ''} button={t('devices.choose')}>
      {() => (
        <div className={styles.chooser}>
          {known.map((variable) => {
            const checked = shown.includes(variable);
            return (
              <label key={variable}>
                <input
                  type="checkbox"
                  checked={checked}
                  disabled={!checked && shown.length >= MAX_SHOWN}
                  onChange={() => onChange(checked ? shown.filter((each) => each !== variable) : [...shown, variable])}
                />
                {label(variable)}
              </label>
            );
          })}
        </div>
      )}
    </Dropdown>
  );
}
