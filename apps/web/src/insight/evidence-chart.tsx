import type { DayEvidence } from '@sonnenwarte/contract/insight/evidence';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './evidence.module.css';

/** Drawn as wide as it is shown, so that its texts keep their size. */
const SIZE = { desk: { width: 700, height: 250 }, phone: { width: 360, height: 210 } } as const;
const LEFT = 34;
const BOTTOM = 22;
const TOP = 8;
const HOUR_MS = 3_600_000;
/** An hour closer to the right edge has no room to be written. */
const EDGE_MS = HOUR_MS / 2;
/** Lines of the grid. */
const STEP = 0.2;

type Point = readonly [x: number, y: number];

interface EvidenceChartProps {
  told: DayEvidence;
}

/** The curve of a plant against what it could have given, with the hours marked in which it gave less. */
export function EvidenceChart({ told }: EvidenceChartProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { width, height } = useIsPhone() ? SIZE.phone : SIZE.desk;
  const { curve, name, ianaTimezone } = told;
  const { startMs, stepMs, actual, expected, low, high, clear, kept } = curve;
  const lit = clear.flatMap((value, at) => ((value ?? 0) > 0 || (actual[at] ?? 0) > 0 ? [at] : []));
  const first = Math.max(0, (lit[0] ?? 0) - 6);
  const last = Math.min(actual.length - 1, (lit.at(-1) ?? actual.length - 1) + 6);
  const isBand = expected.some((value) => value !== null);
  const top = Math.max(
    STEP,
    Math.ceil(Math.max(...[...actual, ...kept, ...(isBand ? high : clear)].map((value) => value ?? 0)) / STEP) * STEP,
  );
  const x = (at: number): number => LEFT + ((at - first) * (width - LEFT - 4)) / Math.max(1, last - first);
  const y = (value: number): number => height - BOTTOM - (value / top) * (height - BOTTOM - TOP);
  const within = <T,>(list: readonly T[]): [T, number][] =>
    list.map((value, at): [T, number] => [value, at]).slice(first, last + 1);
  const peak = Math.max(0, ...actual.map((value) => value ?? 0));
  const spans = markedSpans(told);
  const placeOf = (ms: number): number => Math.min(last, Math.max(first, (ms - startMs) / stepMs));
  const lines = Array.from({ length: Math.round(top / STEP) + 1 }, (_, at) => at * STEP);
  return (
    <svg
      className={styles.chart}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t('insight.evidence.chart', { name, value: format.number(peak, 2) })}
    >
      {lines.map((value) => (
        <g key={value}>
          <line className={styles.grid} x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
          <text x={LEFT - 6} y={y(value) + 4} textAnchor="end">
            {format.number(value, 1)}
          </text>
        </g>
      ))}
      {hoursWithin(startMs + first * stepMs, startMs + last * stepMs - EDGE_MS, width < SIZE.desk.width ? 4 : 7).map(
        (ms) => (
          <text key={ms} x={x((ms - startMs) / stepMs)} y={height - 6} textAnchor="middle">
            {format.time(ms, ianaTimezone)}
          </text>
        ),
      )}
      {spans.map(({ fromMs, untilMs }) => (
        <rect
          key={`${fromMs} ${untilMs}`}
          className={styles.marked}
          x={x(placeOf(fromMs))}
          width={Math.max(1, x(placeOf(untilMs)) - x(placeOf(fromMs)))}
          y={TOP}
          height={height - BOTTOM - TOP}
        />
      ))}
      {isBand && <polygon className={styles.band} points={bandOf(within(low), within(high))} />}
      {runsOf(within(isBand ? expected : clear)).map((run) => (
        <polyline key={run[0]?.[0]} className={isBand ? styles.expected : styles.clear} points={pointsOf(run)} />
      ))}
      {lossRuns().map(({ from, upper, lower }) => (
        <g key={from}>
          <polygon className={styles.lack} points={pointsOf([...upper, ...lower.toReversed()])} />
          <polyline className={styles.kept} points={pointsOf(upper)} />
        </g>
      ))}
      {runsOf(within(actual)).map((run) => (
        <polyline key={run[0]?.[0]} className={styles.own} points={pointsOf(run)} />
      ))}
    </svg>
  );

  /** Where reasons took something: from the curve up to what it would have been without them. */
  function lossRuns(): { from: number; upper: Point[]; lower: Point[] }[] {
    const runs: { from: number; upper: Point[]; lower: Point[] }[] = [];
    let last = Number.NEGATIVE_INFINITY;
    for (const [value, at] of within(kept)) {
      const is = actual[at] ?? null;
      if (value === null || is === null || value <= is) continue;
      if (at !== last + 1) runs.push({ from: at, upper: [], lower: [] });
      runs.at(-1)?.upper.push([x(at), y(value)]);
      runs.at(-1)?.lower.push([x(at), y(is)]);
      last = at;
    }
    return runs;
  }

  function bandOf(lower: readonly [number | null, number][], upper: readonly [number | null, number][]): string {
    const edge = (list: readonly [number | null, number][]): Point[] =>
      list.flatMap(([value, at]) => (value === null ? [] : [[x(at), y(value)] as const]));
    return pointsOf([...edge(upper), ...edge(lower).toReversed()]);
  }

  /** Lines between what is known: gaps stay open. */
  function runsOf(list: readonly [number | null, number][]): Point[][] {
    const runs: Point[][] = [];
    let open: Point[] | undefined;
    for (const [value, at] of list) {
      if (value === null) {
        open = undefined;
        continue;
      }
      if (open === undefined) {
        open = [];
        runs.push(open);
      }
      open.push([x(at), y(value)]);
    }
    return runs;
  }
}

/** Hours of reasons of which the loss is not drawn, since it is not known or nothing. */
export const markedSpans = ({ reasons }: DayEvidence): DayEvidence['reasons'][number]['spans'] =>
  reasons.filter(({ lossWh }) => lossWh === null || lossWh === 0).flatMap(({ spans }) => spans);

const pointsOf = (points: readonly Point[]): string =>
  points.map(([left, top]) => `${left.toFixed(1)},${top.toFixed(1)}`).join(' ');

/** So many hours of a span at most to be written below it. */
function hoursWithin(fromMs: number, toMs: number, most: number): number[] {
  const stepMs = Math.max(2, Math.ceil((toMs - fromMs) / HOUR_MS / most)) * HOUR_MS;
  const begin = Math.ceil(fromMs / HOUR_MS) * HOUR_MS;
  const hours: number[] = [];
  for (let ms = begin; ms <= toMs; ms += stepMs) hours.push(ms);
  return hours;
}
