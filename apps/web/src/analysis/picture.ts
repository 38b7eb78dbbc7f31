import type { PlotMark } from './marks-track.tsx';

export interface AnalysisPicture {
  readonly title: string;
  /** Its days, and whose clock they are of. */
  readonly lines: readonly string[];
  readonly legend: readonly {
    readonly text: string;
    readonly stroke: string;
    readonly dash: readonly number[];
  }[];
  readonly marks: readonly Pick<PlotMark, 'label' | 'kind'>[];
  readonly canvases: readonly { readonly canvas: HTMLCanvasElement; readonly topPx: number }[];
  readonly laneNames: readonly string[];
  readonly axisPx: number;
  /** Left edges of the marks, in px of the plots. */
  readonly markLefts: readonly number[];
  readonly colours: {
    readonly ground: string;
    readonly ink: string;
    readonly muted: string;
    /** Of the names and lines of marks, by their kind. */
    readonly marks: Readonly<Record<PlotMark['kind'], string>>;
    readonly font: string;
  };
}

const EDGE_PX = 24;
const LINE_PX = 18;
const LEGEND_PX = 20;
const MARKS_PX = 22;

/** The plots with their title, days, clock, names and units as one picture, PNG. */
export async function drawPicture(picture: AnalysisPicture): Promise<Blob> {
  const { title, lines, legend, canvases, laneNames, axisPx, markLefts, marks, colours } = picture;
  const scale = devicePixelRatio;
  const widthPx = Math.max(0, ...canvases.map(({ canvas }) => canvas.width / scale));
  const plotsPx = Math.max(0, ...canvases.map(({ canvas, topPx }) => topPx + canvas.height / scale));
  const headPx = 34 + lines.length * LINE_PX + legend.length * LEGEND_PX + 8 + (marks.length > 0 ? MARKS_PX : 0);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round((widthPx + 2 * EDGE_PX) * scale);
  canvas.height = Math.round((headPx + plotsPx + 2 * EDGE_PX) * scale);
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('this browser draws no pictures');
  pen.scale(scale, scale);
  pen.fillStyle = colours.ground;
  pen.fillRect(0, 0, widthPx + 2 * EDGE_PX, headPx + plotsPx + 2 * EDGE_PX);
  const write = (text: string, x: number, y: number, font: string, colour: string, mostPx = widthPx): void => {
    pen.font = `${font} ${colours.font}`;
    pen.fillStyle = colour;
    pen.fillText(text, x, y, mostPx);
  };
  let y = EDGE_PX + 16;
  write(title, EDGE_PX, y, '650 18px', colours.ink);
  y += 6;
  for (const line of lines) {
    y += LINE_PX;
    write(line, EDGE_PX, y, '400 13px', colours.muted);
  }
  for (const { text, stroke, dash } of legend) {
    y += LEGEND_PX;
    pen.strokeStyle = stroke;
    pen.lineWidth = 2.4;
    pen.setLineDash([...dash]);
    pen.beginPath();
    pen.moveTo(EDGE_PX, y - 4);
    pen.lineTo(EDGE_PX + 26, y - 4);
    pen.stroke();
    pen.setLineDash([]);
    write(text, EDGE_PX + 34, y, '500 13px', colours.ink, widthPx - 34);
  }
  const topPx = EDGE_PX + headPx;
  for (const [place, left] of markLefts.entries()) {
    const x = EDGE_PX + axisPx + left;
    const { kind, label } = marks[place] ?? { kind: 'alarm', label: '' };
    const colour = colours.marks[kind];
    pen.fillStyle = colour;
    pen.beginPath();
    if (kind === 'setting') pen.rect(x - 5.5, topPx - 16.5, 11, 11);
    else {
      pen.moveTo(x, topPx - 17);
      pen.lineTo(x + 6, topPx - 11);
      pen.lineTo(x, topPx - 5);
      pen.lineTo(x - 6, topPx - 11);
    }
    pen.fill();
    const roomPx = (markLefts[place + 1] ?? widthPx - axisPx) - left - 16;
    if (roomPx > 48) write(label, x + 10, topPx - 7, '600 11px', colour, roomPx);
    pen.strokeStyle = colour;
    pen.lineWidth = 1;
    pen.setLineDash([3, 3]);
    pen.beginPath();
    pen.moveTo(x, topPx - 4);
    pen.lineTo(x, topPx + plotsPx - 26);
    pen.stroke();
    pen.setLineDash([]);
  }
  for (const [place, { canvas: plot, topPx: offset }] of canvases.entries()) {
    pen.drawImage(plot, EDGE_PX, topPx + offset, plot.width / scale, plot.height / scale);
    write(laneNames[place] ?? '', EDGE_PX + axisPx + 8, topPx + offset + 16, '650 12px', colours.ink, widthPx - axisPx);
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))), 'image/png'),
  );
}
