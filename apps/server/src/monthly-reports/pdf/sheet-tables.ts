import type { Language } from '@sonnenwarte/contract/languages';
import type { SiteAlarm } from '@sonnenwarte/contract/sites/site-alarms';
import { sumMoney } from '@sonnenwarte/energy/accounting/money';
import { alarmName } from '../../exports/alarm-name.ts';
import type { PhraseKey } from '../../exports/phrase-text.ts';
import type { Tone } from '../../papers/colours.ts';
import { energyUnitOf, type Formats } from '../../papers/formats.ts';
import type { MonthFigures } from '../month-figures.ts';
import type { Losses, LostPart } from '../month-losses.ts';
import type { Cell, Table } from './sheet.ts';

export type Words = (key: PhraseKey, values?: Readonly<Record<string, string | number>>) => string;

/** What differs by less is told as the same. */
export const SAME_SHARE = 0.01;
const MOST_REASONS = 5;

export function comparisonOf(month: MonthFigures, words: Words, format: Formats): Table {
  const { now, lastYear, peers } = month;
  const pair = (
    label: string,
    one: number | null,
    other: number | null,
    shown: (value: number) => string,
    isMoreGood: boolean,
  ): Cell[][] => {
    if (one === null || other === null) return [];
    const change = other > 0 ? one / other - 1 : null;
    const tone: Tone =
      change === null || Math.abs(change) < SAME_SHARE ? 'muted' : change > 0 === isMoreGood ? 'good' : 'bad';
    return [
      [
        { text: label },
        { text: shown(one), bold: true },
        { text: shown(other), tone: 'muted' },
        { text: change === null ? '–' : format.change(change), tone, bold: true },
      ],
    ];
  };
  const year = (key: 'generated' | 'consumed' | 'fedIn') =>
    words('monthly-sheet.lastYear', { what: words(`monthly-sheet.${key}`) });
  const energy = (wh: number) => format.energyText(wh);
  const rows = [
    ...pair(year('generated'), now.generationWh, lastYear?.generationWh ?? null, energy, true),
    ...pair(year('consumed'), now.consumptionWh, lastYear?.consumptionWh ?? null, energy, false),
    ...pair(year('fedIn'), now.feedInWh, lastYear?.feedInWh ?? null, energy, true),
    ...pair(
      words('monthly-sheet.neighbours'),
      peers?.own ?? null,
      peers?.median ?? null,
      (value) => format.number(value, 1),
      true,
    ),
  ];
  return {
    title: words('monthly-sheet.comparison'),
    head: ['', format.shortMonth(month.month), words('monthly-sheet.compared'), words('monthly-sheet.change')],
    rows,
    widths: [68, 62, 46],
    note: rows.length === 0 ? words('monthly-sheet.notCompared') : '',
  };
}

interface ShownLoss extends Omit<LostPart, 'kind'> {
  readonly kind: LostPart['kind'] | 'others';
}

/** The costliest parts, and what the others come to together. */
function folded({ parts, money }: Losses): ShownLoss[] {
  if (parts.length <= MOST_REASONS) return [...parts];
  const others = parts.slice(MOST_REASONS - 1);
  const amount = money === null ? null : sumMoney(others.flatMap((part) => part.money ?? []));
  const wh = others.reduce((sum, part) => sum + part.wh, 0);
  return [...parts.slice(0, MOST_REASONS - 1), { kind: 'others', code: null, wh, money: amount }];
}

/** What a loss is put down to. */
export const reasonName = (
  { kind, code }: Pick<ShownLoss, 'kind' | 'code'>,
  words: Words,
  language: Language,
): string =>
  kind === 'unexplained' || kind === 'others'
    ? words(`monthly-sheet.${kind}`)
    : kind === 'alarm' && code !== null
      ? alarmName(code, language)
      : words(`insight.kind.${kind}`);

export function lossesOf({ losses, days }: MonthFigures, words: Words, format: Formats, language: Language): Table {
  const title = words('monthly-sheet.lost');
  if (losses === null) return { title, head: [], rows: [], widths: [], note: words('monthly-sheet.lossUnknown') };
  const { wh, money, currency, share } = losses;
  const parts = folded(losses);
  const known = losses.days < days.all ? words('monthly-sheet.lossDays', { days: losses.days, all: days.all }) : '';
  if (parts.length === 0) {
    const note = [words('monthly-sheet.nothingLost'), known].filter((each) => each !== '').join(' ');
    return { title, head: [], rows: [], widths: [], note };
  }
  const shown = format.adding(
    parts.map((part) => part.wh),
    wh,
  );
  const { unit } = energyUnitOf(wh);
  const rows = parts.map((part, place): Cell[] => [
    { text: reasonName(part, words, language) },
    { text: shown[place] ?? '', bold: true },
    { text: format.money(part.money, currency) },
  ]);
  const sum =
    share === null
      ? words('monthly-sheet.lostSum')
      : words('monthly-sheet.lostSumOf', { percent: format.percent(share, 1) });
  return {
    title,
    head: [words('monthly-sheet.reason'), unit, currency],
    rows: [
      ...rows,
      [
        { text: sum, bold: true },
        { text: format.energy(wh).value, bold: true },
        { text: format.money(money, currency), bold: true },
      ],
    ],
    widths: [52, 62],
    note: known,
  };
}

export function alarmsOf(
  { alarms, allAlarms }: MonthFigures,
  words: Words,
  format: Formats,
  language: Language,
): Table {
  const lastedFor = ({ sinceMs, untilMs }: SiteAlarm): string =>
    untilMs === null ? '' : `, ${format.duration(untilMs - sinceMs)}`;
  const rows = alarms.map((alarm): Cell[] => [
    { text: `${format.moment(alarm.sinceMs)}  ${alarmName(alarm.code, language)}${lastedFor(alarm)}` },
    alarm.untilMs === null
      ? { text: words('monthly-sheet.stands'), tone: 'bad', bold: true }
      : { text: words('monthly-sheet.over'), tone: 'good', bold: true },
  ]);
  const others = allAlarms - alarms.length;
  return {
    title: words('monthly-sheet.alarms'),
    head: [],
    rows,
    widths: [62],
    note:
      alarms.length === 0
        ? words('monthly-sheet.noAlarms')
        : others > 0
          ? words('monthly-sheet.moreAlarms', { count: others })
          : '',
  };
}

export function qualityOf({ availability, measuredShare, days }: MonthFigures, words: Words, format: Formats): Table {
  const row = (key: PhraseKey, text: string): Cell[] => [{ text: words(key) }, { text, bold: true }];
  return {
    title: words('monthly-sheet.quality'),
    head: [],
    rows: [
      row('monthly-sheet.ran', format.percent(availability === null ? null : availability / 100, 1)),
      row('monthly-sheet.measured', format.percent(measuredShare, 1)),
      row('monthly-sheet.daysKnown', words('monthly-sheet.ofDays', days)),
    ],
    widths: [72],
    note: '',
  };
}
