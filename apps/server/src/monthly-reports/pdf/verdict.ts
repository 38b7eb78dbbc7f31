import type { Formats } from '../../papers/formats.ts';
import type { MonthFigures } from '../month-figures.ts';
import { monthAfter } from '../report-months.ts';
import type { Sheet } from './sheet.ts';
import { SAME_SHARE, type Words } from './sheet-tables.ts';

const YEAR_MONTHS = 12;

/** How the month was, in a few words; null where nothing is known to judge it by. */
export function verdictOf({ figures, ...month }: MonthFigures, words: Words, format: Formats): Sheet['verdict'] {
  const text = (key: 'running' | 'gaps' | 'young', values: Record<string, string | number>) => ({
    text: words(`monthly-sheet.verdict.${key}`, values),
    tone: 'muted' as const,
  });
  if (month.isArriving) return { text: words('charts.arriving'), tone: 'muted' };
  if (month.untilMs !== null) return text('running', { date: format.dayOf(month.untilMs) });
  if (month.recordedFrom !== null) return text('young', { date: format.day(month.recordedFrom) });
  if (month.days.known < month.days.all) return text('gaps', month.days);
  const before = month.lastYear?.generationWh ?? 0;
  if (before <= 0 || figures.generationWh === null) return besidesLastYear(month, words, format);
  const change = figures.generationWh / before - 1;
  const values = {
    percent: format.percent(Math.abs(change), 1),
    month: format.month(monthAfter(month.month, -YEAR_MONTHS)),
  };
  if (Math.abs(change) < SAME_SHARE) return { text: words('monthly-sheet.verdict.same', values), tone: 'good' };
  return change > 0
    ? { text: words('monthly-sheet.verdict.more', values), tone: 'good' }
    : { text: words('monthly-sheet.verdict.less', values), tone: 'bad' };
}

/** The verdict where the year before is not known: by neighbours, else by what was possible. */
function besidesLastYear(
  { peers, losses }: Pick<MonthFigures, 'peers' | 'losses'>,
  words: Words,
  format: Formats,
): Sheet['verdict'] {
  if (peers !== null && peers.median > 0) {
    const change = peers.own / peers.median - 1;
    const isSame = Math.abs(change) < SAME_SHARE;
    const key = isSame ? 'asNeighbours' : change > 0 ? 'moreThanNeighbours' : 'lessThanNeighbours';
    return {
      text: words(`monthly-sheet.verdict.${key}`, { percent: format.percent(Math.abs(change), 1) }),
      tone: isSame || change > 0 ? 'good' : 'bad',
    };
  }
  if (losses === null || losses.share === null) return null;
  const isWhole = losses.share < SAME_SHARE;
  return {
    text: words(`monthly-sheet.verdict.${isWhole ? 'allOfPossible' : 'lost'}`, {
      percent: format.percent(losses.share, 1),
    }),
    tone: isWhole ? 'good' : 'muted',
  };
}
