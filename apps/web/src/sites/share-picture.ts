import type { SiteDay } from '@sonnenwarte/contract/sites/site';
import { APP_NAME } from '../router/document-title.ts';

/** Words and figures of the picture, as they are to be read. */
export interface DayPicture {
  readonly name: string;
  readonly date: string;
  readonly produced: { readonly value: string; readonly unit: string; readonly label: string };
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly day: SiteDay;
  readonly legend: { readonly pv: string; readonly load: string };
}

const WIDTH_PX = 1_080;
const HEIGHT_PX = 1_350;
const EDGE_PX = 84;
const PLOT = { top: 800, height: 330 } as const;

/** Shown to others, the picture does not follow the theme of who shares it. */
const colours = {
  page: '#F4F6F9',
  panel: '#FFFFFF',
  line: '#E1E7EF',
  ink: '#101828',
  muted: '#55627A',
  brand: '#0B7175',
  sun: '#FFC145',
  pv: '#CC7A00',
  load: '#1C86D8',
} as const;

const font = (px: number, weight = 400) => `${weight} ${px}px "Inter Variable", system-ui, sans-serif`;

type Pen = CanvasRenderingContext2D;

function write(pen: Pen, text: string, x: number, y: number, style: string, colour: string): number {
  pen.font = style;
  pen.fillStyle = colour;
  pen.fillText(text, x, y, WIDTH_PX - EDGE_PX - x);
  return pen.measureText(text).width;
}

/** Draws each run of measured values: a gap in the data is a gap in the curve. */
function runsOf(values: readonly (number | null)[]): (readonly [number, number])[][] {
  const runs: (readonly [number, number])[][] = [[]];
  values.forEach((value, index) => {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push([index, value]);
  });
  return runs.filter((run) => run.length > 0);
}

function drawCurves(pen: Pen, day: SiteDay): void {
  const measured = [...day.pvW, ...day.loadW].filter((value) => value !== null);
  const top = Math.max(1, ...measured) * 1.05;
  const x = (index: number) => EDGE_PX + (index / Math.max(1, day.tsMs.length - 1)) * (WIDTH_PX - 2 * EDGE_PX);
  const y = (watts: number) => PLOT.top + PLOT.height * (1 - watts / top);
  pen.strokeStyle = colours.line;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(EDGE_PX, y(0));
  pen.lineTo(WIDTH_PX - EDGE_PX, y(0));
  pen.stroke();
  const trace = (run: readonly (readonly [number, number])[]) => {
    pen.beginPath();
    for (const [index, watts] of run) pen.lineTo(x(index), y(watts));
  };
  for (const run of runsOf(day.pvW)) {
    trace(run);
    pen.lineWidth = 5;
    pen.strokeStyle = colours.pv;
    pen.stroke();
    pen.lineTo(x(run.at(-1)?.[0] ?? 0), y(0));
    pen.lineTo(x(run[0]?.[0] ?? 0), y(0));
    pen.fillStyle = `${colours.sun}73`;
    pen.fill();
  }
  pen.setLineDash([18, 10]);
  for (const run of runsOf(day.loadW)) {
    trace(run);
    pen.lineWidth = 4;
    pen.strokeStyle = colours.load;
    pen.stroke();
  }
  pen.setLineDash([]);
}

function drawMark(pen: Pen): void {
  const y = HEIGHT_PX - 118;
  pen.fillStyle = colours.brand;
  pen.beginPath();
  pen.roundRect(EDGE_PX, y, 52, 52, 14);
  pen.fill();
  pen.fillStyle = colours.sun;
  pen.beginPath();
  pen.arc(EDGE_PX + 26, y + 35, 13, Math.PI, 0);
  pen.fill();
  write(pen, APP_NAME, EDGE_PX + 70, y + 38, font(32, 600), colours.muted);
}

/** Draws the day of a plant as a picture of 1080 x 1350 px, PNG. */
export async function drawDay({ name, date, produced, facts, day, legend }: DayPicture): Promise<Blob> {
  await document.fonts.load(font(32));
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH_PX;
  canvas.height = HEIGHT_PX;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser draws no pictures');
  pen.fillStyle = colours.page;
  pen.fillRect(0, 0, WIDTH_PX, HEIGHT_PX);
  pen.fillStyle = colours.panel;
  pen.beginPath();
  pen.roundRect(40, 40, WIDTH_PX - 80, HEIGHT_PX - 80, 40);
  pen.fill();

  write(pen, name, EDGE_PX, 146, font(52, 650), colours.ink);
  write(pen, date, EDGE_PX, 200, font(34), colours.muted);
  const width = write(pen, produced.value, EDGE_PX, 392, font(150, 700), colours.pv);
  write(pen, produced.unit, EDGE_PX + width + 20, 392, font(56, 600), colours.pv);
  write(pen, produced.label, EDGE_PX, 468, font(36), colours.muted);
  facts.slice(0, 4).forEach(({ label, value }, index) => {
    const x = EDGE_PX + (index % 2) * ((WIDTH_PX - 2 * EDGE_PX) / 2);
    const y = 560 + Math.floor(index / 2) * 110;
    write(pen, value, x, y, font(44, 650), colours.ink);
    write(pen, label, x, y + 40, font(28), colours.muted);
  });
  drawCurves(pen, day);
  const below = PLOT.top + PLOT.height + 50;
  const first = write(pen, legend.pv, EDGE_PX + 34, below, font(28), colours.muted);
  pen.fillStyle = colours.pv;
  pen.fillRect(EDGE_PX, below - 18, 22, 18);
  const second = EDGE_PX + 34 + first + 40;
  pen.fillStyle = colours.load;
  pen.fillRect(second, below - 12, 22, 5);
  write(pen, legend.load, second + 34, below, font(28), colours.muted);
  drawMark(pen);

  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))), 'image/png'),
  );
}
