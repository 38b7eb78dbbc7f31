import { useState } from 'react';
import type uPlot from 'uplot';
import type { ChartScale, TimeSeries } from './time-chart.tsx';
import { valueRange } from './value-axis.ts';

let fetched: Promise<{ default: typeof uPlot }> | undefined;

/** What draws comes beside the data of a chart, and not with the screen around it. */
export function fetchPlot(): Promise<{ default: typeof uPlot }> {
  fetched ??= import('uplot');
  fetched.catch(() => {
    fetched = undefined;
  });
  return fetched;
}

/** Lines that are not drawn, kept by whoever shows the chart. */
export interface Lines {
  readonly hidden: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
}

/** A moment of the chart that something else shows too. */
export interface Scrub {
  /** Place of the moment among `tsMs`; `null` = now. */
  readonly index: number | null;
  /** `drag`: held, it ends when it is let go; `pin`: it stays; `elsewhere`: another place of the page was chosen. */
  readonly onChange: (index: number | null, how: 'drag' | 'pin' | 'elsewhere') => void;
}

/** All lines drawn at first. */
export function useOwnLines(): Lines {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string): void => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    setHidden(next);
  };
  return { hidden, toggle };
}

/** The last moment that most series have a value of: what is only expected runs on to the end of the day. */
export function newestIndex(series: readonly TimeSeries[]): number {
  const lasts = series.map((each) => each.values.findLastIndex((value) => value !== null)).toSorted((a, b) => a - b);
  return lasts[Math.floor((lasts.length - 1) / 2)] ?? -1;
}

/** A scale that is full at a value has its zero where the first scale has it, whatever that one shows. */
export function placed(
  { name, fullAt, spans, bothWays = false }: ChartScale,
  first: ChartScale | undefined,
): uPlot.Scale {
  if (spans !== undefined) return { range: (_, min, max) => [Math.min(0, min ?? 0), Math.max(spans, max ?? spans)] };
  if (fullAt === undefined) return { range: (_, min, max) => valueRange(min ?? 0, max ?? 0, bothWays) };
  if (first === undefined || first.name === name) return { range: [0, fullAt] };
  return { from: first.name, range: (_, min, max) => [(fullAt * (min ?? 0)) / (max ?? fullAt), fullAt] };
}

/** Where the first scale has its zero, unless that is its edge. */
export function drawZeroLine(self: uPlot, scale: ChartScale | undefined, stroke: string): void {
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
