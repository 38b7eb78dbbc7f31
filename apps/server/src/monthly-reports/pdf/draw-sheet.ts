import { BAR, BAR_ESTIMATED, GROUND, INK, LINE, MUTED, type Tone, tonesOf } from '../../papers/colours.ts';
import { drawFoot, drawHead } from '../../papers/letterhead.ts';
import { INNER, MARGIN, type Struct, TaggedPage, WIDTH } from '../../papers/page.ts';
import { drawDays, drawDiamond } from './day-chart.ts';
import type { Sheet, SheetTask, Split, Table } from './sheet.ts';
import { sheetOf } from './sheet-words.ts';

const GAP = 21;
const TABLES = 493;
const HALF = (INNER - GAP) / 2;
const ROW = 19;
const LINE_HEIGHT = 11;

type Tones = Readonly<Record<Tone, string>>;

function drawTitle(page: TaggedPage, { plant, about, verdict }: Sheet, tones: Tones): void {
  const look = { size: 9.75, weight: 600 } as const;
  const badge = verdict === null ? 0 : page.widthOf(verdict.text, look) + 18;
  page.tag(page.root, 'H1', () => {
    page.text(plant, MARGIN, 105, { size: 21, weight: 700, width: INNER });
  });
  page.tag(page.root, 'P', () => {
    page.text(about, MARGIN, 122, { size: 9.75, colour: MUTED, width: INNER - badge - 12 });
  });
  if (verdict === null) return;
  const x = WIDTH - MARGIN - badge;
  page.decoration((doc) => doc.roundedRect(x, 109, badge, 18.5, 5).fill(GROUND[verdict.tone]));
  page.tag(page.root, 'P', () => {
    page.text(verdict.text, x + 9, 121.8, { ...look, colour: tones[verdict.tone] });
  });
}

function drawFigures(page: TaggedPage, { figures }: Sheet, tones: Tones): void {
  const [top, width] = [145, INNER / figures.length];
  const list = page.group(page.root, 'L');
  for (const [place, { label, value, unit, note, tone }] of figures.entries()) {
    const x = MARGIN + place * width;
    page.decoration((doc) => doc.rect(x, top, 2.2, 50).fill(tones[tone]));
    const item = page.group(list, 'LI');
    page.tag(item, 'LBody', () => {
      page.text(label, x + 11, top + 10, { size: 9, colour: MUTED, width: width - 16 });
      const colour = tone === 'brand' ? tones.brand : INK;
      const used = page.text(value, x + 11, top + 30, { size: 16.5, weight: 700, colour });
      page.text(unit, x + 11 + used + 3, top + 30, { size: 12, colour: MUTED });
      page.text(note, x + 11, top + 46, { size: 8.6, weight: 600, colour: tones[tone], width: width - 14 });
    });
    item.end();
  }
  list.end();
}

const heading = (page: TaggedPage, parent: Struct, text: string, x: number, y: number, width: number): void =>
  page.tag(parent, 'H2', () => {
    page.text(text, x, y, { size: 11, weight: 700, width });
  });

function drawChart(page: TaggedPage, { chart }: Sheet, tones: Tones): void {
  const y = 223;
  const { generated, estimated, possible, alarm } = chart.legend;
  const look = { size: 8.6, colour: MUTED } as const;
  heading(page, page.root, chart.title, MARGIN, y, INNER / 3);
  page.tag(page.root, 'Caption', () => {
    const { doc } = page;
    const square = (colour: string) => (x: number) => doc.roundedRect(x + 2, y - 7, 8, 8, 1.5).fill(colour);
    const entries = [
      { text: generated, sign: square(BAR) },
      { text: estimated, sign: square(BAR_ESTIMATED) },
      { text: possible, sign: (x: number) => doc.rect(x, y - 3.6, 10, 1.2).fill(INK) },
      { text: alarm, sign: (x: number) => drawDiamond(page, x + 7, y - 3, tones.bad) },
    ].flatMap(({ text, sign }) => (text === null ? [] : [{ text, sign, width: page.widthOf(text, look) }]));
    let x = WIDTH - MARGIN - entries.reduce((sum, { width }) => sum + width + 14, 0) - (entries.length - 1) * 12;
    for (const { text, sign, width } of entries) {
      sign(x);
      page.text(text, x + 14, y, look);
      x += width + 26;
    }
  });
  page.tag(page.root, 'Figure', () => drawDays(page, chart, y + 22, 128, tones.bad), { alt: chart.alt });
}

