import type { RecordContent } from '@sonnenwarte/contract/fault-records/fault-record';
import type uPlot from 'uplot';
import { rangeOf, timesOf, type WaveLane } from './wave-lanes.ts';

interface Part {
  readonly from: number;
  readonly to: number;
}

export interface LaneDrawing {
  readonly lane: WaveLane;
  readonly content: RecordContent;
  readonly other: RecordContent | undefined;
  readonly heightPx: number;
  /** The times stand below it. */
  readonly hasAxis: boolean;
  readonly colours: readonly string[];
  /** Of the same curves of the other record. */
  readonly paler: readonly string[];
  readonly look: { readonly line: string; readonly muted: string; readonly fault: string; readonly font: string };
  readonly part: () => Part;
  readonly number: (value: number, decimals: number) => string;
  readonly onCursor: (ms: number) => void;
  readonly onPart: (part: Part) => void;
}

const AXIS_PX = 54;
const WIDTH_PX = 1.4;
const COMPARED_PX = 1;
/** Phases differ by more than their colours. */
export const PHASE_DASHES = [[], [9, 3], [2, 3], [9, 3, 2, 3]] as const;
const BEGIN_DASH = [3, 4];
const LEAST_DRAWN_PX = 8;
const SYNC = 'fault-record';

/** So many that the lines of an axis differ. */
function decimalsOf([first = 0, second = 1]: readonly number[]): number {
  const step = Math.abs(second - first);
  return step > 0 ? Math.min(3, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))) : 0;
}

/** Draws the waves of a lane, those of the other record thin and paler on the same scale. */
export function drawLane(Plot: typeof uPlot, host: HTMLElement, drawing: LaneDrawing): uPlot {
  const { lane, content, other, look, part, number } = drawing;
  const others = lane.waves.map(({ variable }) => other?.waves.find((each) => each.variable === variable)?.values);
  const tables: uPlot.AlignedData[] = [[timesOf(content), ...lane.waves.map(({ values }) => [...values])]];
  if (other) tables.push([timesOf(other), ...others.map((values) => [...(values ?? [])])]);
  const data = other ? Plot.join(tables) : (tables[0] ?? [[]]);
  const range = rangeOf([...lane.waves.flatMap(({ values }) => values), ...others.flatMap((values) => values ?? [])]);
  const series = (colours: readonly string[], width: number): uPlot.Series[] =>
    lane.waves.map((wave, place) => ({
      label: wave.variable,
      stroke: colours[place % colours.length] ?? look.muted,
      width,
      dash: [...(PHASE_DASHES[place % PHASE_DASHES.length] ?? [])],
      points: { show: false },
      spanGaps: true,
    }));
  return new Plot(
    {
      width: Math.max(200, host.clientWidth),
      height: drawing.heightPx,
      padding: [6, 8, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: false },
        points: { size: 6 },
        sync: { key: SYNC, scales: ['x', null] },
      },
      scales: { x: { time: false, range: () => [part().from, part().to] }, y: { range } },
      axes: [
        {
          show: drawing.hasAxis,
          font: look.font,
          stroke: look.muted,
          size: 26,
          gap: 4,
          grid: { stroke: look.line, width: 1 },
          ticks: { show: false },
          values: (_, splits) => splits.map((split) => `${number(split, decimalsOf(splits))} ms`),
        },
        {
          font: look.font,
          stroke: look.muted,
          size: AXIS_PX,
          gap: 6,
          grid: { stroke: look.line, width: 1 },
          ticks: { show: false },
          space: 34,
          values: (_, splits) => splits.map((split) => number(split, decimalsOf(splits))),
        },
      ],
      series: [{}, ...series(drawing.colours, WIDTH_PX), ...(other ? series(drawing.paler, COMPARED_PX) : [])],
      hooks: {
        setCursor: [
          (self) => {
            const { left } = self.cursor;
            if (left !== undefined && left >= 0) drawing.onCursor(self.posToVal(left, 'x'));
          },
        ],
        setSelect: [
          (self) => {
            const { left, width } = self.select;
            if (width < LEAST_DRAWN_PX) return;
            drawing.onPart({ from: self.posToVal(left, 'x'), to: self.posToVal(left + width, 'x') });
            self.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
          },
        ],
        draw: [(self) => drawBegin(self, look.fault)],
      },
    },
    data,
    host,
  );
}

/** The line where the fault begins. */
function drawBegin(self: uPlot, stroke: string): void {
  const x = Math.round(self.valToPos(0, 'x', true));
  const { ctx, bbox } = self;
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  ctx.setLineDash(BEGIN_DASH.map((px) => px * devicePixelRatio));
  ctx.strokeStyle = stroke;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}
