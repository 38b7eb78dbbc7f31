import type { SiteStory, StorySpan } from '@sonnenwarte/contract/story/story';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';
import { Figures } from './figures-in-text.tsx';

/** What each part of the generation is called in the definitions of figures. */
const meaningOf = {
  house: 'story.meaning.house',
  car: 'story.meaning.car',
  battery: 'story.meaning.battery',
  grid: 'story.meaning.grid',
  loss: 'story.meaning.loss',
  undivided: 'story.meaning.undivided',
} as const;

/** The sentences of a story, as many as there is something to say for. */
export function useSentences(timeZone: string): (told: SiteStory, span: StorySpan) => ReactNode[] {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();

  const sunSentence = ({ sun }: SiteStory, span: StorySpan): ReactNode => {
    const figures = new Figures();
    if (sun.kind === 'unknown') return t('story.sun.unknown');
    if (sun.kind === 'notYet') return t('story.sun.notYet');
    const energy = figures.mark(format.energy(sun.energyWh), t('sites.hint.generationWh'));
    if (sun.kind === 'plain') return figures.within(t('story.sun.plain', { energy }));
    const other = t(sun.other === 'mean' ? 'story.other.mean' : `story.other.${span}_${sun.other}`);
    if (sun.kind === 'same') return figures.within(t('story.sun.same', { energy, other }));
    const percent = figures.mark(format.percent(sun.percent, 0), t('story.meaning.percent', { other }));
    return figures.within(t(`story.sun.${sun.kind}`, { energy, percent, other }));
  };

  const wentSentence = ({ use }: SiteStory): ReactNode => {
    if (use === null) return null;
    const figures = new Figures();
    if (use.kind === 'bought') {
      return figures.within(
        t('story.use.bought', {
          energy: figures.mark(format.energy(use.consumptionWh), t('sites.hint.consumptionWh')),
          bought: figures.mark(format.energy(use.purchaseWh), t('sites.hint.purchaseWh')),
        }),
      );
    }
    const rounded = format.energyParts([...use.parts.map(({ energyWh }) => energyWh), 0]).parts;
    const nothing = rounded.at(-1);
    const told = use.parts.flatMap(({ to }, place) => {
      const energy = rounded[place];
      if (energy === undefined || energy === nothing) return [];
      return t(`story.part.${to}`, { energy: figures.mark(energy, t(meaningOf[to])) });
    });
    const parts = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(told);
    if (use.selfSufficiencyPercent === null) return figures.within(t('story.use.parts', { parts }));
    const percent = figures.mark(format.percent(use.selfSufficiencyPercent, 0), t('sites.hint.selfSufficiencyPercent'));
    return figures.within(t('story.use.covered', { parts, percent }));
  };

  const unusualSentence = ({ unusual }: SiteStory, span: StorySpan): ReactNode => {
    if (unusual === null) return null;
    const clock = (tsMs: number): string => format.time(tsMs, timeZone);
    switch (unusual.kind) {
      case 'alarm': {
        const { name } = alarmText(unusual.alarm.code);
        const since = format.dateTime(unusual.alarm.sinceMs, timeZone);
        const others = format.number(unusual.others);
        return unusual.others > 0
          ? t('story.unusual.alarms', { alarm: name, since, others })
          : t('story.unusual.alarm', { alarm: name, since });
      }
      case 'gap':
        return t('story.unusual.gap', { from: clock(unusual.fromMs), to: clock(unusual.toMs) });
      case 'missingDays':
        return t('story.unusual.missingDays', { number: format.number(unusual.days) });
      case 'drop': {
        const figures = new Figures();
        return figures.within(
          t('story.unusual.drop', {
            from: clock(unusual.fromMs),
            to: clock(unusual.toMs),
            energy: figures.mark(format.energy(unusual.lostWh), t('story.meaning.lost')),
          }),
        );
      }
      case 'nothing':
        return t(`story.nothing.${span}`);
      default:
        return t(`story.unusual.${unusual.kind}`);
    }
  };

  return (told, span) =>
    [sunSentence(told, span), wentSentence(told), unusualSentence(told, span)].filter((sentence) => sentence !== null);
}