function drawSplit(page: TaggedPage, { title, parts, sentence }: Split, x: number, y: number, tones: Tones): void {
  heading(page, page.root, title, x, y, HALF);
  const sum = parts.reduce((all, { wh }) => all + wh, 0);
  page.decoration((doc) => {
    let at = x;
    doc
      .save()
      .roundedRect(x, y + 7, HALF, 16.5, 4.5)
      .clip();
    if (sum <= 0) doc.rect(x, y + 7, HALF, 16.5).fill(GROUND.muted);
    for (const { wh, tone, text } of parts) {
      const width = (HALF * wh) / sum;
      doc.rect(at, y + 7, Math.max(0.4, width - 1.5), 16.5).fill(tones[tone]);
      const look = { size: 8.25, weight: 700, colour: '#ffffff', align: 'center' } as const;
      if (page.widthOf(text, look) < width - 6) page.text(text, at + width / 2, y + 18.2, look);
      at += width;
    }
    doc.restore();
  });
  page.tag(page.root, 'P', () => {
    const look = { size: 8.6, colour: MUTED } as const;
    for (const [place, line] of page.lines(sentence, HALF, look).slice(0, 3).entries())
      page.text(line, x, y + 35 + place * 12, look);
  });
}

/** Answers where it ends. */
function drawTable(
  page: TaggedPage,
  { title, head, rows, widths, note }: Table,
  x: number,
  y: number,
  tones: Tones,
): number {
  heading(page, page.root, title, x, y, HALF);
  const right = x + HALF;
  const columns = [HALF - widths.reduce((sum, width) => sum + width, 0), ...widths];
  const placeOf = (column: number) => x + columns.slice(0, column + 1).reduce((sum, width) => sum + width, 0);
  let at = y + 8;
  const line = () => page.decoration((doc) => doc.rect(x, at, right - x, 0.6).fill(LINE));
  const write = (
    text: string,
    column: number,
    look: { size: number; weight?: 400 | 600 | 700; colour: string },
  ): void => {
    if (column > 0)
      page.text(text, placeOf(column), at + 12.6, { ...look, width: (columns[column] ?? 0) - 2, align: 'right' });
    else
      for (const [place, each] of firstLines(text, look).entries())
        page.text(each, x, at + 12.6 + place * LINE_HEIGHT, look);
  };
  const firstLines = (text: string, look: { size: number; weight?: 400 | 600 | 700 }): string[] =>
    page.lines(text, (columns[0] ?? 0) - 4, look).slice(0, 3);
  if (rows.length > 0) {
    const table = page.group(page.root, 'Table');
    if (head.length > 0) {
      const row = page.group(table, 'TR');
      for (const [column, text] of head.entries())
        page.tag(row, 'TH', () => write(text, column, { size: 8.6, weight: 600, colour: MUTED }));
      row.end();
      at += ROW - 2;
      line();
    }
    for (const [place, cells] of rows.entries()) {
      if (place > 0) line();
      const row = page.group(table, 'TR');
      for (const [column, { text, tone, bold }] of cells.entries()) {
        const look = { size: 9.2, weight: bold ? 600 : 400, colour: tone === undefined ? INK : tones[tone] } as const;
        page.tag(row, column === 0 ? 'TH' : 'TD', () => write(text, column, look));
      }
      row.end();
      const [{ text, bold } = { text: '', bold: false }] = cells;
      at += ROW + (firstLines(text, { size: 9.2, weight: bold ? 600 : 400 }).length - 1) * LINE_HEIGHT;
    }
    table.end();
  }
  if (note !== '') {
    page.tag(page.root, 'P', () => {
      const look = { size: 9.2, colour: MUTED } as const;
      for (const text of page.lines(note, HALF, look)) {
        page.text(text, x, at + 12.6, look);
        at += 13;
      }
    });
    at += 6;
  }
  return at;
}

/** The report of a month as a PDF of one page, tagged, its texts to be selected. */
export async function drawReport({ figures, language, brand }: SheetTask): Promise<Buffer> {
  const sheet = sheetOf({ figures, language });
  const tones = tonesOf(brand.colour);
  const page = new TaggedPage({ title: sheet.title, author: brand.name, language });
  drawHead(page, sheet.heading, brand);
  drawTitle(page, sheet, tones);
  drawFigures(page, sheet, tones);
  drawChart(page, sheet, tones);
  const other = MARGIN + HALF + GAP;
  drawSplit(page, sheet.splits[0], MARGIN, 413, tones);
  drawSplit(page, sheet.splits[1], other, 413, tones);
  const [comparison, losses, alarms, quality] = sheet.tables;
  const half = Math.max(
    drawTable(page, comparison, MARGIN, TABLES, tones),
    drawTable(page, losses, other, TABLES, tones),
  );
  drawTable(page, alarms, MARGIN, half + 24, tones);
  const end = drawTable(page, quality, other, half + 24, tones);
  if (sheet.tip !== null) drawTable(page, sheet.tip, other, end + 20, tones);
  drawFoot(page, sheet.foot);
  return page.end();
}
