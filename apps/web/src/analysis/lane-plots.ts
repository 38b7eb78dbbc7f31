import type uPlot from 'uplot';
import { placesAlone } from '../charts/places-alone.ts';
import { aligned, type CurveData, sampleAt } from './curves.ts';
import { type Lane, laneHeights, laneRange, roundValues, type Window } from './lanes.ts';

/** A curve as it is drawn. */
export interface DrawnCurve extends CurveData {
  readonly key: string;
  readonly unit: string;
  /** What a canvas takes for a colour. */
  readonly stroke: string;
  readonly dash: readonly number[];
  readonly widthPx: number;
  /** The ground below it is tinted. */
  readonly fill?: string;
}

export interface LaneLook {
  readonly grid: string;
  readonly muted: string;
  readonly font: string;
  /** Room for the values of the axes, at the left. */
  readonly axisPx: number;
  readonly heightPx: number;
  readonly ticks: (part: Window, widthPx: number) => readonly number[];
  readonly tickLabels: (ticks: readonly number[]) => string[];
  readonly valueLabels: (unit: string, values: readonly number[]) => string[];
}

/** Room at the right of the plots, so that the last label is not cut. */
export const RIGHT_PX = 10;
/** Room for the labels of time below the last lane. */
export const TIME_PX = 26;
const LEAST_WIDTH_PX = 180;
const VALUE_PX = 25;
/** Half of a label, which stands at the lowest value. */
const BELOW_PX = 7;
const POINT_PX = 4;
/** A value that stands so near the top has no label, which would be cut. */
const TOP_SHARE = 0.05;
const THICKER_PX = 1.4;

/** What a lane's plot reads, and does not change. */
function tableOf({ curves }: Lane<DrawnCurve>): uPlot.AlignedData {
  const { timesMs, values } = aligned(curves);
  return [timesMs, ...values] as unknown as uPlot.AlignedData;
}

/** Lanes over one axis of time, each a plot of its own with one scale of values. */
export class LanePlots {
  readonly #plots: { plot: uPlot; curves: readonly DrawnCurve[]; dots: HTMLElement[] }[] = [];
  readonly #host: HTMLElement;
  #part: Window;
  #cursorMs: number | null = null;

  constructor(
    Plot: typeof uPlot,
    host: HTMLElement,
    lanes: readonly Lane<DrawnCurve>[],
    look: LaneLook,
    part: Window,
    dotClass: string,
  ) {
    this.#host = host;
    this.#part = part;
    const heights = laneHeights(lanes.length, look.heightPx - TIME_PX);
    for (const [place, lane] of lanes.entries()) {
      const isLast = place === lanes.length - 1;
      const height = (heights[place] ?? 100) + (isLast ? TIME_PX : 0);
      const options = this.#optionsOf(lane, look, height, isLast);
      const plot = new Plot(options, tableOf(lane), host);
      const dots = lane.curves.map(({ stroke }) => {
        const dot = document.createElement('i');
        dot.className = dotClass;
        dot.style.background = stroke;
        dot.hidden = true;
        plot.over.append(dot);
        return dot;
      });
      this.#plots.push({ plot, curves: lane.curves, dots });
    }
  }

