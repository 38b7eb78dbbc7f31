import type { Language } from '@sonnenwarte/contract/languages';
import type { Formats } from '../../papers/formats.ts';
import type { MonthFigures } from '../month-figures.ts';
import type { LostPart } from '../month-losses.ts';
import { monthAfter } from '../report-months.ts';
import type { Table } from './sheet.ts';
import { reasonName, type Words } from './sheet-tables.ts';

/** Less than this is not worth a word. */
const LEAST_WH = 1_000;

type Advice = 'shift' | 'clean' | 'shade' | 'look';

/** What helps against a loss. Against snow, an inverter that is built so, and what nobody can explain nothing does. */
const adviceOf: Readonly<Partial<Record<LostPart['kind'], Advice>>> = {
  'export-limit': 'shift',
  'battery-full': 'shift',
  soiling: 'clean',
  shade: 'shade',
  'string-weak': 'look',
  standstill: 'look',
  alarm: 'look',
  offline: 'look',
  'meter-wrong': 'look',
};

/** What would help most in the month to come, by what the one that is over lacked; null where nothing speaks for anything. */
export function tipOf(month: MonthFigures, words: Words, format: Formats, language: Language): Table | null {
  // Of some days alone nothing is said for a month.
  if (month.untilMs !== null || month.recordedFrom !== null || month.isArriving) return null;
  const note = ofLosses(month, words, format, language) ?? ofUse(month, words, format);
  if (note === null) return null;
  const title = words('monthly-sheet.tip.title', { month: format.month(monthAfter(month.month)) });
  return { title, head: [], rows: [], widths: [], note };
}

function ofLosses({ losses }: MonthFigures, words: Words, format: Formats, language: Language): string | null {
  for (const part of losses?.parts ?? []) {
    const advice = adviceOf[part.kind];
    if (losses === null || advice === undefined || part.wh < LEAST_WH) continue;
    const money = part.money === null ? '' : ` (${format.money(part.money, losses.currency)})`;
    return words(`monthly-sheet.tip.${advice}`, {
      reason: reasonName(part, words, language),
      energy: `${format.energyText(part.wh)}${money}`,
    });
  }
  return null;
}

/** Who sells and buys in one month can use more of the own. */
function ofUse({ figures: { feedInWh, purchaseWh } }: MonthFigures, words: Words, format: Formats): string | null {
  if (feedInWh === null || purchaseWh === null || Math.min(feedInWh, purchaseWh) < LEAST_WH) return null;
  return words('monthly-sheet.tip.use', { fedIn: format.energyText(feedInWh), bought: format.energyText(purchaseWh) });
}
