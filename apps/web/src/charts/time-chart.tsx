import { type KeyboardEvent, type ReactNode, use, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { joinQuantity, type Quantity } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import { resolveColour, useThemeVersion } from './chart-colours.ts';
import { type ChartMark, ChartMarks } from './chart-marks.tsx';
import { drawZeroLine, fetchPlot, type Lines, newestIndex, placed, type Scrub, useOwnLines } from './chart-parts.ts';
import { followPointer } from './chart-pointer.ts';
import { type ChartLines, ChartReading, OtherLines, useKeptLine } from './chart-reading.tsx';
import { ChartTable } from './chart-table.tsx';
import { placesAlone } from './places-alone.ts';
import { axisTicks } from './time-axis.ts';
import styles from './time-chart.module.css';
import { valueSplits } from './value-axis.ts';

fetchPlot();

export interface TimeSeries {
  readonly key: string;
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** CSS colour, variables allowed. */
  readonly colour: string;
  readonly dash?: readonly number[];
  readonly widthPx?: number;
  readonly filled?: boolean;
  /** Name of the scale: series with the same share an axis. At most two are labelled, left and right. */
  readonly scale: string;
  readonly quantity: (value: number | null) => Quantity;
  /** How a value is named and told where words say its sign. */
  readonly reading?: (value: number) => { label: string; quantity: Quantity };
}

export interface ChartScale {
  readonly name: string;
  /** Its values can lie on either side of zero: there is room below it from the beginning. */
  readonly bothWays?: boolean;
  /** Runs from zero to this, on the zero line of the first scale. */
  readonly fullAt?: number;
  /** Runs from zero to this at least, whatever the other scales do. */
  readonly spans?: number;
  readonly splits?: (min: number, max: number) => number[];
  readonly labels: (values: readonly number[]) => string[];
}

interface TimeChartProps {
  tsMs: readonly number[];
  startMs: number;
  endMs: number;
  timeZone: string;
  series: readonly TimeSeries[];
  scales: readonly ChartScale[];
  /** What the chart says, in a sentence, for who does not see it. */
  summary: string;
  heightPx?: number;
  lines?: Lines;
  scrub?: Scrub;
  /** In the order of time. */
  marks?: readonly ChartMark[];
}

interface Cursor {
  index: number;
}

const AWAY = { left: -10, top: -10 };
const NO_MARKS: readonly ChartMark[] = [];

const NO_DASH: number[] = [];
const NARROW_PX = 420;
const NARROW_LABEL_PX = 44;
const LABEL_PX = 76;
/** Of a value that no line joins to another. */
const POINT_PX = 4;

/** Curves over a span of plant-local time. Gaps stay open; a line above names the values at the cursor; a table says the same. */
export function TimeChart(props: TimeChartProps): ReactNode {
  const { tsMs, startMs, endMs, timeZone, series, scales, summary, heightPx = 300, scrub, marks = NO_MARKS } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { default: Plot } = use(fetchPlot());
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const own = useOwnLines();
  const { hidden, toggle } = props.lines ?? own;
  const figure = useRef<HTMLElement>(null);
  const keepFocus = useKeptLine(figure, hidden);
  const [frame, setFrame] = useState({ leftPx: 0, widthPx: 0 });
  const [chosen, setChosen] = useState<string>();
  const scrubbing = useRef(scrub);
  scrubbing.current = scrub;
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const [asTable, setAsTable] = useState(false);
  const theme = useThemeVersion();
  const tableId = useId();

  const data = useMemo(
    (): uPlot.AlignedData => [tsMs.map((each) => each / 1000), ...series.map((each) => [...each.values])],
    [tsMs, series],
  );
  const latest = useRef(data);
  const seriesKey = series.map((each) => `${each.key}:${each.label}:${each.scale}`).join('|');
  const scalesKey = scales.map((scale) => `${scale.name}:${scale.bothWays}:${scale.fullAt}:${scale.spans}`).join('|');

  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys stand for what the plot is built from; data are set below
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const colour = (expression: string): string => resolveColour(expression, element);
    const grid = colour('var(--chart-grid)');
    const muted = colour('var(--chart-muted)');
    const font = `11px ${getComputedStyle(element).fontFamily}`;
    const made = new Plot(
      {
        width: Math.max(200, element.clientWidth),
        height: heightPx,
        padding: [10, scales.length > 1 ? 4 : 24, 0, 0],
        legend: { show: false },
        cursor: {
          drag: { x: false, y: false },
          y: false,
          points: { size: 7 },
        },
        scales: {
          x: { time: true, range: [startMs / 1000, endMs / 1000] },
          ...Object.fromEntries(scales.map((scale) => [scale.name, placed(scale, scales[0])])),
        },
        axes: [
          {
            font,
            stroke: muted,
            size: 30,
            gap: 6,
            grid: { stroke: grid, width: 1 },
            ticks: { show: false },
            splits: (self) => {
              const widthPx = self.bbox.width / devicePixelRatio;
              const labelPx = widthPx < NARROW_PX ? NARROW_LABEL_PX : LABEL_PX;
              return axisTicks(startMs, endMs, timeZone, widthPx, labelPx).map((each) => each / 1000);
            },
            values: (_, splits) => splits.map((second) => format.time(second * 1000, timeZone)),
          },
          ...scales.map(
            (scale, index): uPlot.Axis => ({
              scale: scale.name,
              side: index === 0 ? 3 : 1,
              font,
              stroke: muted,
              size: (_, values) => 16 + 6.4 * Math.max(3, ...(values ?? []).map((value) => value.length)),
              gap: 8,
              grid: { show: index === 0, stroke: grid, width: 1 },
              ticks: { show: false },
              splits: (_, __, min, max) => (scale.splits ?? valueSplits)(min, max),
              values: (_, splits) => scale.labels(splits),
            }),
          ),
        ],
        series: [
          {},
          ...series.map((each): uPlot.Series => {
            const stroke = colour(each.colour);
            return {
              label: each.label,
              scale: each.scale,
              stroke,
              width: each.widthPx ?? 1.7,
              dash: [...(each.dash ?? NO_DASH)],
              points: {
                show: true,
                size: POINT_PX,
                fill: stroke,
                filter: (self, place) => [...placesAlone(self.data[place] ?? [])],
              },
              spanGaps: false,
              show: !hidden.has(each.key),
              ...(each.filled && { fill: colour(`color-mix(in oklab, ${each.colour} 16%, transparent)`), fillTo: 0 }),
            };
          }),
        ],
        hooks: {
          setCursor: [
            (self) => {
              const { idx, left } = self.cursor;
              setCursor(idx === null || idx === undefined || left === undefined || left < 0 ? null : { index: idx });
            },
          ],
          drawAxes: [(self) => drawZeroLine(self, scales[0], muted)],
          draw: [
            ({ over: { offsetLeft: leftPx, clientWidth: widthPx } }) =>
              setFrame((known) => (known.leftPx === leftPx && known.widthPx === widthPx ? known : { leftPx, widthPx })),
          ],
        },
      },
      latest.current,
      element,
    );
    plot.current = made;
    const indexOf = (): number | null => made.cursor.idx ?? null;
    const stopFollowing = followPointer(made, element, {
      drag: () => scrubbing.current?.onChange(indexOf(), 'drag'),
      letGo: () => {
        if (scrubbing.current === undefined) return;
        scrubbing.current.onChange(null, 'drag');
        made.setCursor(AWAY);
      },
      tap: () => scrubbing.current?.onChange(indexOf(), 'pin'),
      elsewhere: () => scrubbing.current?.onChange(null, 'elsewhere'),
    });
    const observer = new ResizeObserver(([entry]) => {
      const width = Math.round(entry?.contentRect.width ?? 0);
      if (width > 0 && width !== made.width) made.setSize({ width, height: heightPx });
    });
    observer.observe(element);
    return () => {
      stopFollowing();
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [seriesKey, scalesKey, startMs, endMs, timeZone, format, theme, heightPx]);

  useEffect(() => {
    if (latest.current === data) return;
    latest.current = data;
    plot.current?.setData(data);
  }, [data]);

  useEffect(() => {
    const self = plot.current;
    series.forEach((each, index) => {
      const show = !hidden.has(each.key);
      if (self && self.series[index + 1]?.show !== show) self.setSeries(index + 1, { show });
    });
  }, [hidden, series]);

  const moveTo = (index: number | null): void => {
    const self = plot.current;
    const moment = index === null ? undefined : tsMs[index];
    self?.setCursor(moment === undefined ? AWAY : { left: self.valToPos(moment / 1000, 'x'), top: 0 });
  };
  const pinned = scrub?.index ?? null;
  const isAway = cursor === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cursor stands where the moment is, whatever else is drawn anew
  useEffect(() => {
    if (pinned !== null && plot.current?.cursor.idx !== pinned) moveTo(pinned);
  }, [pinned, isAway]);
  const wasPinned = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (pinned === null && wasPinned.current) moveTo(null);
    wasPinned.current = pinned !== null;
  }, [pinned]);

  const first = Math.max(
    0,
    tsMs.findIndex((each) => each >= startMs),
  );
  const lastSeen = tsMs.findLastIndex((each) => each < endMs);
  const measured = newestIndex(series);
  /** Where reading begins and keys end: what was told last, as far as it is drawn. */
  const newest = measured < 0 ? lastSeen : Math.min(measured, lastSeen);
  const goTo = (index: number): void => {
    const within = Math.min(newest, Math.max(first, index));
    moveTo(within);
    scrub?.onChange(within, 'pin');
  };
  const goToMark = (by: 1 | -1): void => {
    const fromMs = tsMs[cursor?.index ?? newest] ?? startMs;
    const bucketOf = (mark: ChartMark): number => tsMs.findLastIndex((each) => each <= mark.fromMs);
    const isBeyond = (mark: ChartMark): boolean => {
      const markMs = tsMs[bucketOf(mark)] ?? mark.fromMs;
      return by > 0 ? markMs > fromMs : markMs < fromMs;
    };
    const mark = by > 0 ? marks.find(isBeyond) : marks.findLast(isBeyond);
    if (mark === undefined) return;
    setChosen(mark.key);
    goTo(bucketOf(mark));
  };
  const step = (event: KeyboardEvent): void => {
    const from = cursor?.index ?? pinned ?? newest;
    const target = {
      ArrowLeft: from - 1,
      ArrowRight: from + 1,
      PageUp: from - 12,
      PageDown: from + 12,
      Home: first,
      End: newest,
    }[event.key];
    if (event.key === 'Escape') {
      scrub?.onChange(null, 'pin');
      moveTo(null);
    } else if (event.key === '[' || event.key === ']') goToMark(event.key === ']' ? 1 : -1);
    else if (target !== undefined) goTo(target);
    else return;
    event.preventDefault();
  };

  const told = cursor?.index ?? newest;
  const toldMs = tsMs[told];
  const labelAt = (each: TimeSeries, index: number): string => {
    const value = each.values[index] ?? null;
    return value === null ? each.label : (each.reading?.(value).label ?? each.label);
  };
  const spokenAt = (index: number): string => {
    const values = series
      .filter((each) => !hidden.has(each.key))
      .flatMap((each) => {
        const value = each.values[index] ?? null;
        if (value === null) return [];
        const { label, quantity } = each.reading?.(value) ?? { label: each.label, quantity: each.quantity(value) };
        return [`${label} ${joinQuantity(quantity)}`];
      });
    const moment = tsMs[index];
    return `${moment === undefined ? '' : format.time(moment, timeZone)}: ${values.join(', ') || t('charts.notMeasured')}`;
  };

  const lines: ChartLines = {
    series,
    hidden,
    disabled: asTable,
    onToggle: (key) => {
      keepFocus(key);
      toggle(key);
    },
  };

  return (
    <figure ref={figure} className={styles.figure}>
      <ChartReading
        {...lines}
        told={told}
        moment={toldMs === undefined ? '' : format.time(toldMs, timeZone)}
        isReading={cursor !== null}
        labelAt={labelAt}
      />
      <div className={styles.stage} hidden={asTable}>
        <div
          ref={host}
          className={styles.plot}
          role="slider"
          tabIndex={0}
          aria-label={summary}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, tsMs.length - 1)}
          aria-valuenow={Math.max(0, told)}
          aria-valuetext={spokenAt(told)}
          onKeyDown={step}
          onBlur={() => pinned === null && moveTo(null)}
        />
      </div>
      {!asTable && marks.length > 0 && frame.widthPx > 0 && (
        <ChartMarks
          marks={marks}
          startMs={startMs}
          endMs={endMs}
          {...frame}
          chosen={marks.find(({ key }) => key === chosen)}
          onChoose={(mark) => setChosen(mark?.key)}
        />
      )}
      {asTable && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus
        <section className={styles.tableBox} id={tableId} tabIndex={0} aria-label={t('charts.table')}>
          <ChartTable
            tsMs={tsMs}
            series={series}
            time={(each) => format.time(each, timeZone)}
            timeLabel={t('charts.time')}
          />
        </section>
      )}
      <OtherLines {...lines}>
        <button type="button" className={styles.switch} aria-expanded={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? t('charts.asChart') : t('charts.asTable')}
        </button>
      </OtherLines>
    </figure>
  );
}
