import type { Plan } from '@sonnenwarte/contract/work-modes/plan';
import { useTranslation } from 'react-i18next';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import { usePeriodText } from './period-text.ts';
import type { PlanValue } from './use-plan-draft.ts';

/** What a plan says beside its periods, in words. */
export function usePlanValues() {
  const { t } = useTranslation();
  const format = useFormat();
  const text = usePeriodText();
  const percent = (value: number | null): string => (value === null ? NOT_MEASURED : format.percent(value));
  const labels: Record<PlanValue, string> = {
    mode: t('work-modes.modeLabel'),
    minSoc: t('work-modes.minSoc'),
    backupSoc: t('work-modes.backupSoc'),
    gridCharge: t('work-modes.gridCharge'),
    peakLimitW: t('work-modes.peakLimit'),
    pricePeriods: t('work-modes.prices'),
  };
  const tell: Record<PlanValue, (plan: Plan) => string> = {
    mode: ({ mode }) => t(`work-modes.mode.${mode}`),
    minSoc: ({ minSoc }) => percent(minSoc),
    backupSoc: ({ backupSoc }) => percent(backupSoc),
    gridCharge: ({ gridCharge }) => (gridCharge === null ? NOT_MEASURED : t(`work-modes.gridChargeIs.${gridCharge}`)),
    peakLimitW: ({ peakLimitW }) => (peakLimitW === null ? NOT_MEASURED : format.power(peakLimitW)),
    pricePeriods: ({ pricePeriods }) =>
      (pricePeriods ?? [])
        .map((period) => `${text.times(period)} ${format.number(period.price, 2)} ct/kWh`)
        .join(', ') || NOT_MEASURED,
  };
  return { labels, tell };
}
