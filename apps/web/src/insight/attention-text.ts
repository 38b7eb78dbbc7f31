import type { LossWeek } from '@sonnenwarte/contract/losses/week';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { type Trouble, useTroubleText } from '../sites/trouble-text.ts';
import { useWeekText } from './loss-text.ts';

interface Troubled extends Trouble {
  readonly ianaTimezone: string;
  /** Its newest seven days, where it needs attention for what it lost within them. */
  readonly losing: LossWeek | null;
}

export interface AttentionText {
  /** What is most likely wrong, in a few words. */
  reason: string;
  /** Since when; empty where that is not known. */
  since: string;
  /** Since when and of what, as far as it is known. */
  facts: readonly string[];
  /** When the trouble that it names began; null of losses, and where that is not known. */
  beganMs: number | null;
  /** What to do; empty where nothing is known. */
  step: string;
}

/** Why a plant needs attention. That nothing comes weighs more than what was lost before. */
export function useAttentionText(): (plant: Troubled) => AttentionText {
  const { t } = useTranslation();
  const format = useFormat();
  const troubleText = useTroubleText();
  const weekText = useWeekText();
  return (plant) => {
    const lost = plant.losing !== null && plant.state !== 'offline' ? weekText(plant.losing) : undefined;
    const trouble = troubleText(plant);
    const since =
      lost?.since ??
      (trouble.sinceMs === null
        ? ''
        : t('devices.since', { time: format.plantTime(trouble.sinceMs, plant.ianaTimezone) }));
    return {
      reason: lost?.reason ?? trouble.fault,
      since,
      facts: [since, lost === undefined ? trouble.of : ''].filter((each) => each !== ''),
      beganMs: lost === undefined ? trouble.sinceMs : null,
      step: lost?.step ?? trouble.advice,
    };
  };
}
