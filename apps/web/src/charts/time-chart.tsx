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
  readonly range?: readonly [number, number];
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
  const scalesKey = scales.map((scale) => `${scale.name}:${scale.range?.join() ?? ''}`).join('|');

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
          ...Object.fromEntries(scales.map((scale) => [scale.name, { range: rangeOf(scale) }])),
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
              ...(scale.splits && {
                splits: (_, __, min, max) =>
                  scale.splits?.(min, max).filter((each) => each >= min && each <= max) ?? [],
              }),
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

  const shown = series.filter((each) => !hidden.has(each.key));
  const at = cursor === null ? undefined : tsMs[cursor.index];

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
                {shown.map((each) => (
                  <Value
                    key={each.key}
                    series={each}
                    value={each.values[cursor.index] ?? null}
                    absent={t('charts.notMeasured')}
                  />
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
        {series.map((each) => (
          <button
            key={each.key}
            type="button"
            aria-pressed={!hidden.has(each.key)}
            onClick={() => toggle(each.key)}
            disabled={asTable}
          >
            <Swatch series={each} />
            {each.label}
          </button>
        ))}
        <button type="button" className={styles.switch} aria-expanded={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? t('charts.asChart') : t('charts.asTable')}
        </button>
      </figcaption>
    </figure>
  );
}

/** The cursor goes with a finger and stays where it is lifted, until another place is touched. */
function followFinger(plot: uPlot, element: HTMLElement): () => void {
  const follow = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse') return;
    const { left, width } = plot.over.getBoundingClientRect();
    plot.setCursor({ left: Math.min(width, Math.max(0, event.clientX - left)), top: 0 });
  };
  const leave = ({ target, pointerType }: PointerEvent): void => {
    if (pointerType === 'mouse' || (target instanceof Node && element.contains(target))) return;
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

function rangeOf(scale: ChartScale): uPlot.Scale.Range {
  if (scale.range) return [...scale.range] as [number, number];
  return (_, min, max) => {
    const low = Math.min(0, min ?? 0);
    const high = Math.max(max ?? 0, low === 0 ? 1 : 0);
    const splits = scale.splits?.(low, high) ?? [low, high];
    return [splits[0] ?? low, splits.at(-1) ?? high];
  };
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

function Value({ series, value, absent }: { series: TimeSeries; value: number | null; absent: string }): ReactNode {
  return (
    <div>
      <dt>
        <Swatch series={series} />
        {series.label}
      </dt>
      <dd>{value === null ? <abbr title={absent}>{NOT_MEASURED}</abbr> : joinQuantity(series.quantity(value))}</dd>
    </div>
  );
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
