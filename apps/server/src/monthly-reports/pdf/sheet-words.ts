import type { Language } from '@sonnenwarte/contract/languages';
import type { SiteAlarm } from '@sonnenwarte/contract/sites/site-alarms';
import { sumMoney } from '@sonnenwarte/energy/accounting/money';
import { alarmName } from '../../exports/alarm-name.ts';
import { type PhraseKey, phraseText } from '../../exports/phrase-text.ts';
import type { MonthFigures, Part } from '../month-figures.ts';
import type { Losses, LostPart } from '../month-losses.ts';
import { monthAfter } from '../report-months.ts';
import { energyUnitOf, Formats } from './formats.ts';
import type { Cell, Sheet, SheetTask, Split, Table, Tone } from './sheet.ts';

type Words = (key: PhraseKey, values?: Readonly<Record<string, string | number>>) => string;

/** What differs by less is told as the same. */
const SAME_SHARE = 0.01;
const YEAR_MONTHS = 12;
const MOST_REASONS = 5;

const toneOf: Readonly<Record<Part['name'], Tone>> = {
  house: 'load',
  car: 'charger',
  sun: 'pv',
  external: 'external',
  battery: 'battery',
  grid: 'grid',
  loss: 'off',
  undivided: 'brand',
};

function verdictOf({ figures, ...month }: MonthFigures, words: Words, format: Formats): Sheet['verdict'] {
  const text = (key: 'running' | 'gaps' | 'young', values: Record<string, string | number>) => ({
    text: words(`monthly-sheet.verdict.${key}`, values),
    tone: 'muted' as const,
  });
  if (month.isArriving) return { text: words('charts.arriving'), tone: 'muted' };
  if (month.untilMs !== null) return text('running', { date: format.dayOf(month.untilMs) });
  if (month.recordedFrom !== null) return text('young', { date: format.day(month.recordedFrom) });
  if (month.days.known < month.days.all) return text('gaps', month.days);
  const before = month.lastYear?.generationWh ?? 0;
  if (before <= 0 || figures.generationWh === null) return null;
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

function figuresOf({ figures, money, currency }: MonthFigures, words: Words, format: Formats): Sheet['figures'] {
  const { generationWh, consumptionWh, feedInWh, specificYield, selfSufficiencyPercent, qualities } = figures;
  const estimated = (quality: string): string => (quality === 'estimated' ? ` · ${words('states.estimated')}` : '');
  const note = (text: string | null, quality: string): string =>
    text === null ? estimated(quality).slice(3) : text + estimated(quality);
  const of = (key: PhraseKey, values: Record<string, string>) => words(key, values);
  return [
    {
      label: words('monthly-sheet.generated'),
      ...format.energy(generationWh),
      note: note(
        specificYield === null ? null : of('monthly-sheet.perKwp', { yield: format.number(specificYield, 1) }),
        qualities.generationWh,
      ),
      tone: 'pv',
    },
    {
      label: words('monthly-sheet.consumed'),
      ...format.energy(consumptionWh),
      note: note(
        selfSufficiencyPercent === null
          ? null
          : of('monthly-sheet.ownShare', { percent: format.percent(selfSufficiencyPercent / 100) }),
        qualities.consumptionWh,
      ),
      tone: 'load',
    },
    {
      label: words('monthly-sheet.fedIn'),
      ...format.energy(feedInWh),
      note: note(
        money.earned === null ? null : of('monthly-sheet.paidFor', { money: format.money(money.earned, currency) }),
        qualities.feedInWh,
      ),
      tone: 'grid',
    },
    {
      label: words('monthly-sheet.benefit'),
      value: format.money(money.benefit, currency),
      unit: '',
      note:
        money.saved !== null
          ? of('monthly-sheet.saved', { money: format.money(money.saved, currency) })
          : money.benefit === null
            ? words('monthly-sheet.noPrice')
            : '',
      tone: 'brand',
    },
  ];
}

function chartOf({ bars }: MonthFigures, words: Words, format: Formats): Sheet['chart'] {
  const known = bars.flatMap(({ wh, possibleWh }) => [wh ?? 0, possibleWh ?? 0]);
  const { unit, wh: holds } = energyUnitOf(Math.max(0, ...known));
  const decimals = Math.max(0, ...known) / holds < 10 ? 2 : 1;
  const days = bars.map(
    ({ day, wh }) =>
      `${Number(day.slice(8))}: ${wh === null ? words('monthly-sheet.dayUnknown') : format.number(wh / holds, decimals)}`,
  );
  const has = (test: (bar: (typeof bars)[number]) => boolean, key: PhraseKey) => (bars.some(test) ? words(key) : null);
  return {
    title: words('monthly-sheet.everyDay'),
    legend: {
      generated: words('monthly-sheet.barGenerated', { unit }),
      estimated: has(({ isEstimated }) => isEstimated, 'monthly-sheet.barEstimated'),
      possible: has(({ possibleWh }) => possibleWh !== null, 'monthly-sheet.barPossible'),
      alarm: has(({ hasAlarm }) => hasAlarm, 'monthly-sheet.barAlarm'),
    },
    bars,
    unit: { wh: holds, text: (wh) => format.number(wh / holds, wh > 0 && wh / holds < 5 ? 1 : 0) },
    alt: words('monthly-sheet.chart', { unit, days: days.join('; ') }),
  };
}

function splitOf(
  title: string,
  parts: readonly Part[],
  words: Words,
  format: Formats,
  names: 'production' | 'consumption',
): Split {
  const shown = format.adding(parts.map(({ wh }) => wh));
  const sumWh = parts.reduce((sum, { wh }) => sum + wh, 0);
  const nameOf = (name: Part['name']) => words(`charts.part.${name}`);
  const told = parts.map(({ name }, place) => `${nameOf(name)} ${shown[place]}`);
  return {
    title,
    parts: parts.map(({ name, wh }, place) => ({
      label: nameOf(name),
      text: shown[place] ?? '',
      wh,
      // A source and where it goes have their own colours.
      tone: names === 'consumption' && name === 'undivided' ? 'brand' : toneOf[name],
    })),
    sentence:
      parts.length === 0
        ? words('monthly-sheet.dayUnknown')
        : `${told.join(', ')} · ${words('monthly-sheet.sum')} ${format.energyText(sumWh)}`,
  };
}

function comparisonOf(month: MonthFigures, words: Words, format: Formats): Table {
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
    head: ['', format.month(month.month), words('monthly-sheet.compared'), words('monthly-sheet.change')],
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

function lossesOf({ losses }: MonthFigures, words: Words, format: Formats, language: Language): Table {
  const title = words('monthly-sheet.lost');
  if (losses === null) return { title, head: [], rows: [], widths: [], note: words('monthly-sheet.lossUnknown') };
  const { wh, money, currency, share } = losses;
  const parts = folded(losses);
  if (parts.length === 0) return { title, head: [], rows: [], widths: [], note: words('monthly-sheet.nothingLost') };
  const shown = format.adding(
    parts.map((part) => part.wh),
    wh,
  );
  const { unit } = energyUnitOf(wh);
  const nameOf = ({ kind, code }: (typeof parts)[number]): string =>
    kind === 'unexplained' || kind === 'others'
      ? words(`monthly-sheet.${kind}`)
      : kind === 'alarm' && code !== null
        ? alarmName(code, language)
        : words(`insight.kind.${kind}`);
  const rows = parts.map((part, place): Cell[] => [
    { text: nameOf(part) },
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
    note: '',
  };
}

function alarmsOf({ alarms, allAlarms }: MonthFigures, words: Words, format: Formats, language: Language): Table {
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

function qualityOf({ availability, measuredShare, days }: MonthFigures, words: Words, format: Formats): Table {
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

/** The report of a month in the words of a language. */
export function sheetOf({ figures: month, language }: Pick<SheetTask, 'figures' | 'language'>): Sheet {
  const words: Words = (key, values) => phraseText(key, language, values);
  const { plant } = month;
  const format = new Formats(language, plant.timeZone);
  const name = format.month(month.month);
  const about = [
    [plant.city, format.country(plant.country)].filter((each) => each !== '').join(', '),
    plant.systemSizeKwp > 0 ? `${format.number(plant.systemSizeKwp, 1)} kWp` : '',
    plant.batteryWh === null ? '' : words('monthly-sheet.storage', { energy: format.energyText(plant.batteryWh) }),
    plant.since === null ? '' : words('monthly-sheet.since', { date: format.day(plant.since) }),
  ];
  const foot = [
    words('monthly-sheet.footBenefit'),
    month.losses === null ? '' : words('monthly-sheet.footPossible'),
    month.peers === null ? '' : words('monthly-sheet.footPeers', { count: month.peers.count }),
    words('monthly-sheet.zone', { zone: plant.timeZone }),
  ];
  return {
    title: `${words('monthly-sheet.title')} ${name}: ${plant.name}`,
    heading: `${words('monthly-sheet.title')} · ${name}`,
    plant: plant.name,
    about: about.filter((each) => each !== '').join(' · '),
    verdict: verdictOf(month, words, format),
    figures: figuresOf(month, words, format),
    chart: chartOf(month, words, format),
    splits: [
      splitOf(words('charts.production'), month.to, words, format, 'production'),
      splitOf(words('charts.consumption'), month.from, words, format, 'consumption'),
    ],
    tables: [
      comparisonOf(month, words, format),
      lossesOf(month, words, format, language),
      alarmsOf(month, words, format, language),
      qualityOf(month, words, format),
    ],
    foot: [
      foot.filter((each) => each !== '').join(' · '),
      words('monthly-sheet.made', { date: format.dayOf(month.madeMs) }),
    ],
  };
}
