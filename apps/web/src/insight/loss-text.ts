import type { LossReason, LossWeek } from '@sonnenwarte/contract/insight/week';
import { useTranslation } from 'react-i18next';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';

export interface LossText {
  /** What most likely takes the energy, in a few words. */
  reason: string;
  /** What to do about it. */
  step: string;
}

/** `String3` and `MPPT2` of a plant as people read them. */
const nameOfString = (key: string): string => key.replace(/^(\D+)(\d+)$/, '$1 $2');

/** A reason in words, with the numbers on which it rests. */
export function useLossText(): (reason: LossReason) => LossText {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  const percent = (share: number): string => format.percent(100 * share);
  return (found) => {
    switch (found.kind) {
      case 'alarm': {
        const { name, advice } = alarmText(found.evidence.code);
        return { reason: name, step: advice };
      }
      case 'offline':
        return { reason: t('insight.reason.offline'), step: t('insight.step.offline') };
      case 'standstill':
        return {
          reason: t('insight.reason.standstill', { device: found.evidence.device }),
          step: t('insight.step.standstill'),
        };
      case 'string-weak': {
        const { against, string, share } = found.evidence;
        const texts = { string: nameOfString(string), percent: percent(share) };
        return {
          reason: against === 'peers' ? t('insight.reason.peers', texts) : t('insight.reason.past', texts),
          step: t('insight.step.string-weak'),
        };
      }
      case 'clipping':
        return {
          reason: t('insight.reason.clipping', { power: format.power(found.evidence.ratedAcW) }),
          step: t('insight.step.clipping'),
        };
      case 'export-limit':
        return {
          reason: t('insight.reason.exportLimit', { power: format.power(found.evidence.limitW) }),
          step: t('insight.step.export-limit'),
        };
      case 'battery-full':
        return {
          reason: t('insight.reason.batteryFull', { power: format.power(found.evidence.limitW) }),
          step: t('insight.step.battery-full'),
        };
      case 'snow':
        return { reason: t('insight.reason.snow'), step: t('insight.step.snow') };
      case 'shade':
        return { reason: t('insight.reason.shade'), step: t('insight.step.shade') };
      case 'soiling':
        return {
          reason: t('insight.reason.soiling', { percent: format.percent(100 * Math.abs(found.evidence.perDay), 1) }),
          step: t('insight.step.soiling'),
        };
      case 'meter-wrong':
        return { reason: t('insight.reason.meterSign'), step: t('insight.step.meter-wrong') };
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
      return { ...lossText(first.reason), since: t('insight.attention.since', { day: format.day(first.since) }) };
    const shares = days.flatMap(({ share }) => share ?? []);
    if (lossWh === null || lossWh === 0 || shares.length === 0) return undefined;
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    return {
      reason: t('insight.reason.unknown', { percent: format.percent(100 * Math.max(0, 1 - mean)) }),
      step: t('insight.step.unknown'),
      since: '',
    };
  };
}
