import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { resolveColour, useThemeVersion } from '../charts/chart-colours.ts';
import { type CurveData, placeAt } from './curves.ts';
import { laneRange, type Window, within } from './lanes.ts';
import styles from './plot.module.css';

const HEIGHT_PX = 40;
/** How far a key moves a handle. */
const KEY_SHARE = 0.02;

type Held = 'begin' | 'end' | 'both';

interface OverviewStripProps {
  curve: (CurveData & { readonly unit: string }) | undefined;
  colour: string;
  whole: Window;
  part: Window;
  leftPx: number;
  rightPx: number;
  moment: (tsMs: number) => string;
  onPart: (part: Window) => void;
}

/** All of the time with the part of it that is shown: its handles make it longer or shorter, what is between them moves it. */
export function OverviewStrip(props: OverviewStripProps): ReactNode {
  const { curve, colour, whole, part, leftPx, rightPx, moment, onPart } = props;
  const { t } = useTranslation();
  const theme = useThemeVersion();
  const canvas = useRef<HTMLCanvasElement>(null);
  const strip = useRef<HTMLDivElement>(null);
  const held = useRef<{ what: Held; part: Window; x: number }>(undefined);
  const lengthMs = whole.toMs - whole.fromMs;
  const shareOf = (tsMs: number): number => (tsMs - whole.fromMs) / lengthMs;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the colour is
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const paint = (): void => drawGround(element, curve, resolveColour(colour, element), whole);
    const observer = new ResizeObserver(paint);
    observer.observe(element);
    return () => observer.disconnect();
  }, [curve, colour, whole.fromMs, whole.toMs, theme]);

  const moved = (what: Held, from: Window, byMs: number): void => {
    if (what === 'both') {
      onPart(within({ fromMs: from.fromMs + byMs, toMs: from.toMs + byMs }, whole));
      return;
    }
    const [fromMs, toMs] =
      what === 'begin'
        ? [Math.max(whole.fromMs, Math.min(from.toMs, from.fromMs + byMs)), from.toMs]
        : [from.fromMs, Math.min(whole.toMs, Math.max(from.fromMs, from.toMs + byMs))];
    onPart(within({ fromMs, toMs }, whole));
  };
  const holds = (what: Held) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      held.current = { what, part, x: event.clientX };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const widthPx = strip.current?.clientWidth ?? 0;
      if (held.current === undefined || widthPx === 0) return;
      moved(held.current.what, held.current.part, ((event.clientX - held.current.x) / widthPx) * lengthMs);
    },
    onPointerUp: () => {
      held.current = undefined;
    },
    onPointerCancel: () => {
      held.current = undefined;
    },
  });
  const byKey =
    (what: Held) =>
    (event: KeyboardEvent): void => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      moved(what, part, by * KEY_SHARE * lengthMs);
    };
  const handle = (what: 'begin' | 'end', atMs: number): ReactNode => (
    <div
      className={styles.handle}
      style={{ insetInlineStart: `${100 * shareOf(atMs)}%` }}
      role="slider"
      tabIndex={0}
      aria-label={t(`analysis.${what}`)}
      aria-valuemin={0}
      aria-valuemax={Math.round(lengthMs / 1_000)}
      aria-valuenow={Math.round((atMs - whole.fromMs) / 1_000)}
      aria-valuetext={moment(atMs)}
      onKeyDown={byKey(what)}
      {...holds(what)}
    />
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: no set of fields
    <div
      ref={strip}
      className={styles.strip}
      style={{ marginInline: `${leftPx}px ${rightPx}px` }}
      role="group"
      aria-label={t('analysis.part')}
    >
      <canvas ref={canvas} className={styles.ground} />
      <div
        className={styles.shown}
        style={{
          insetInlineStart: `${100 * shareOf(part.fromMs)}%`,
          width: `${100 * (shareOf(part.toMs) - shareOf(part.fromMs))}%`,
        }}
        {...holds('both')}
      />
      {handle('begin', part.fromMs)}
      {handle('end', part.toMs)}
    </div>
  );
}

/** The first curve, from its lowest to its highest, column by column. */
function drawGround(
  element: HTMLCanvasElement,
  curve: OverviewStripProps['curve'],
  colour: string,
  { fromMs, toMs }: Window,
): void {
  const width = Math.round(element.clientWidth * devicePixelRatio);
  const height = Math.round(HEIGHT_PX * devicePixelRatio);
  element.width = width;
  element.height = height;
  const pen = element.getContext('2d');
  if (pen === null || curve === undefined || width === 0) return;
  const [low, high] = [new Float64Array(width).fill(Number.NaN), new Float64Array(width).fill(Number.NaN)];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const { timesMs, values } = curve;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (value === null || value === undefined) continue;
    const column = Math.floor((((timesMs[at] ?? 0) - fromMs) / (toMs - fromMs)) * width);
    if (column < 0 || column >= width) continue;
    if (!(value >= (low[column] ?? Number.NaN))) low[column] = value;
    if (!(value <= (high[column] ?? Number.NaN))) high[column] = value;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (most < least) return;
  const [bottom, top] = laneRange(curve.unit, least, most);
  const y = (value: number): number => height - ((value - bottom) / (top - bottom)) * height;
  const zero = Math.min(height, Math.max(0, y(0)));
  pen.fillStyle = colour;
  pen.globalAlpha = 0.4;
  let last = Number.NaN;
  for (let column = 0; column < width; column += 1) {
    const value = high[column] ?? Number.NaN;
    if (!Number.isNaN(value)) last = Math.abs(value) >= Math.abs(low[column] ?? 0) ? value : (low[column] ?? 0);
    else if (isGap(curve, fromMs + ((column + 0.5) / width) * (toMs - fromMs))) last = Number.NaN;
    if (Number.isNaN(last)) continue;
    const edge = y(last);
    pen.fillRect(column, Math.min(edge, zero), 1, Math.max(1, Math.abs(zero - edge)));
  }
}

/** Whether nothing was told at a moment. */
function isGap({ timesMs, values }: CurveData, tsMs: number): boolean {
  const before = placeAt(timesMs, tsMs);
  return before < 0 || before === timesMs.length - 1 || values[before] === null;
}
