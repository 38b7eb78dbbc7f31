import { historyRaw, variables } from '@sonnenwarte/contract/devices/devices';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dropdown } from '../blocks/form/dropdown.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import type { ChartMark } from '../charts/chart-marks.tsx';
import { TimeChart } from '../charts/time-chart.tsx';
import { read } from '../client/queries.ts';
import { addDays, type CalendarDay, calendarParts, localDay, startOfLocalDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { DayStepper } from '../sites/day-stepper.tsx';
import { DayFileButton } from './day-file-button.tsx';
import styles from './devices.module.css';
import { alignHistory } from './history-series.ts';
import { usePointTexts } from './point-text.ts';

const MINUTE_MS = 60_000;
const CHART_PX = 320;
/** Most values that are drawn at once. */
export const MAX_SHOWN = 8;
const preferred = [
  'AC/ActivePower',
  'DC/Power',
  'Bat/Power',
  'Bat/Soc',
  'Meter/ActivePower',
  'Ems/PlantPv',
  'Ems/PlantGrid',
  'Gw/HeatPumpPower',
];
const colours = ['brand', 'pv', 'battery', 'grid', 'load', 'charger', 'external', 'muted'] as const;
const dashes = [[], [8, 3], [3, 2], [12, 3, 3, 3], [1, 3], [6, 3, 1, 3], [5, 5], [2, 5]] as const;
/** Points that tell no curve. */
const notPlotted = new Set(['enum', 'bitfield', 'bool', 'text', 'string']);

/** What somebody came to see: a day, some values and a time of it. */
export interface WantedHistory {
  readonly day: CalendarDay;
  readonly variables: readonly string[];
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

interface HistoryPanelProps {
  deviceID: string;
  /** Of the plant. */
  timeZone: string;
  wanted: WantedHistory | undefined;
}

/** Chosen values of a device over a plant-local day. */
export function HistoryPanel({ deviceID, timeZone, wanted }: HistoryPanelProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const texts = usePointTexts();
  const today = localDay(useNow(MINUTE_MS), timeZone);
  const [chosenDay, setChosenDay] = useState<CalendarDay | undefined>(wanted?.day);
  const [chosen, setChosen] = useState<readonly string[] | undefined>(wanted?.variables);
  const place = useRef<HTMLDivElement>(null);
  const date = chosenDay ?? today;

  const points = useQuery(read(variables, { deviceID }));
  const known = (points.data?.variables ?? []).filter((point) => !notPlotted.has(point.unit));
  const first = preferred.filter((name) => known.some((point) => point.variable === name));
  const picked = chosen?.filter((name) => points.data === undefined || known.some((point) => point.variable === name));
  const isPicked = picked !== undefined && (picked.length > 0 || chosen?.length === 0);
  const shown = isPicked ? picked : first.length > 0 ? first : known.slice(0, 1).map((point) => point.variable);
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
    // A share of a whole is seen as one.
    ...(name === '%' && { spans: 100 }),
    labels: (values: readonly number[]) =>
      name === 'W'
        ? format.powerAxis(values)
        : values.map((value) => {
            const quantity = texts.value(value, name === 'value' ? '' : name);
            return `${quantity.value} ${quantity.unit}`.trim();
          }),
  }));

  const marks = useMemo(() => (date === wanted?.day ? marksOf(wanted, t('charts.kinks')) : []), [date, wanted, t]);
  const isThere = series.length > 0;
  const isWanted = wanted !== undefined;
  useEffect(() => {
    if (isWanted && isThere) place.current?.scrollIntoView({ block: 'center' });
  }, [isWanted, isThere]);

  return (
    <div ref={place}>
      <Panel
        title={t('devices.section.chart')}
        actions={
          <>
            <DayFileButton deviceID={deviceID} date={date} />
            <PointChooser
              known={known.map((point) => point.variable)}
              shown={shown}
              onChange={setChosen}
              label={texts.label}
            />
            <DayStepper
              date={date}
              today={today}
              onChange={(next) => setChosenDay(next === today ? undefined : next)}
            />
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
              marks={marks}
            />
          </Suspense>
        )}
      </Panel>
    </div>
  );
}

/** The time that somebody came to see, where there is one. */
function marksOf({ fromMs, toMs }: WantedHistory, label: string): ChartMark[] {
  if (fromMs === null) return [];
  return [{ key: 'wanted', kind: 'kink', fromMs, toMs, label, detail: label }];
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
