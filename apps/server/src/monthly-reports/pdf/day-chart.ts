import { BAR, BAR_ESTIMATED, INK, LINE, MUTED } from '../../papers/colours.ts';
import { INNER, MARGIN, type TaggedPage } from '../../papers/page.ts';
import type { Sheet } from './sheet.ts';

const AXIS_WIDTH = 24;
const STEPS = [1, 2, 2.5, 5, 10] as const;

/** The step of two to four lines that reach above a number. */
function stepOf(most: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(most, 1e-6) / 2));
  return (STEPS.find((step) => most / (step * size) <= 3) ?? 10) * size;
}

const DIAMOND = 3.4;

/** The sign of an alarm. */
export function drawDiamond({ doc }: TaggedPage, x: number, y: number, colour: string): void {
  doc
    .moveTo(x, y - DIAMOND)
    .lineTo(x + DIAMOND, y)
    .lineTo(x, y + DIAMOND)
    .lineTo(x - DIAMOND, y)
    .fill(colour);
}

/** Bars of the days of a month, with what was possible and the days of alarms. */
export function drawDays(
  page: TaggedPage,
  { bars, unit }: Sheet['chart'],
  top: number,
  height: number,
  bad: string,
): void {
  const { doc } = page;
  const mostWh = Math.max(1, ...bars.flatMap(({ wh, possibleWh }) => [wh ?? 0, possibleWh ?? 0]));
  const stepWh = stepOf(mostWh / unit.wh) * unit.wh;
  const topWh = Math.ceil(mostWh / stepWh) * stepWh;
  const bottom = top + height;
  const y = (wh: number) => bottom - (wh / topWh) * height;
  const slot = (INNER - AXIS_WIDTH) / bars.length;
  for (let wh = 0; wh <= topWh * 1.001; wh += stepWh) {
    doc.lineWidth(0.6).strokeColor(LINE);
    if (wh > 0) doc.dash(1.5, { space: 2 });
    doc
      .moveTo(MARGIN + AXIS_WIDTH, y(wh))
      .lineTo(MARGIN + INNER, y(wh))
      .stroke()
      .undash();
    page.text(unit.text(wh), MARGIN + AXIS_WIDTH - 4, y(wh) + 2.8, { size: 7.5, colour: MUTED, align: 'right' });
  }
  for (const [place, { day, wh, possibleWh, isEstimated, hasAlarm }] of bars.entries()) {
    const x = MARGIN + AXIS_WIDTH + place * slot;
    if (wh !== null && wh > 0)
      doc
        .roundedRect(x + slot * 0.15, y(wh), slot * 0.7, bottom - y(wh), Math.min(1.8, (bottom - y(wh)) / 2))
        .fill(isEstimated ? BAR_ESTIMATED : BAR);
    if (possibleWh !== null)
      doc
        .lineWidth(1.2)
        .strokeColor(INK)
        .moveTo(x + slot * 0.05, y(possibleWh))
        .lineTo(x + slot * 0.95, y(possibleWh))
        .stroke();
    if (hasAlarm) drawDiamond(page, x + slot / 2, y(Math.max(wh ?? 0, possibleWh ?? 0)) - 8, bad);
    const number = Number(day.slice(8));
    if (number === 1 || number % 5 === 0)
      page.text(String(number), x + slot / 2, bottom + 10, { size: 7.5, colour: MUTED, align: 'center' });
  }
}
