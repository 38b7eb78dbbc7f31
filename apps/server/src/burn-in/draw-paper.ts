import { BAR, GROUND, INK, LINE, MUTED, type Tone, tonesOf } from '../papers/colours.ts';
import { drawFoot, drawHead } from '../papers/letterhead.ts';
import { HEIGHT, INNER, MARGIN, TaggedPage, type TextLook, WIDTH } from '../papers/page.ts';
import type { Paper, PaperCurve, PaperTable, PaperTask } from './paper.ts';

const ROW = 17;
const BOTTOM = HEIGHT - 78;
const TOP = 92;
const CURVE_HEIGHT = 110;
const LEAST_CURVE_HEIGHT = 44;
/** What stands around a curve, and above the rows of a table. */
const CURVE_FRAME = 64;
const TABLE_HEAD = 16;
const FACT_COLUMNS = 3;
const FACT_HEIGHT = 28;
const LINE_HEIGHT = 11;
const MOST_FACT_LINES = 5;
const MOST_NOTE_LINES = 6;

type Tones = Readonly<Record<Tone, string>>;

function drawTitle(page: TaggedPage, { name, about, verdict, sentence }: Paper, tones: Tones): number {
  const look = { size: 10.5, weight: 700 } as const;
  const badge = page.widthOf(verdict.text, look) + 20;
  page.tag(page.root, 'H1', () => {
    page.text(name, MARGIN, 108, { size: 21, weight: 700, width: INNER - badge - 14 });
  });
  page.tag(page.root, 'P', () => {
    page.text(about, MARGIN, 125, { size: 9.75, colour: MUTED, width: INNER });
  });
  const x = WIDTH - MARGIN - badge;
  page.decoration((doc) => doc.roundedRect(x, 92, badge, 21, 5).fill(GROUND[verdict.tone]));
  page.tag(page.root, 'P', () => {
    page.text(verdict.text, x + 10, 106.4, { ...look, colour: tones[verdict.tone] });
  });
  let y = 147;
  page.tag(page.root, 'P', () => {
    for (const line of page.lines(sentence, INNER, { size: 10.5 }).slice(0, 3)) {
      page.text(line, MARGIN, y, { size: 10.5 });
      y += 14;
    }
  });
  return y + 8;
}

/** A text in so many lines at most; words that are too long are broken. */
function linesIn(page: TaggedPage, text: string, width: number, look: TextLook, most: number): string[] {
  const fitting = (part: string): string[] => {
    const lines = [''];
    for (const sign of part) {
      const line = (lines.at(-1) ?? '') + sign;
      if (page.widthOf(line, look) <= width || lines.at(-1) === '') lines[lines.length - 1] = line;
      else lines.push(sign);
    }
    return lines;
  };
  const lines = page.lines(text, width, look).flatMap(fitting);
  // The last one is cut, with dots, where there are more.
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), lines.slice(most - 1).join(' ')];
}

function drawFacts(page: TaggedPage, { facts }: Paper, top: number): number {
  const width = INNER / FACT_COLUMNS;
  const look = { size: 9.6, weight: 600, width: width - 10 } as const;
  const list = page.group(page.root, 'L');
  let y = top;
  for (let place = 0; place < facts.length; place += FACT_COLUMNS) {
    const row = facts
      .slice(place, place + FACT_COLUMNS)
      .map(([label, value]) => ({ label, lines: linesIn(page, value, width - 10, look, MOST_FACT_LINES) }));
    for (const [column, { label, lines }] of row.entries()) {
      const x = MARGIN + column * width;
      const item = page.group(list, 'LI');
      page.tag(item, 'LBody', () => {
        page.text(label, x, y + 8, { size: 8.6, colour: MUTED, width: width - 10 });
        for (const [line, text] of lines.entries()) page.text(text, x, y + 19 + line * LINE_HEIGHT, look);
      });
      item.end();
    }
    y += FACT_HEIGHT + (Math.max(1, ...row.map(({ lines }) => lines.length)) - 1) * LINE_HEIGHT;
  }
  list.end();
  return y + 4;
}

function drawNotes(page: TaggedPage, { notes }: Paper, top: number): number {
  const look = { size: 8.6, width: INNER } as const;
  let y = top;
  for (const [label, text] of notes) {
    page.tag(page.root, 'P', () => {
      page.text(label, MARGIN, y + 8, { size: 8.6, colour: MUTED, width: INNER });
      for (const line of linesIn(page, text, INNER, look, MOST_NOTE_LINES)) {
        page.text(line, MARGIN, y + 19, look);
        y += LINE_HEIGHT;
      }
    });
    y += 14;
  }
  return y + 4;
}

const heading = (page: TaggedPage, text: string, y: number): void =>
  page.tag(page.root, 'H2', () => {
    page.text(text, MARGIN, y, { size: 11, weight: 700, width: INNER });
  });

