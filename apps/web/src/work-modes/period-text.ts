import { type PlanAction, type PlanPeriod, targetOf } from '@sonnenwarte/contract/work-modes/plan';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { clockOf } from './plan-edit.ts';

/** What a period does, in words. */
export function usePeriodText() {
  const { t } = useTranslation();
  const format = useFormat();
  const action = (which: PlanAction): string => t(`work-modes.action.${which}`);
  const times = ({ startMin, endMin }: Pick<PlanPeriod, 'startMin' | 'endMin'>): string =>
    `${clockOf(startMin)}–${clockOf(endMin)}`;
  const detail = (period: PlanPeriod): string =>
    period.action === 'hold'
      ? ''
      : t('work-modes.detail', { power: format.power(period.powerW), soc: format.percent(targetOf(period)) });
  return {
    action,
    times,
    detail,
    spoken: (period: PlanPeriod, number: number): string =>
      t('work-modes.spoken', {
        number,
        times: times(period),
        what: action(period.action),
        detail: detail(period),
      }).trim(),
  };
}
