import { type ScheduleRhythm, scheduleRhythms } from '@sonnenwarte/contract/reports/report';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextField } from '../blocks/form/fields.tsx';
import { TimeField } from '../blocks/form/time-field.tsx';
import { useWeekdayName } from './rhythm-text.ts';

export interface RhythmValues {
  name: string;
  every: ScheduleRhythm;
  weekday: string;
  at: string;
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;
const covers = { daily: 'ofDaily', weekly: 'ofWeekly', monthly: 'ofMonthly' } as const;

/** Name and time of a schedule. */
export function RhythmFields<V extends RhythmValues>({ form: given }: { form: EndpointForm<V, 'reports'> }): ReactNode {
  const { t } = useTranslation();
  const weekdayName = useWeekdayName();
  // The fields of the form that this one knows.
  const form = given as unknown as EndpointForm<RhythmValues, 'reports'>;
  const { every } = form.values;
  return (
    <>
      <TextField form={form} name="name" label={t('reports.form.name')} />
      <SelectField
        form={form}
        name="every"
        description={t(`reports.rhythm.${covers[every]}`)}
        options={scheduleRhythms.map((value) => ({ value, label: t(`reports.every.${value}`) }))}
      />
      {every === 'weekly' && (
        <SelectField
          form={form}
          name="weekday"
          required
          options={WEEKDAYS.map((value) => ({ value: String(value), label: weekdayName(value) }))}
        />
      )}
      <TimeField form={form} name="at" />
    </>
  );
}
