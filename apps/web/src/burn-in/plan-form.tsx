import type { planAdd, planEdit } from '@sonnenwarte/contract/burn-in/burn-in';
import {
  EFFICIENCY_FROM_PERCENT,
  isLowest,
  judgedLimits,
  MOST_STEPS,
  softLimits,
  unitOf,
} from '@sonnenwarte/contract/burn-in/plan';
import type { PlanRow } from '@sonnenwarte/contract/burn-in/rows';
import { alarmLevels } from '@sonnenwarte/contract/incidents/incidents';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { NumberField } from '../blocks/form/number-field.tsx';
import { RowGroup } from '../blocks/form/row-group.tsx';
import { useFormat } from '../format/use-format.ts';
import styles from './burn-in.module.css';
import { drawnSteps, firstPlan, type PlanValues, sentOf, valuesOf } from './plan-values.ts';
import { Profile } from './profile.tsx';

export function PlanAddForm({ of, words, onClose }: ActionProps<undefined, typeof planAdd>): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: firstPlan,
    draft: 'new plan',
    prepare: sentOf as never,
    reasons: { 'limits.allowedCodes': t('burn-in.plan.codesWrong') },
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={words.label} opened wide onClose={onClose} submitLabel={t('burn-in.plan.save')}>
      <PlanFields form={form} />
    </FormDialog>
  );
}

export function PlanEditForm({ row, of, onClose }: ActionProps<PlanRow, typeof planEdit>): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: valuesOf(row),
    draft: row.planID,
    prepare: ((values: PlanValues) => ({ planID: row.planID, ...sentOf(values) })) as never,
    reasons: { 'limits.allowedCodes': t('burn-in.plan.codesWrong') },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('burn-in.plan.editTitle', { name: row.name })}
      opened
      wide
      onClose={onClose}
      submitLabel={t('burn-in.plan.save')}
    >
      <PlanFields form={form} />
    </FormDialog>
  );
}

const hardLimits = judgedLimits.filter((limit) => !softLimits.includes(limit) && limit !== 'failLevel');

function PlanFields({ form }: { form: EndpointForm<PlanValues, 'burn-in'> }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { steps, durationMinutes } = form.values;
  return (
    <>
      <TextField form={form} name="name" />
      <NumberField form={form} name="durationMinutes" unit="h" holds={60} required />
      <fieldset className={styles.group}>
        <legend>{t('burn-in.field.steps')}</legend>
        <p className={styles.hint}>{t('burn-in.plan.stepsHint')}</p>
        <Profile
          steps={drawnSteps(steps)}
          durationMinutes={typeof durationMinutes === 'number' ? Math.min(durationMinutes, 14 * 24 * 60) : 0}
        />
        <RowGroup
          form={form}
          name="steps"
          rowName={t('burn-in.plan.step')}
          addLabel={t('burn-in.plan.addStep')}
          most={MOST_STEPS}
          make={() => ({ minutes: 60, percent: 100 })}
        >
          {(row) => (
            <div className={styles.pair}>
              <NumberField
                form={form}
                name={`${row.path}.minutes`}
                label={t('burn-in.field.minutes')}
                unit="min"
                integer
              />
              <NumberField form={form} name={`${row.path}.percent`} label={t('burn-in.field.percent')} unit="%" />
            </div>
          )}
        </RowGroup>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{`${t('burn-in.field.limits')}: ${t('burn-in.plan.soft')}`}</legend>
        <p className={styles.hint}>
          {t('burn-in.plan.softHint', { percent: format.percent(EFFICIENCY_FROM_PERCENT) })}
        </p>
        <div className={styles.pair}>
          {softLimits.map((limit) => (
            <NumberField
              key={limit}
              form={form}
              name={`limits.${limit}`}
              label={t(`burn-in.limit.${limit}`)}
              unit={unitOf[limit]}
              required={false}
            />
          ))}
        </div>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{`${t('burn-in.field.limits')}: ${t('burn-in.plan.hard')}`}</legend>
        <div className={styles.pair}>
          {hardLimits.map((limit) => (
            <NumberField
              key={limit}
              form={form}
              name={`limits.${limit}`}
              label={t(`burn-in.limit.${limit}`)}
              unit={unitOf[limit]}
              integer={limit === 'maxSilenceMinutes' && !isLowest(limit)}
              required={false}
            />
          ))}
        </div>
        <SelectField
          form={form}
          name="limits.failLevel"
          label={t('burn-in.limit.failLevel')}
          required={false}
          options={[
            { value: '', label: t('burn-in.plan.anyLevel') },
            ...alarmLevels.map((level) => ({ value: String(level), label: t(`incidents.level.${level}`) })),
          ]}
        />
        <TextField
          form={form}
          name="limits.allowedCodes"
          label={t('burn-in.limit.allowedCodes')}
          description={t('burn-in.plan.codesHint')}
          required={false}
        />
      </fieldset>
    </>
  );
}
