import type { ScheduleRow } from '@sonnenwarte/contract/reports/report';
import type { scheduleEdit } from '@sonnenwarte/contract/reports/reports';
import type { ReactNode } from 'react';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RhythmFields } from './rhythm-fields.tsx';

/** Another name for a schedule, or another time. */
export function EditSchedule({
  row: { scheduleID, name, every, weekday, at },
  of,
  words,
  onClose,
  onDone,
}: ActionProps<ScheduleRow, typeof scheduleEdit>): ReactNode {
  const form = useEndpointForm(of, {
    initialValues: { id: scheduleID, name, every, weekday: String(weekday), at },
    prepare: (typed) => ({ ...typed, weekday: Number(typed.weekday) }),
    onDone,
  });
  return (
    <FormDialog form={form} title={name} opened onClose={onClose} submitLabel={words.label}>
      <RhythmFields form={form} />
    </FormDialog>
  );
}
