import {
  DAY_MINUTES,
  EVERY_DAY,
  MOST_PERIODS,
  overlapping,
  type PricePeriod,
} from '@sonnenwarte/contract/work-modes/plan';
import type { WorkMode } from '@sonnenwarte/contract/work-modes/work-modes';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Toggle } from '../blocks/form/toggle.tsx';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { useFormat } from '../format/use-format.ts';
import { DaysChoice } from './days-choice.tsx';
import { TypedNumber, TypedPrice, TypedTime } from './typed.tsx';
import type { PlanDraft } from './use-plan-draft.ts';
import styles from './work-modes.module.css';

/** What holds in every mode, and what belongs to one of them. */
export function LimitsPanel({
  draft,
  view,
  readOnly,
}: {
  draft: PlanDraft;
  view: WorkMode;
  readOnly: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { plan } = draft;
  const { bounds } = view;
  const { capacityWh, efficiencyPercent, isMeasured } = view.limits;
  return (
    <Panel title={t('work-modes.limits')}>
      <div className={styles.fields}>
        <TypedNumber
          label={t('work-modes.minSoc')}
          unit="%"
          value={plan.minSoc}
          least={bounds.minSoc.least}
          most={bounds.minSoc.most}
          disabled={readOnly || !bounds.minSoc.canWrite}
          hint={t('work-modes.minSocHint')}
          onChange={(minSoc) => draft.set({ minSoc })}
        />
        {plan.backupSoc !== null && (
          <TypedNumber
            label={t('work-modes.backupSoc')}
            unit="%"
            value={plan.backupSoc}
            least={bounds.backupSoc.least}
            most={bounds.backupSoc.most}
            disabled={readOnly || !bounds.backupSoc.canWrite}
            hint={t('work-modes.backupHint')}
            refusal={plan.backupSoc < plan.minSoc ? t('blocks.reason.backupBelowMin') : undefined}
            onChange={(backupSoc) => draft.set({ backupSoc })}
          />
        )}
        {plan.peakLimitW !== null && (
          <TypedNumber
            label={t('work-modes.peakLimit')}
            unit="W"
            value={plan.peakLimitW}
            least={bounds.peakLimitW.least}
            most={bounds.peakLimitW.most}
            disabled={readOnly || !bounds.peakLimitW.canWrite}
            hint={t('work-modes.peakHint')}
            onChange={(peakLimitW) => draft.set({ peakLimitW })}
          />
        )}
        {plan.gridCharge !== null && (
          <div className={styles.switch}>
            <Toggle
              label={t('work-modes.gridCharge')}
              checked={plan.gridCharge}
              busy={readOnly}
              onChange={(gridCharge) => draft.set({ gridCharge })}
            />
            <p className={styles.note}>
              {t('work-modes.gridChargeHint', {
                backup: t('work-modes.mode.backup'),
                peakShaving: t('work-modes.mode.peakShaving'),
              })}
            </p>
          </div>
        )}
        {view.capacityWh !== null && (
          <p className={styles.note}>
            {t(isMeasured ? 'work-modes.measured' : 'work-modes.nameplate', {
              capacity: format.energy(capacityWh),
              efficiency: format.percent(efficiencyPercent, 0),
            })}
          </p>
        )}
      </div>
    </Panel>
  );
}

const NEW_PRICE = { startMin: 0, endMin: DAY_MINUTES, days: EVERY_DAY, price: 30 };

/** Prices by period as the device itself keeps them, for its own display and choice of times. */
export function PricesPanel({ draft, readOnly }: { draft: PlanDraft; readOnly: boolean }): ReactNode {
  const { t } = useTranslation();
  const { pricePeriods } = draft.plan;
  if (pricePeriods === null) return null;
  const set = (periods: PricePeriod[]) => draft.set({ pricePeriods: periods });
  const change = (place: number, own: Partial<PricePeriod>) =>
    set(pricePeriods.map((period, at) => (at === place ? { ...period, ...own } : period)));
  const wrong = overlapping(pricePeriods);
  const nextMin = pricePeriods.at(-1)?.endMin ?? 0;
  return (
    <Panel title={t('work-modes.prices')}>
      <div className={styles.fields}>
        <p className={styles.note}>{t('work-modes.pricesHint')}</p>
        {pricePeriods.map((period, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a period is its place
          <fieldset key={place} className={styles.pricePeriod}>
            <legend className="visually-hidden">{t('work-modes.pricePeriod', { number: place + 1 })}</legend>
            <div className={styles.pair}>
              <TypedTime
                label={t('work-modes.begin')}
                value={period.startMin}
                disabled={readOnly}
                onChange={(startMin) => change(place, { startMin })}
              />
              <TypedTime
                label={t('work-modes.end')}
                value={period.endMin}
                disabled={readOnly}
                refusal={wrong.includes(place) ? t('work-modes.problem.overlaps') : undefined}
                onChange={(endMin) => change(place, { endMin })}
              />
            </div>
            <TypedPrice
              label={t('work-modes.priceOf')}
              unit="ct/kWh"
              value={period.price}
              disabled={readOnly}
              onChange={(price) => change(place, { price })}
            />
            <DaysChoice days={period.days} disabled={readOnly} onChange={(days) => change(place, { days })} />
            {!readOnly && (
              <IconButton
                aria-label={t('work-modes.removePrice', { number: place + 1 })}
                onClick={() => set(pricePeriods.toSpliced(place, 1))}
              >
                <IconTrash size={18} aria-hidden="true" />
              </IconButton>
            )}
          </fieldset>
        ))}
        {!readOnly && pricePeriods.length < MOST_PERIODS && (
          <Button
            small
            onClick={() =>
              set([...pricePeriods, { ...NEW_PRICE, startMin: nextMin >= DAY_MINUTES - 30 ? 0 : nextMin }])
            }
          >
            <IconPlus size={16} aria-hidden="true" />
            {t('work-modes.addPrice')}
          </Button>
        )}
      </div>
    </Panel>
  );
}
