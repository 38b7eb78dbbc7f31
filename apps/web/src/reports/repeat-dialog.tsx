import { intervalsOfRhythm, type ScheduleRhythm } from '@sonnenwarte/contract/reports/report';
import { scheduleAdd } from '@sonnenwarte/contract/reports/reports';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Can } from '../blocks/actions/can.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import type { Permitted } from '../client/permit.ts';
import { useFormat } from '../format/use-format.ts';
import { showNotice } from '../notices/notices.ts';
import type { ReportValues } from './report-values.ts';
import styles from './reports.module.css';
import { RhythmFields } from './rhythm-fields.tsx';

interface RepeatDialogProps {
  values: ReportValues;
  onClose: () => void;
}

/** Has what is chosen made again and again. */
export function RepeatDialog(props: RepeatDialogProps): ReactNode {
  return <Can of={scheduleAdd}>{(of) => <RepeatForm {...props} of={of} />}</Can>;
}

function RepeatForm({ values, onClose, of }: RepeatDialogProps & { of: Permitted<typeof scheduleAdd> }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { firstDay: _, lastDay: __, ...reported } = values;
  const form = useEndpointForm(of, {
    initialValues: { ...reported, every: 'weekly' as ScheduleRhythm, weekday: '1', at: '06:00' },
    draft: false,
    prepare: (typed) => ({ ...typed, weekday: Number(typed.weekday) }),
    onDone: ({ nextMs }) => {
      showNotice({
        id: 'report repeated',
        text: t('reports.schedules.added', { time: format.localTime(nextMs) }),
        color: 'brand',
      });
      onClose();
    },
  });
  const isTooFine = !intervalsOfRhythm[form.values.every].includes(values.interval);
  return (
    <FormDialog
      form={form}
      title={t('reports.form.repeat')}
      opened
      onClose={onClose}
      submitLabel={t('reports.form.repeat')}
    >
      <RhythmFields form={form} />
      {isTooFine && (
        <p role="status" className={styles.reason} data-warns>
          {t('reports.rhythm.coarse')}
        </p>
      )}
    </FormDialog>
  );
}
