import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { addDays, localDay, startOfLocalDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './counter-chart.module.css';

export type CounterPoint = readonly [tsMs: number, rawWh: number | null, joinedWh: number | null];

/** A place of the chart with the number under which the list tells of it. */
export interface NumberedMark {
  readonly number: number;
  readonly kind: 'joint' | 'outlier' | 'gap' | 'correction';
  readonly fromMs: number;
  readonly toMs: number;
  readonly label: string;
  readonly chosen: boolean;
  readonly choose: () => void;
}

interface CounterChartProps {
  points: readonly CounterPoint[];
  startMs: number;
  endMs: number;
  timeZone: string;
  marks: readonly NumberedMark[];
  /** The span that is marked. */
  span: { fromMs: number; toMs: number } | undefined;
  onSpan: (fromMs: number, toMs: number) => void;
  summary: string;
  labels: { joined: string; raw: string; span: string };
}

const HEIGHT = 300;
const LEFT = 62;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 26;
const DAY_LABEL = 74;
const MARK = 28;
const LEAST_DRAG = 4;
const STEPS = [1, 2, 2.5, 5, 10];

/** Round values that cover a range with at most six steps. */
export function ticksOf(low: number, high: number): number[] {
  const range = Math.max(high - low, 1);
  const power = 10 ** Math.floor(Math.log10(range / 6));
  const step = power * (STEPS.find((factor) => range / (factor * power) <= 5) ?? 10);
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
}

/** A counter as it is joined, thick, over what its device told, dashed; marks stand under it. A span is marked by dragging. */
export function CounterChart(props: CounterChartProps): ReactNode {
  const { points, startMs, endMs, timeZone, marks, span, onSpan, summary, labels } = props;
  const format = useFormat();
  const host = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  const [drag, setDrag] = useState<{ fromX: number; toX: number }>();
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(240, Math.round(entry?.contentRect.width ?? 640))),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const innerWidth = width - LEFT - RIGHT;
  const xOf = (tsMs: number): number =>
    LEFT + ((Math.min(endMs, Math.max(startMs, tsMs)) - startMs) / (endMs - startMs)) * innerWidth;
  const msOf = (x: number): number => startMs + ((x - LEFT) / innerWidth) * (endMs - startMs);
  const values = points.flatMap(([, raw, joined]) => [raw, joined]).filter((value) => value !== null);
  const kWh = values.map((wh) => wh / 1_000);
  const ticks = ticksOf(Math.min(...kWh, Number.POSITIVE_INFINITY), Math.max(...kWh, Number.NEGATIVE_INFINITY));
  const [low = 0] = ticks;
  const high = ticks.at(-1) ?? 1;
  const decimals = high - low < 10 ? 1 : 0;
  const yOf = (wh: number): number => HEIGHT - BOTTOM - ((wh / 1_000 - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const pathOf = (place: 1 | 2): string => {
    let path = '';
    let isOpen = false;
    for (const point of points) {
      const value = point[place];
      if (value === null) isOpen = false;
      else {
        path += `${isOpen ? 'L' : 'M'}${xOf(point[0]).toFixed(1)} ${yOf(value).toFixed(1)}`;
        isOpen = true;
      }
    }
    return path;
  };

  const place = (event: PointerEvent): number => {
    const left = event.currentTarget.getBoundingClientRect().left;
    return Math.min(width - RIGHT, Math.max(LEFT, event.clientX - left));
  };
  const shownSpan = drag ? { from: Math.min(drag.fromX, drag.toX), to: Math.max(drag.fromX, drag.toX) } : undefined;
  const marked = span && span.toMs > startMs && span.fromMs < endMs ? span : undefined;
  return (
    <div ref={host} className={styles.host}>
      <svg
        className={styles.plot}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={summary}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const x = place(event);
          setDrag({ fromX: x, toX: x });
        }}
        onPointerMove={(event) => drag && setDrag({ ...drag, toX: place(event) })}
        onPointerUp={() => {
          if (drag && Math.abs(drag.toX - drag.fromX) >= LEAST_DRAG) onSpan(msOf(drag.fromX), msOf(drag.toX));
          setDrag(undefined);
        }}
        onPointerCancel={() => setDrag(undefined)}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line className={styles.grid} x1={LEFT} x2={width - RIGHT} y1={yOf(tick * 1_000)} y2={yOf(tick * 1_000)} />
            <text className={styles.axis} x={LEFT - 8} y={yOf(tick * 1_000) + 4} textAnchor="end">
              {format.number(tick, decimals)}
            </text>
          </g>
        ))}
        {dayTicks(startMs, endMs, timeZone, innerWidth).map((tsMs) => (
          <text key={tsMs} className={styles.axis} x={xOf(tsMs)} y={HEIGHT - 8}>
            {dayText(tsMs, timeZone, format.locale)}
          </text>
        ))}
        {marks.map(({ number, kind, fromMs, toMs, chosen }) => (
          <rect
            key={number}
            className={styles.area}
            data-kind={kind}
            data-chosen={chosen || undefined}
            x={xOf(fromMs)}
            y={TOP}
            width={Math.max(1.5, xOf(toMs) - xOf(fromMs))}
            height={HEIGHT - TOP - BOTTOM}
          />
        ))}
        <path className={styles.raw} d={pathOf(1)} />
        <path className={styles.joined} d={pathOf(2)} />
        {(shownSpan ?? marked) && (
          <rect
            className={styles.span}
            x={shownSpan?.from ?? xOf(marked?.fromMs ?? 0)}
            y={TOP}
            width={Math.max(
              2,
              shownSpan ? shownSpan.to - shownSpan.from : xOf(marked?.toMs ?? 0) - xOf(marked?.fromMs ?? 0),
            )}
            height={HEIGHT - TOP - BOTTOM}
          />
        )}
      </svg>
      {marks.length > 0 && (
        <div className={styles.lane}>
          {laneOf(marks, xOf, width).map(({ mark, left }) => (
            <button
              key={mark.number}
              type="button"
              style={{ insetInlineStart: left }}
              data-kind={mark.kind}
              aria-pressed={mark.chosen}
              aria-label={`${mark.number}: ${mark.label}`}
              onClick={mark.choose}
            >
              {mark.number}
            </button>
          ))}
        </div>
      )}
      <ul className={styles.legend} aria-hidden="true">
        <li data-line="joined">{labels.joined}</li>
        <li data-line="raw">{labels.raw}</li>
        {marked && <li data-line="span">{labels.span}</li>}
      </ul>
    </div>
  );
}

/** Where the numbers stand: under their place, and none over another. */
function laneOf(
  marks: readonly NumberedMark[],
  xOf: (tsMs: number) => number,
  width: number,
): { mark: NumberedMark; left: number }[] {
  let from = 0;
  const most = width - MARK;
  const placed = marks.map((mark) => {
    const left = Math.max(from, (xOf(mark.fromMs) + xOf(mark.toMs)) / 2 - MARK / 2);
    from = left + MARK;
    return { mark, left };
  });
  const beyond = Math.max(0, (placed.at(-1)?.left ?? 0) - most);
  return placed.map(({ mark, left }) => ({ mark, left: Math.max(0, left - beyond) }));
}

function dayTicks(startMs: number, endMs: number, timeZone: string, width: number): number[] {
  const days = (endMs - startMs) / 86_400_000;
  const step = Math.max(1, Math.ceil((days * DAY_LABEL) / width));
  const ticks: number[] = [];
  for (let day = localDay(startMs, timeZone); ; day = addDays(day, step)) {
    const tsMs = startOfLocalDay(day, timeZone);
    if (tsMs >= endMs) return ticks;
    ticks.push(tsMs);
  }
}

const dayText = (tsMs: number, timeZone: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone }).format(tsMs);
