import { type KeyboardEvent, type ReactNode, use, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import 'uplot/dist/uPlot.min.css';
import { resolveColour, useThemeVersion } from '../charts/chart-colours.ts';
import { fetchPlot } from '../charts/chart-parts.ts';
import { useFormat } from '../format/use-format.ts';
import type { CurveData } from './curves.ts';
import { followGestures } from './gestures.ts';
import { type DrawnCurve, LanePlots, RIGHT_PX, TIME_PX } from './lane-plots.ts';
import { isWhole, type Lane, laneHeights, lanesOf, type Window, within, zoomed } from './lanes.ts';
import { MarkLines, MarksTrack, type PlotMark } from './marks-track.tsx';
import styles from './plot.module.css';
import { COMPARED_DASH, type CurveLook } from './shown-look.ts';
import type { TimeTexts } from './time-text.ts';
import type { ShownCurve } from './use-analysis.ts';

fetchPlot();

const WIDTH_PX = 1.6;
const COMPARED_PX = 1;
const GROUND = 13;

export interface AnalysisPlotProps {
  curves: readonly ShownCurve[];
  looks: ReadonlyMap<string, CurveLook>;
  compared: ReadonlyMap<string, CurveData>;
  whole: Window;
  part: Window;
  times: TimeTexts;
  /** What is read; null where nothing is pointed at. */
  cursorMs: number | null;
  marks: readonly PlotMark[];
  /** Parts of the time whose ground is tinted. */
  tinted?: readonly Window[];
  /** Where the axis leaves out a time. */
  breaks?: readonly number[];
  chosenMark: string | undefined;
  /** The curve that is drawn thicker. */
  stressed: string | undefined;
  heightPx: number;
  axisPx: number;
  /** Values of an axis. */
  valueLabels: (unit: string, values: readonly number[]) => string[];
  unitOf: (unit: string) => string;
  /** What the plot says, in a sentence, for who does not see it. */
  summary: string;
  /** The values at a moment, spoken. */
  spoken: string;
  onPoint: (tsMs: number | null) => void;
  onPart: (part: Window) => void;
  onKey: (event: KeyboardEvent) => void;
  onMark: (key: string | undefined) => void;
  /** Gives who draws pictures the plots; nothing once they are gone. */
  onPlots: (plots: LanePlots | undefined) => void;
}

/** Lanes of curves over one axis of time, with marks above them and a cursor that goes through all of them. */
export function AnalysisPlot(props: AnalysisPlotProps): ReactNode {
  const { curves, looks, compared, whole, part, times, cursorMs, marks, stressed, heightPx, axisPx } = props;
  const { default: Plot } = use(fetchPlot());
  const format = useFormat();
  const theme = useThemeVersion();
  const host = useRef<HTMLDivElement>(null);
  const over = useRef<HTMLDivElement>(null);
  const plots = useRef<LanePlots>(undefined);
  const [drawing, setDrawing] = useState<{ from: number; to: number } | null>(null);
  const [widthPx, setWidthPx] = useState(0);
  const latest = useRef(props);
  latest.current = props;

  const lanes = useMemo(() => lanesOf(curves), [curves]);
  const isCompared = compared.size > 0;
  const built = `${lanes.map((lane) => `${lane.unit}:${lane.curves.map(({ key }) => key).join()}`).join('|')}|${isCompared}`;

  /** Colours as a canvas takes them, found out once for the plots that are built with them. */
  const colours = useRef(new Map<string, string>());
  const drawnLanes = (): Lane<DrawnCurve>[] => {
    const element = host.current ?? document.body;
    const inked = (expression: string): string => {
      const known = colours.current.get(expression) ?? resolveColour(expression, element);
      colours.current.set(expression, known);
      return known;
    };
    return lanes.map(({ unit, curves: inLane }, lane) => ({
      unit,
      curves: [
        ...inLane.map((curve, place): DrawnCurve => {
          const { colour, dash } = looks.get(curve.key) ?? { colour: 'var(--ink)', dash: [] };
          const isGround = lane === 0 && place === 0;
          return {
            key: curve.key,
            unit,
            timesMs: curve.timesMs,
            values: curve.values,
            stroke: inked(colour),
            dash,
            widthPx: WIDTH_PX,
            ...(isGround && { fill: inked(`color-mix(in oklab, ${colour} ${GROUND}%, transparent)`) }),
          };
        }),
        ...(isCompared
          ? inLane.map((curve): DrawnCurve => {
              const other = compared.get(curve.key) ?? { timesMs: [], values: [] };
              const { colour } = looks.get(curve.key) ?? { colour: 'var(--ink)' };
              return {
                ...other,
                key: `${curve.key} compared`,
                unit,
                stroke: inked(`color-mix(in oklab, ${colour} 80%, var(--ink))`),
                dash: COMPARED_DASH,
                widthPx: COMPARED_PX,
              };
            })
          : []),
      ],
    }));
  };

  /** What the plots show: they are drawn anew only for what is not there yet, and for all of it at once. */
  const drawn = useRef<Pick<AnalysisPlotProps, 'curves' | 'compared' | 'part'>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what the plots are built from; samples are told below
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null || lanes.length === 0) return;
    colours.current.clear();
    const muted = resolveColour('var(--muted)', element);
    const made = new LanePlots(
      Plot,
      element,
      drawnLanes(),
      {
        grid: resolveColour('var(--analysis-grid)', element),
        muted,
        font: `11px ${getComputedStyle(element).fontFamily}`,
        axisPx,
        heightPx,
        ticks: times.ticks,
        tickLabels: times.tickLabels,
        // They follow the samples, which come after the plots.
        valueLabels: (unit, values) => latest.current.valueLabels(unit, values),
      },
      latest.current.part,
      styles.dot ?? '',
    );
    plots.current = made;
    drawn.current = { curves, compared, part: latest.current.part };
    setWidthPx(made.widthPx);
    made.point(latest.current.cursorMs);
    latest.current.onPlots(made);
    const observer = new ResizeObserver(() => {
      made.resize();
      setWidthPx(made.widthPx);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plots.current = undefined;
      latest.current.onPlots(undefined);
    };
  }, [built, heightPx, axisPx, times, theme, format]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: lanes follow the curves
  useLayoutEffect(() => {
    const before = drawn.current;
    drawn.current = { curves, compared, part };
    if (before?.curves !== curves || before.compared !== compared) plots.current?.tell(drawnLanes(), part);
    else if (before.part.fromMs !== part.fromMs || before.part.toMs !== part.toMs) plots.current?.show(part);
  }, [built, curves, compared, part.fromMs, part.toMs]);
  useLayoutEffect(() => plots.current?.point(cursorMs), [cursorMs]);
  useEffect(() => plots.current?.stress(stressed), [stressed]);

  useEffect(() => {
    const element = over.current;
    if (element === null) return;
    return followGestures(element, {
      part: () => latest.current.part,
      point: (tsMs) => latest.current.onPoint(tsMs),
      drawing: setDrawing,
      choose: (chosen) => latest.current.onPart(within(chosen, latest.current.whole)),
      zoom: (factor, aroundMs, from = latest.current.part) =>
        latest.current.onPart(zoomed(from, factor, aroundMs, latest.current.whole)),
      reset: () => latest.current.onPart(latest.current.whole),
    });
  }, []);

  const plotPx = Math.max(0, widthPx - axisPx - RIGHT_PX);
  const leftOf = (tsMs: number): number => ((tsMs - part.fromMs) / (part.toMs - part.fromMs)) * plotPx;
  const heights = laneHeights(lanes.length, heightPx - TIME_PX);
  const isIn = cursorMs !== null && cursorMs >= part.fromMs && cursorMs <= part.toMs;

  return (
    <div className={styles.stage} data-zoomed={!isWhole(part, whole) || undefined}>
      <MarksTrack
        marks={marks}
        part={part}
        leftPx={axisPx}
        widthPx={plotPx}
        chosen={props.chosenMark}
        onChoose={props.onMark}
      />
      <div className={styles.plots} style={{ height: heightPx }}>
        <div ref={host} className={styles.lanes} aria-hidden="true" />
        {lanes.map(({ unit, curves: inLane }, place) => (
          <div
            key={unit}
            className={styles.laneName}
            aria-hidden="true"
            style={{
              insetInlineStart: axisPx + 8,
              maxWidth: Math.max(0, plotPx - 16),
              top: heights.slice(0, place).reduce((sum, each) => sum + each, 4),
            }}
          >
            {[...new Set(inLane.map(({ label }) => label))].join(', ')} <small>{props.unitOf(unit)}</small>
          </div>
        ))}
        <div
          ref={over}
          className={styles.over}
          style={{ insetInlineStart: axisPx, width: plotPx, height: heightPx - TIME_PX }}
          role="slider"
          tabIndex={0}
          aria-label={props.summary}
          aria-valuemin={0}
          aria-valuemax={Math.round((whole.toMs - whole.fromMs) / 1_000)}
          aria-valuenow={Math.round(((cursorMs ?? whole.toMs) - whole.fromMs) / 1_000)}
          aria-valuetext={props.spoken}
          onKeyDown={props.onKey}
        >
          {props.tinted?.map(({ fromMs, toMs }) => (
            <i
              key={fromMs}
              data-drawn
              className={styles.tinted}
              style={{ insetInlineStart: leftOf(fromMs), width: Math.max(1, leftOf(toMs) - leftOf(fromMs)) }}
            />
          ))}
          {props.breaks
            ?.filter((tsMs) => tsMs > part.fromMs && tsMs < part.toMs)
            .map((tsMs) => (
              <i key={tsMs} className={styles.break} style={{ insetInlineStart: leftOf(tsMs) }} />
            ))}
          <MarkLines marks={marks} part={part} widthPx={plotPx} />
          {drawing !== null && (
            <i
              className={styles.drawing}
              style={{ insetInlineStart: drawing.from * plotPx, width: (drawing.to - drawing.from) * plotPx }}
            />
          )}
          {isIn && <i className={styles.cursor} style={{ insetInlineStart: leftOf(cursorMs) }} />}
        </div>
        {isIn && (
          <span
            className={styles.moment}
            aria-hidden="true"
            style={{ insetInlineStart: axisPx + Math.min(plotPx - 62, Math.max(62, leftOf(cursorMs))) }}
          >
            {times.moment(cursorMs, part)}
          </span>
        )}
      </div>
    </div>
  );
}