function drawLine(
  { doc }: TaggedPage,
  points: PaperCurve['power'],
  placeOf: (point: readonly [number, number]) => [number, number],
  colour: string,
  width: number,
): void {
  doc.lineWidth(width).strokeColor(colour);
  let isDown = false;
  for (const point of points) {
    if (point === null) {
      isDown = false;
      continue;
    }
    const [x, y] = placeOf(point);
    if (isDown) doc.lineTo(x, y);
    else doc.moveTo(x, y);
    isDown = true;
  }
  doc.stroke();
}

function drawCurve(page: TaggedPage, curve: PaperCurve, top: number, height: number): number {
  heading(page, curve.title, top + 10);
  const left = MARGIN + 40;
  const [y, width] = [top + 34, WIDTH - MARGIN - left];
  const placeOf = ([place, value]: readonly [number, number]): [number, number] => [
    left + place * width,
    y + height - value * height,
  ];
  page.tag(page.root, 'Caption', () => {
    const look = { size: 8.6, colour: MUTED } as const;
    let x = WIDTH - MARGIN;
    for (const [text, colour] of [
      [curve.tellsAsked, INK],
      [curve.tellsPower, BAR],
    ] as const) {
      x -= page.widthOf(text, look);
      page.text(text, x, top + 10, look);
      page.doc.rect(x - 14, top + 6, 10, 2).fill(colour);
      x -= 26;
    }
  });
  page.tag(
    page.root,
    'Figure',
    () => {
      const { doc } = page;
      for (const share of [0, 0.5, 1]) {
        const at = y + height - share * height;
        doc
          .lineWidth(0.6)
          .strokeColor(LINE)
          .moveTo(left, at)
          .lineTo(left + width, at)
          .stroke();
      }
      page.text(curve.top, left - 4, y + 3, { size: 7.5, colour: MUTED, align: 'right' });
      page.text('0', left - 4, y + height + 3, { size: 7.5, colour: MUTED, align: 'right' });
      doc
        .save()
        .rect(left, y - 2, width, height + 4)
        .clip();
      drawLine(page, curve.asked, placeOf, INK, 0.8);
      drawLine(page, curve.power, placeOf, BAR, 1.3);
      doc.restore();
      page.text(curve.start, left, y + height + 13, { size: 7.5, colour: MUTED });
      page.text(curve.end, left + width, y + height + 13, { size: 7.5, colour: MUTED, align: 'right' });
    },
    { alt: curve.alt },
  );
  return y + height + 30;
}

/** Rows that find no place on a page go on the next. */
function drawTable(page: TaggedPage, { title, head, rows, widths }: PaperTable, top: number, tones: Tones): number {
  const columns = [INNER - widths.reduce((sum, width) => sum + width, 0), ...widths];
  const leftOf = (column: number) => MARGIN + columns.slice(0, column).reduce((sum, width) => sum + width, 0);
  let y = top;
  if (y + 3 * ROW > BOTTOM) {
    page.doc.addPage();
    y = TOP - 50;
  }
  heading(page, title, y + 10);
  y += 16;
  const table = page.group(page.root, 'Table');
  const drawHeadRow = () => {
    const row = page.group(table, 'TR');
    for (const [column, text] of head.entries())
      page.tag(row, 'TH', () => {
        const look = { size: 8.6, weight: 600, colour: MUTED, width: (columns[column] ?? 0) - 8 } as const;
        page.text(text, leftOf(column), y + 11.5, look);
      });
    row.end();
    y += ROW;
  };
  drawHeadRow();
  for (const cells of rows) {
    if (y + ROW > BOTTOM) {
      page.doc.addPage();
      y = TOP - 50;
      drawHeadRow();
    }
    page.decoration((doc) => doc.rect(MARGIN, y, INNER, 0.6).fill(LINE));
    const row = page.group(table, 'TR');
    for (const [column, { text, tone, bold }] of cells.entries())
      page.tag(row, column === 0 ? 'TH' : 'TD', () => {
        const colour = tone === undefined ? INK : tones[tone];
        const width = (columns[column] ?? 0) - 8;
        page.text(text, leftOf(column), y + 12, { size: 9.2, weight: bold ? 600 : 400, colour, width });
      });
    row.end();
    y += ROW;
  }
  table.end();
  return y + 14;
}

/** A certificate or report as a tagged PDF, its texts to be selected. */
export async function drawPaper({ paper, language, brand }: PaperTask): Promise<Buffer> {
  const tones = tonesOf(brand.colour);
  const page = new TaggedPage({ title: paper.title, author: brand.name, language });
  drawHead(page, paper.heading, brand);
  let y = drawTitle(page, paper, tones);
  y = drawFacts(page, paper, y);
  y = drawNotes(page, paper, y);
  if (paper.curve !== null) {
    // What stands below is to find its place on the same page.
    const below = paper.tables.reduce((sum, { rows }) => sum + TABLE_HEAD + (rows.length + 1) * ROW, 0);
    const room = BOTTOM - y - CURVE_FRAME - below;
    y = drawCurve(page, paper.curve, y, Math.max(LEAST_CURVE_HEIGHT, Math.min(CURVE_HEIGHT, room)));
  }
  for (const table of paper.tables) y = drawTable(page, table, y, tones);
  drawFoot(page, [paper.foot, paper.made]);
  return page.end();
}
