import { type KeyboardEvent, type ReactNode, use, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { joinQuantity, NOT_MEASURED, type Quantity } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import { resolveColour, useThemeVersion } from './chart-colours.ts';
import tipStyles from './chart-tip.module.css';
import { hourTicks, tickHours } from './time-axis.ts';
import styles from './time-chart.module.css';
import { valueRange, valueSplits } from './value-axis.ts';

let fetched: Promise<{ default: typeof uPlot }> | undefined;

/** What draws comes beside the data of a chart, and not with the screen around it. */
function fetchPlot(): Promise<{ default: typeof uPlot }> {
  fetched ??= import('uplot');
  fetched.catch(() => {
    fetched = undefined;
  });
  return fetched;
}
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
}

export interface ChartScale {
  readonly name: string;
  /** Its values can lie on either side of zero: there is room below it from the beginning. */
  readonly bothWays?: boolean;
  /** Runs from zero to this, on the zero line of the first scale. */
  readonly fullAt?: number;
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
}

interface Cursor {
  index: number;
  leftPx: number;
}

const NO_DASH: number[] = [];
const NARROW_PX = 420;
const NARROW_LABEL_PX = 44;
const LABEL_PX = 76;

/** Curves over a span of plant-local time. Gaps stay open; the cursor names all values; a table says the same. */
export function TimeChart(props: TimeChartProps): ReactNode {
  const { tsMs, startMs, endMs, timeZone, series, scales, summary, heightPx = 300 } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { default: Plot } = use(fetchPlot());
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
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
  const scalesKey = scales.map((scale) => `${scale.name}:${scale.bothWays}:${scale.fullAt}`).join('|');

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
              const step = tickHours(endMs - startMs, widthPx, widthPx < NARROW_PX ? NARROW_LABEL_PX : LABEL_PX);
              return hourTicks(startMs, endMs, timeZone, step).map((each) => each / 1000);
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
              points: { show: false },
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
              const offset = self.over.offsetLeft;
              setCursor(
                idx === null || idx === undefined || left === undefined || left < 0
                  ? null
                  : { index: idx, leftPx: left + offset },
              );
            },
          ],
          drawAxes: [(self) => drawZeroLine(self, scales[0], muted)],
        },
      },
      latest.current,
      element,
    );
    plot.current = made;
    const stopFollowing = followFinger(made, element);
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

  const toggle = (key: string): void => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    setHidden(next);
    plot.current?.setSeries(series.findIndex((each) => each.key === key) + 1, { show: !next.has(key) });
  };

  const step = (event: KeyboardEvent): void => {
    const move = { ArrowLeft: -1, ArrowRight: 1, PageUp: -12, PageDown: 12 }[event.key];
    const self = plot.current;
    if (event.key === 'Escape') self?.setCursor({ left: -10, top: -10 });
    if (move === undefined || !self) return;
    event.preventDefault();
    const from = cursor?.index ?? (move > 0 ? -1 : tsMs.length);
    const index = Math.min(tsMs.length - 1, Math.max(0, from + move));
    const at = tsMs[index];
    if (at !== undefined) self.setCursor({ left: self.valToPos(at / 1000, 'x'), top: 0 });
  };

  const at = cursor === null ? undefined : tsMs[cursor.index];
  const told = cursor?.index ?? newestIndex(series);
  const toldMs = tsMs[told];

  return (
    <figure className={styles.figure}>
      <div className={styles.stage} hidden={asTable}>
        {/* biome-ignore lint/a11y/useSemanticElements: a canvas with a cursor has no element of its own */}
        <div
          ref={host}
          className={styles.plot}
          role="group"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the cursor is moved by arrow keys
          tabIndex={0}
          aria-label={summary}
          onKeyDown={step}
          onBlur={() => plot.current?.setCursor({ left: -10, top: -10 })}
        />
        {cursor && at !== undefined && (
          <div
            className={tipStyles.tip}
            role="status"
            data-side={cursor.leftPx > (host.current?.clientWidth ?? 0) / 2 ? 'left' : 'right'}
            style={{ ['--tip-x' as string]: `${cursor.leftPx}px` }}
          >
            <div className={tipStyles.box}>
              <strong>{format.time(at, timeZone)}</strong>
              <dl>
                {series
                  .filter((each) => !hidden.has(each.key))
                  .map((each) => (
                    <div key={each.key}>
                      <dt>
                        <Swatch series={each} />
                        {each.label}
                      </dt>
                      <dd>
                        <Value series={each} index={cursor.index} />
                      </dd>
                    </div>
                  ))}
              </dl>
            </div>
          </div>
        )}
      </div>
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
      <figcaption className={styles.legend}>
        <strong className={styles.moment} aria-hidden="true" data-reading={cursor !== null || undefined}>
          {toldMs !== undefined && format.time(toldMs, timeZone)}
        </strong>
        {series.map((each) => (
          <button
            key={each.key}
            type="button"
            aria-pressed={!hidden.has(each.key)}
            onClick={() => toggle(each.key)}
            disabled={asTable}
          >
            <Swatch series={each} />
            <span>{each.label}</span>
            <span className={styles.value} aria-hidden="true">
              {hidden.has(each.key) ? NOT_MEASURED : <Value series={each} index={told} />}
            </span>
          </button>
        ))}
        <button type="button" className={styles.switch} aria-expanded={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? t('charts.asChart') : t('charts.asTable')}
        </button>
      </figcaption>
    </figure>
  );
}

