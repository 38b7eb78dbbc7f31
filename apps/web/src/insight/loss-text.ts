import type { LossReason } from '@sonnenwarte/contract/losses/reasons';
import type { LossWeek } from '@sonnenwarte/contract/losses/week';
import { useTranslation } from 'react-i18next';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';

export interface LossText {
  /** What most likely takes the energy, in a few words. */
  reason: string;
  /** What to do about it. */
  step: string;
}

/** A reason in words, with the numbers on which it rests. */
export function useLossText(): (reason: LossReason) => LossText {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  /** `String3` and `MPPT2` of a plant as people read them. */
  const nameOfString = (key: string): string => {
    const [, kind = '', n = ''] = /^(\D+)(\d+)$/.exec(key) ?? [];
    return kind === 'String' ? t('losses.string', { n }) : `${kind} ${n}`;
  };
  const percent = (share: number): string => format.percent(100 * share);
  return (found) => {
    switch (found.kind) {
      case 'alarm': {
        const { name, advice } = alarmText(found.evidence.code);
        return { reason: name, step: advice };
      }
      case 'offline':
        return { reason: t('losses.reason.offline'), step: t('losses.step.offline') };
      case 'standstill':
        return {
          reason: t('losses.reason.standstill', { device: found.evidence.device }),
          step: t('losses.step.standstill'),
        };
      case 'string-weak': {
        const { against, string, share } = found.evidence;
        const texts = { string: nameOfString(string), percent: percent(share) };
        return {
          reason: against === 'peers' ? t('losses.reason.peers', texts) : t('losses.reason.past', texts),
          step: t('losses.step.string-weak'),
        };
      }
      case 'clipping':
        return {
          reason: t('losses.reason.clipping', { power: format.power(found.evidence.ratedAcW) }),
          step: t('losses.step.clipping'),
        };
      case 'export-limit':
        return {
          reason: t('losses.reason.exportLimit', { power: format.power(found.evidence.limitW) }),
          step: t('losses.step.export-limit'),
        };
      case 'battery-full':
        return {
          reason: t('losses.reason.batteryFull', { power: format.power(found.evidence.limitW) }),
          step: t('losses.step.battery-full'),
        };
      case 'snow':
        return { reason: t('losses.reason.snow'), step: t('losses.step.snow') };
      case 'shade':
        return { reason: t('losses.reason.shade'), step: t('losses.step.shade') };
      case 'soiling':
        return {
          reason: t('losses.reason.soiling', { percent: format.percent(100 * Math.abs(found.evidence.perDay), 1) }),
          step: t('losses.step.soiling'),
        };
      case 'meter-wrong': {
        const { counted } = found.evidence;
        if (counted !== undefined) {
          const energies = { told: format.energy(counted.toldWh), counted: format.energy(counted.countedWh) };
          return { reason: t('losses.reason.powerWrong', energies), step: t('losses.step.power-wrong') };
        }
        return { reason: t('losses.reason.meterSign'), step: t('losses.step.meter-wrong') };
      }
    }
  };
}

/** What a week comes to in words; undefined where it tells of no loss. */
export function useWeekText(): (week: LossWeek) => (LossText & { since: string }) | undefined {
  const { t } = useTranslation();
  const format = useFormat();
  const lossText = useLossText();
  return ({ reasons: [first], days, lossWh }) => {
    if (first !== undefined)
      return { ...lossText(first.reason), since: t('losses.attention.since', { day: format.day(first.since) }) };
    const shares = days.flatMap(({ share }) => share ?? []);
    if (lossWh === null || lossWh === 0 || shares.length === 0) return undefined;
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    return {
      reason: t('losses.reason.unknown', { percent: format.percent(100 * Math.max(0, 1 - mean)) }),
      step: t('losses.step.unknown'),
      since: '',
    };
  };
}
