import {
  LEAST_PERIOD_MIN,
  LEAST_SOC,
  MOST_POWER_W,
  MOST_SOC,
  type PlanAction,
  planActions,
} from '@sonnenwarte/contract/work-modes/plan';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../blocks/form/select.tsx';
import { Button } from '../blocks/show/button.tsx';
import { useFormat } from '../format/use-format.ts';
import { DaysChoice } from './days-choice.tsx';
import { usePeriodText } from './period-text.ts';
import { periodProblem } from './plan-edit.ts';
import { TypedNumber, TypedTime } from './typed.tsx';
import type { PlanDraft } from './use-plan-draft.ts';
import styles from './work-modes.module.css';

interface PeriodFieldsProps {
  draft: PlanDraft;
  place: number;
  readOnly: boolean;
  /** Charge periods alone are edited: they do nothing else. */
  chargeOnly?: boolean;
}

/** The window that is chosen, typed. */
export function PeriodFields({ draft, place, readOnly, chargeOnly = false }: PeriodFieldsProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const text = usePeriodText();
  const { plan, told } = draft;
  const period = plan.periods[place];
  if (period === undefined) return null;
  const problem = periodProblem(plan.periods, place, plan);
  const { action } = period;
  const isDischarge = action === 'discharge';
  const before = told.periods[place];
  const isOther = before !== undefined && JSON.stringify(before) !== JSON.stringify(period);
  return (
    <div className={styles.fields}>
      <div className={styles.pair}>
        <TypedTime
          label={t('work-modes.begin')}
          value={period.startMin}
          disabled={readOnly}
          refusal={problem === 'overlaps' ? t('work-modes.problem.overlaps') : undefined}
          onChange={(startMin) => draft.setPeriod(place, { startMin })}
        />
        <TypedTime
          label={t('work-modes.end')}
          value={period.endMin}
          disabled={readOnly}
          refusal={problem === 'tooShort' ? t('work-modes.problem.tooShort') : undefined}
          onChange={(endMin) => draft.setPeriod(place, { endMin })}
        />
      </div>
      {!chargeOnly && (
        <Select
          label={t('work-modes.what')}
          value={action}
          options={planActions.map((value) => ({ value, label: text.action(value) }))}
          onChange={(value) => !readOnly && draft.act(place, value as PlanAction)}
        />
      )}
      {action !== 'hold' && (
        <>
          <TypedNumber
            label={t('work-modes.power')}
            unit="W"
            value={period.powerW}
            least={0}
            most={MOST_POWER_W}
            disabled={readOnly}
            onChange={(powerW) => draft.setPeriod(place, { powerW })}
          />
          <TypedNumber
            label={t('work-modes.untilSoc')}
            unit="%"
            value={isDischarge ? period.minSoc : period.fdSoc}
            least={LEAST_SOC}
            most={MOST_SOC}
            disabled={readOnly}
            refusal={
              problem === 'belowMin' || problem === 'fdSoc'
                ? t('work-modes.problem.belowMin', { soc: format.percent(plan.minSoc) })
                : undefined
            }
            onChange={(soc) =>
              draft.setPeriod(
                place,
                isDischarge ? { minSoc: soc } : { fdSoc: soc, minSoc: Math.min(period.minSoc, soc) },
              )
            }
          />
        </>
      )}
      <DaysChoice days={period.days} disabled={readOnly} onChange={(days) => draft.setPeriod(place, { days })} />
      {isOther && (
        <p className={styles.differs}>
          {t('work-modes.onDevice', {
            period: `${text.times(before)} ${text.action(before.action)} ${text.detail(before)}`.trim(),
          })}
        </p>
      )}
      <p className={styles.note}>
        {t('work-modes.bounds', { minutes: LEAST_PERIOD_MIN, power: format.power(MOST_POWER_W) })}
      </p>
      {!readOnly && (
        <Button look="danger-quiet" small onClick={() => draft.remove(place)}>
          <IconTrash size={16} aria-hidden="true" />
          {t('work-modes.remove')}
        </Button>
      )}
    </div>
  );
}
