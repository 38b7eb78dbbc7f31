import { PAUSE_DAYS, type pause, resume } from '@sonnenwarte/contract/insight/insight';
import { pauseReasons } from '@sonnenwarte/contract/insight/pauses';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { DateField } from '../blocks/form/date-field.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { write } from '../client/queries.ts';
import { addDays, localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { dismiss, showNotice } from '../notices/notices.ts';
import type { Pausable } from './insight-actions.tsx';

const UNDO_SHOWN_MS = 10_000;

/** A plant is put off for a while. */
export function PauseForm({ row, of, onClose, onDone }: ActionProps<Pausable, typeof pause>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { stationID, name, ianaTimezone } = row;
  const form = useEndpointForm(of, {
    initialValues: {
      stationID,
      reason: 'known',
      until: addDays(localDay(Date.now(), ianaTimezone), PAUSE_DAYS),
    },
    draft: false,
    onDone: (_, { until }) => {
      const id = `paused ${stationID}`;
      const onSelect = () => {
        dismiss(id);
        // What goes wrong the client says.
        write(resume, { stationID }).catch(() => undefined);
      };
      showNotice({
        id,
        text: t('insight.pause.done', { name, day: format.day(until) }),
        color: 'brand',
        forMs: UNDO_SHOWN_MS,
        action: { label: t('insight.pause.undo'), onSelect },
      });
      onDone();
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      opened
      onClose={onClose}
      title={t('insight.pause.title', { name })}
      submitLabel={t('insight.pause.submit')}
    >
      <SelectField
        form={form}
        name="reason"
        required
        options={pauseReasons.map((reason) => ({ value: reason, label: t(`losses.putOff.${reason}`) }))}
      />
      <DateField form={form} name="until" required />
      <p>{t('insight.pause.meaning')}</p>
    </FormDialog>
  );
}