  get widthPx(): number {
    return Math.max(LEAST_WIDTH_PX, Math.round(this.#host.clientWidth));
  }

  get canvases(): readonly { canvas: HTMLCanvasElement; topPx: number }[] {
    const { top } = this.#host.getBoundingClientRect();
    return this.#plots.map(({ plot }) => ({
      canvas: plot.ctx.canvas,
      topPx: plot.root.getBoundingClientRect().top - top,
    }));
  }

  #optionsOf({ unit, curves }: Lane<DrawnCurve>, look: LaneLook, height: number, isLast: boolean): uPlot.Options {
    const { grid, muted, font } = look;
    const widthOf = (self: uPlot): number => self.bbox.width / devicePixelRatio;
    return {
      width: this.widthPx,
      height,
      padding: [4, RIGHT_PX, isLast ? 0 : BELOW_PX, 0],
      legend: { show: false },
      // Only then it knows where its values are.
      hooks: { ready: [() => this.point(this.#cursorMs)] },
      cursor: { show: false },
      scales: {
        x: { time: false, range: () => [this.#part.fromMs, this.#part.toMs] },
        y: { range: (_, min, max) => laneRange(unit, min, max) },
      },
      axes: [
        {
          font,
          stroke: muted,
          size: isLast ? TIME_PX : 0,
          gap: 6,
          grid: { stroke: grid, width: 1 },
          ticks: { show: false },
          splits: (self) => [...look.ticks(this.#part, widthOf(self))],
          values: isLast ? (_, splits) => look.tickLabels(splits) : () => [],
        },
        {
          scale: 'y',
          font,
          stroke: muted,
          size: look.axisPx,
          gap: 8,
          grid: { stroke: grid, width: 1, dash: [2, 3] },
          ticks: { show: false },
          splits: (self, __, min, max) =>
            roundValues(
              min,
              max - (max - min) * TOP_SHARE,
              Math.max(2, Math.floor(self.bbox.height / devicePixelRatio / VALUE_PX)),
            ),
          values: (_, splits) => look.valueLabels(unit, splits),
        },
      ],
      series: [
        {},
        ...curves.map(
          ({ stroke, dash, widthPx, fill }): uPlot.Series => ({
            stroke,
            width: widthPx,
            dash: [...dash],
            points: {
              show: true,
              size: POINT_PX,
              fill: stroke,
              filter: (self, place) => [...placesAlone(self.data[place] ?? [])],
            },
            spanGaps: false,
            ...(fill !== undefined && { fill, fillTo: 0 }),
          }),
        ),
      ],
    };
  }

  /** Shows another part of the time. */
  show(part: Window): void {
    this.#part = part;
    for (const { plot } of this.#plots) {
      plot.batch(() => {
        plot.setScale('x', { min: part.fromMs, max: part.toMs });
      });
    }
    this.point(this.#cursorMs);
  }

  /** Other samples of the same curves, and the part of the time that is shown of them: drawn once. */
  tell(lanes: readonly Lane<DrawnCurve>[], part: Window): void {
    this.#part = part;
    for (const [place, lane] of lanes.entries()) {
      const known = this.#plots[place];
      if (known === undefined) continue;
      known.curves = lane.curves;
      const { plot } = known;
      plot.batch(() => {
        plot.setData(tableOf(lane), false);
        plot.setScale('x', { min: part.fromMs, max: part.toMs });
      });
    }
    this.point(this.#cursorMs);
  }

  /** Marks what the curves show at a moment. */
  point(tsMs: number | null): void {
    this.#cursorMs = tsMs;
    for (const { plot, curves, dots } of this.#plots) {
      for (const [place, curve] of curves.entries()) {
        const dot = dots[place];
        if (dot === undefined) continue;
        const sample = tsMs === null ? undefined : sampleAt(curve, tsMs);
        const isIn = sample !== undefined && sample.tsMs >= this.#part.fromMs && sample.tsMs <= this.#part.toMs;
        dot.hidden = !isIn;
        if (!isIn) continue;
        const [x, y] = [plot.valToPos(sample.tsMs, 'x'), plot.valToPos(sample.value, 'y')];
        dot.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
      }
    }
  }

  /** Draws one curve thicker than the others, or all as they are. */
  stress(key: string | undefined): void {
    for (const { plot, curves } of this.#plots) {
      let changed = false;
      for (const [place, curve] of curves.entries()) {
        const drawn = plot.series[place + 1];
        const width = curve.widthPx + (curve.key === key ? THICKER_PX : 0);
        if (drawn === undefined || drawn.width === width) continue;
        drawn.width = width;
        changed = true;
      }
      if (changed) plot.redraw(false);
    }
  }

  resize(): void {
    const width = this.widthPx;
    for (const { plot } of this.#plots) if (plot.width !== width) plot.setSize({ width, height: plot.height });
    this.point(this.#cursorMs);
  }

  destroy(): void {
    for (const { plot } of this.#plots) plot.destroy();
    this.#plots.length = 0;
  }
}
