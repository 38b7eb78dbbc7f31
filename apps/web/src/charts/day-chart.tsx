import type { SiteDay } from '@sonnenwarte/contract/sites/site';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import type { ChartMark } from './chart-marks.tsx';
import type { Scrub } from './chart-parts.ts';
import { type DaySeries, daySeries, goesBothWays, peakOf, type SeriesName } from './day-series.ts';
import { useShownLines } from './shown-lines.ts';
import { type ChartScale, TimeChart, type TimeSeries } from './time-chart.tsx';

interface Look {
  readonly colour: string;
  readonly dash?: readonly number[];
  readonly filled?: boolean;
  readonly widthPx?: number;
}

const looks: Record<SeriesName, Look> = {
  pv: { colour: 'var(--pv)', filled: true, widthPx: 2 },
  consumption: { colour: 'var(--load)', dash: [7, 4], widthPx: 2 },
  battery: { colour: 'var(--battery)', filled: true, widthPx: 1.2 },
  grid: { colour: 'var(--grid)', filled: true, dash: [3, 2], widthPx: 1.2 },
  external: { colour: 'var(--external)', dash: [12, 3, 3, 3] },
  charger: { colour: 'var(--charger)', dash: [6, 3, 1, 3] },
  soc: { colour: 'var(--chart-muted)', dash: [1, 3], widthPx: 1.8 },
  clearSky: { colour: 'var(--pv)', dash: [5, 5], widthPx: 1 },
};

/** Powers up to this are rest: neither direction is said of them. */
const REST_W = 20;
const directions = {
  battery: { over: 'gives', under: 'takes' },
  grid: { over: 'buys', under: 'sells' },
} as const;

interface DayChartProps {
  day: SiteDay;
  /** What of it the axis shows. */
  span: { startMs: number; endMs: number };
  heightPx?: number;
  marks?: readonly ChartMark[];
  scrub?: Scrub;
}

/** Powers and state of charge of a plant-local day; charging and export lie below zero. */
export function DayChart({ day, span, heightPx, marks, scrub }: DayChartProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const present = useMemo(() => daySeries(day), [day]);
  const lines = useShownLines(present);

  const series = useMemo(
    () =>
      present.map(
        ({ name, values, scale }: DaySeries): TimeSeries => ({
          key: name,
          label: t(`charts.series.${name}`),
          values,
          scale,
          ...looks[name],
          quantity: scale === '%' ? (value) => ({ value: format.percent(value), unit: '' }) : format.powerQuantity,
          ...((name === 'battery' || name === 'grid') && {
            reading: (value: number) => ({
              label:
                Math.abs(value) <= REST_W
                  ? t(`charts.series.${name}`)
                  : t(`charts.reading.${directions[name][value > 0 ? 'over' : 'under']}`),
              quantity: format.powerQuantity(Math.abs(value)),
            }),
          }),
        }),
      ),
    [present, t, format],
  );
  const scales = useMemo((): ChartScale[] => {
    const power: ChartScale = { name: 'W', bothWays: goesBothWays(present), labels: format.powerAxis };
    const charge: ChartScale = {
      name: '%',
      fullAt: 100,
      splits: () => [0, 25, 50, 75, 100],
      labels: (values) => values.map((value) => format.percent(value)),
    };
    return present.some((each) => each.scale === '%') ? [power, charge] : [power];
  }, [present, format]);

  const summary = useMemo(() => {
    const parts = present.flatMap(({ name, values }) => {
      const peak = peakOf(values, day.tsMs);
      if (!peak || name === 'clearSky') return [];
      const value = name === 'soc' ? format.percent(peak.value) : format.power(peak.value);
      return [
        t('charts.peak', { name: t(`charts.series.${name}`), value, time: format.time(peak.tsMs, day.ianaTimezone) }),
      ];
    });
    return [t('charts.dayTitle', { date: format.dayLong(day.date) }), ...parts].join(' ');
  }, [present, day, t, format]);

  return (
    <TimeChart
      tsMs={day.tsMs}
      {...span}
      timeZone={day.ianaTimezone}
      series={series}
      scales={scales}
      summary={summary}
      lines={lines}
      {...(heightPx !== undefined && { heightPx })}
      {...(marks !== undefined && { marks })}
      {...(scrub !== undefined && { scrub })}
    />
  );
}
