import { devicesToPlot } from '@sonnenwarte/contract/analysis/analysis';
import { LEVEL } from '@sonnenwarte/contract/levels';
import {
  MOST_REPORT_VALUES,
  type ReportInterval,
  type ReportPreview,
  reportIntervals,
  reportSources,
} from '@sonnenwarte/contract/reports/report';
import { plants } from '@sonnenwarte/contract/reports/reports';
import { IconFileSpreadsheet, IconRepeat } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { DateField } from '../blocks/form/date-field.tsx';
import type { EndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { RestoredNote } from '../blocks/form/form.tsx';
import { RecordsField } from '../blocks/form/record-field.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import type { CalendarDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import { isOffered, type Problems, type ReportValues, withSource } from './report-values.ts';
import styles from './reports.module.css';
import { SizeFigures } from './size-figures.tsx';
import { VariablesField } from './variables-field.tsx';

interface ReportFormProps {
  form: EndpointForm<ReportValues, 'reports'>;
  preview: ReportPreview | undefined;
  problems: Problems;
  today: CalendarDay;
  onRepeat: () => void;
}

/** What goes into a report: of what, which values, which days, how far apart; what is not possible says why. */
export function ReportForm({ form, preview, problems, today, onRepeat }: ReportFormProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { values } = form;
  const isIntegrator = useGlobalState((state) => state.access) === LEVEL.integrator;
  const cannot = Object.keys(problems).length > 0;
  const id = useId();
  return (
    <form ref={form.element} className={styles.form} onSubmit={form.submit} aria-busy={form.busy} noValidate>
      <RestoredNote form={form} />
      {!isIntegrator && (
        <div className={styles.field}>
          <span className={styles.label} aria-hidden="true">
            {t('reports.source.label')}
          </span>
          <Segmented
            wide
            label={t('reports.source.label')}
            value={values.source}
            options={reportSources.map((value) => ({ value, label: t(`reports.source.${value}`) }))}
            onChange={(source) => form.setValues(withSource(values, source))}
          />
        </div>
      )}
      {values.source === 'devices' ? (
        <RecordsField
          form={form}
          name="deviceIDs"
          required
          source={{ endpoint: devicesToPlot, search: t('reports.form.search'), none: t('reports.form.noDevice') }}
        />
      ) : (
        <RecordsField
          form={form}
          name="stationIDs"
          required
          source={{ endpoint: plants, search: t('reports.form.searchPlant'), none: t('reports.form.noPlant') }}
        />
      )}
      <VariablesField
        values={values}
        error={form.errorOf('variables')}
        onChange={(variables) => form.setValue('variables', variables)}
      />
      <div className={styles.days}>
        <DateField form={form} name="firstDay" max={today} />
        <DateField form={form} name="lastDay" max={today} />
        {problems.days !== undefined && (
          <p id={`${id}-days`} role="status" className={styles.reason} data-warns>
            {t(`reports.form.${problems.days}`)}
          </p>
        )}
      </div>
      <IntervalField
        id={`${id}-interval`}
        values={values}
        problem={problems.interval}
        onChange={(interval) => form.setValues({ interval })}
      />
      <TextField form={form} name="name" label={t('reports.form.name')} />
      <SizeFigures preview={preview} />
      {problems.size !== undefined && (
        <p id={`${id}-size`} role="status" className={styles.reason} data-warns>
          {t(`reports.form.${problems.size}`, {
            values: format.number(preview?.values ?? 0),
            most: format.number(MOST_REPORT_VALUES),
          })}
        </p>
      )}
      {form.failure !== undefined && <ErrorNotice error={form.failure} />}
      <div className={styles.buttons}>
        <Button
          type={cannot ? 'button' : 'submit'}
          look="filled"
          wide
          aria-disabled={form.busy || cannot || undefined}
          aria-describedby={cannot ? `${id}-days ${id}-interval ${id}-size` : undefined}
        >
          <IconFileSpreadsheet size={18} aria-hidden="true" />
          {t('reports.form.create')}
        </Button>
        <Button wide onClick={onRepeat}>
          <IconRepeat size={16} aria-hidden="true" />
          {t('reports.form.repeat')}
        </Button>
      </div>
      <p className={styles.note}>{t('reports.form.clock')}</p>
    </form>
  );
}

interface IntervalFieldProps {
  /** Of the reason. */
  id: string;
  values: ReportValues;
  problem: Problems['interval'];
  onChange: (interval: ReportInterval) => void;
}

/** How far apart rows are; what plants do not have cannot be chosen. */
function IntervalField({ id, values, problem, onChange }: IntervalFieldProps): ReactNode {
  const { t } = useTranslation();
  const reason = problem ?? (values.source === 'plants' ? 'plantsCoarse' : undefined);
  return (
    <div className={styles.field}>
      <span className={styles.label} aria-hidden="true">
        {t('reports.form.interval')}
      </span>
      <Segmented
        wide
        label={t('reports.form.interval')}
        value={values.interval}
        options={reportIntervals.map((value) => ({
          value,
          label: t(`reports.interval.${value}`),
          disabled: !isOffered(values, value),
        }))}
        onChange={onChange}
      />
      {reason !== undefined && (
        <p id={id} role="status" className={styles.reason} data-warns={problem !== undefined || undefined}>
          {t(`reports.form.${reason}`)}
        </p>
      )}
    </div>
  );
}