/** The last moment that most series have a value of: what is only expected runs on to the end of the day. */
function newestIndex(series: readonly TimeSeries[]): number {
  const lasts = series.map((each) => each.values.findLastIndex((value) => value !== null)).toSorted((a, b) => a - b);
  return lasts[Math.floor((lasts.length - 1) / 2)] ?? -1;
}

/** The cursor goes with a finger and stays where it is lifted, until another place is touched. */
function followFinger(plot: uPlot, element: HTMLElement): () => void {
  const follow = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse') return;
    const { left, width } = plot.over.getBoundingClientRect();
    plot.setCursor({ left: Math.min(width, Math.max(0, event.clientX - left)), top: 0 });
  };
  const chart = element.closest('figure') ?? element;
  const leave = ({ target, pointerType }: PointerEvent): void => {
    if (pointerType === 'mouse' || (target instanceof Node && chart.contains(target))) return;
    plot.setCursor({ left: -10, top: -10 });
  };
  element.addEventListener('pointerdown', follow);
  element.addEventListener('pointermove', follow);
  document.addEventListener('pointerdown', leave);
  return () => {
    element.removeEventListener('pointerdown', follow);
    element.removeEventListener('pointermove', follow);
    document.removeEventListener('pointerdown', leave);
  };
}

/** A scale that is full at a value has its zero where the first scale has it, whatever that one shows. */
function placed({ name, fullAt, bothWays = false }: ChartScale, first: ChartScale | undefined): uPlot.Scale {
  if (fullAt === undefined) return { range: (_, min, max) => valueRange(min ?? 0, max ?? 0, bothWays) };
  if (first === undefined || first.name === name) return { range: [0, fullAt] };
  return { from: first.name, range: (_, min, max) => [(fullAt * (min ?? 0)) / (max ?? fullAt), fullAt] };
}

function drawZeroLine(self: uPlot, scale: ChartScale | undefined, stroke: string): void {
  if (!scale) return;
  const { min } = self.scales[scale.name] ?? {};
  if (min === undefined || min >= 0) return;
  const y = Math.round(self.valToPos(0, scale.name, true));
  const { ctx, bbox } = self;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.globalAlpha = 0.6;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

function Value({ series, index }: { series: TimeSeries; index: number }): ReactNode {
  const { t } = useTranslation();
  const value = series.values[index] ?? null;
  if (value === null) return <abbr title={t('charts.notMeasured')}>{NOT_MEASURED}</abbr>;
  return joinQuantity(series.quantity(value));
}

function Swatch({ series }: { series: TimeSeries }): ReactNode {
  return (
    <svg className={styles.swatch} width="20" height="10" aria-hidden="true">
      {series.filled && <rect x="0" y="5" width="20" height="5" style={{ fill: series.colour, opacity: 0.25 }} />}
      <line
        x1="1"
        y1="5"
        x2="19"
        y2="5"
        style={{ stroke: series.colour }}
        strokeWidth="2.2"
        strokeDasharray={series.dash?.join(' ')}
      />
    </svg>
  );
}

interface ChartTableProps {
  tsMs: readonly number[];
  series: readonly TimeSeries[];
  time: (tsMs: number) => string;
  timeLabel: string;
}

function ChartTable({ tsMs, series, time, timeLabel }: ChartTableProps): ReactNode {
  const rows = tsMs
    .map((each, index) => ({ each, values: series.map((one) => one.values[index] ?? null) }))
    .filter((row) => row.values.some((value) => value !== null));
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{timeLabel}</th>
          {series.map((one) => (
            <th key={one.key} scope="col">
              {one.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ each, values }) => (
          <tr key={each}>
            <th scope="row">{time(each)}</th>
            {series.map((one, index) => (
              <td key={one.key}>{joinQuantity(one.quantity(values[index] ?? null))}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
