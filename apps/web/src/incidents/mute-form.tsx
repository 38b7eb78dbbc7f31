import { LONGEST_MUTE_DAYS, type mute } from '@sonnenwarte/contract/incidents/incidents';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { DateField } from '../blocks/form/date-field.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { TimeField } from '../blocks/form/time-field.tsx';
import { serverNowMs } from '../client/clock.ts';
import { addDays, localDay } from '../format/dates.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import { type ChosenIncidents, idsOf } from './incident-actions.tsx';
import { type MuteSpan, mutedUntil, muteSpans } from './mute-until.ts';

const DAY_MS = 86_400_000;

interface Values {
  ids: string[];
  span: MuteSpan;
  day: string;
  time: string;
  reason: string;
}

/** Incidents are put away until a time, with the reason. */
export function MuteForm({ row, of, onClose, onDone, words }: ActionProps<ChosenIncidents, typeof mute>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const zone = localZone();
  const today = localDay(serverNowMs(), zone);
  const until = (values: Values) => mutedUntil(values, serverNowMs(), zone);
  const refused = (values: Values): string | undefined => {
    const untilMs = until(values);
    if (untilMs === undefined) return t('incidents.mute.noTime');
    const fromNowMs = untilMs - serverNowMs();
    if (fromNowMs <= 0) return t('incidents.mute.past');
    return fromNowMs > LONGEST_MUTE_DAYS * DAY_MS
      ? t('incidents.mute.tooLong', { days: LONGEST_MUTE_DAYS })
      : undefined;
  };
  const initialValues: Values = {
    ids: idsOf(row),
    span: 'tomorrow',
    day: addDays(today, 1),
    time: '08:00',
    reason: '',
  };
  const form = useEndpointForm(of, {
    initialValues,
    draft: false,
    prepare: (values) => ({ ids: values.ids, untilMs: until(values) ?? 0, reason: values.reason }),
    check: (values) => (values.span === 'own' ? { day: refused(values) } : {}),
    onDone: () => {
      onDone();
      onClose();
    },
  });
  const untilMs = until(form.values);
  return (
    <FormDialog
      form={form}
      title={t('incidents.mute.title', { count: row.rows.length })}
      opened
      onClose={onClose}
      submitLabel={words.label}
    >
      <SelectField
        form={form}
        name="span"
        required
        options={muteSpans.map((value) => ({ value, label: t(`incidents.mute.span.${value}`) }))}
        {...(form.values.span !== 'own' &&
          untilMs !== undefined && {
            description: t('incidents.mute.until', { time: format.dateTime(untilMs, zone) }),
          })}
      />
      {form.values.span === 'own' && (
        <FieldRow>
          <DateField form={form} name="day" required min={today} max={addDays(today, LONGEST_MUTE_DAYS)} />
          <TimeField form={form} name="time" required />
        </FieldRow>
      )}
      <TextField form={form} name="reason" />
      <p>{t('incidents.mute.meaning')}</p>
    </FormDialog>
  );
}
