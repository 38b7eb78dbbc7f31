import { type PhraseKey, phraseText } from '../../exports/phrase-text.ts';
import type { Tone } from '../../papers/colours.ts';
import { energyUnitOf, Formats } from '../../papers/formats.ts';
import type { MonthFigures, Part } from '../month-figures.ts';
import type { Sheet, SheetTask, Split } from './sheet.ts';
import { alarmsOf, comparisonOf, lossesOf, qualityOf, type Words } from './sheet-tables.ts';
import { tipOf } from './tip.ts';
import { verdictOf } from './verdict.ts';

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
  besides: readonly Part[] = [],
): Split {
  const shown = format.adding(parts.map(({ wh }) => wh));
  const sumWh = parts.reduce((sum, { wh }) => sum + wh, 0);
  const nameOf = (name: Part['name']) => words(`charts.part.${name}`);
  const others = besides.map(({ name, wh }) => `${nameOf(name)} ${format.energyText(wh)}`);
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
        : [
            told.join(', '),
            `${words('monthly-sheet.sum')} ${format.energyText(sumWh)}`,
            ...(others.length === 0 ? [] : [words('monthly-sheet.alsoFedIn', { parts: others.join(', ') })]),
          ].join(' · '),
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
      splitOf(words('charts.production'), month.to, words, format, 'production', month.alsoFedIn),
      splitOf(words('charts.consumption'), month.from, words, format, 'consumption'),
    ],
    tables: [
      comparisonOf(month, words, format),
      lossesOf(month, words, format, language),
      alarmsOf(month, words, format, language),
      qualityOf(month, words, format),
    ],
    tip: tipOf(month, words, format, language),
    foot: [
      foot.filter((each) => each !== '').join(' · '),
      words('monthly-sheet.made', { date: format.dayOf(month.madeMs) }),
    ],
  };
}
