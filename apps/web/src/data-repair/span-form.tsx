import { type RepairChannel, type RepairWay, repairWays } from '@sonnenwarte/contract/data-repair/corrections';
import { MOST_REPAIR_DAYS, type Preview, repairEndpoints } from '@sonnenwarte/contract/data-repair/data-repair';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { DateField } from '../blocks/form/date-field.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { FieldRow, Form } from '../blocks/form/form.tsx';
import { NumberField } from '../blocks/form/number-field.tsx';
import { TimeField } from '../blocks/form/time-field.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ApiError } from '../client/failures.ts';
import type { Permitted } from '../client/permit.ts';
import { read } from '../client/queries.ts';
import type { CalendarDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { overlapOf } from './overlap.ts';
import { PreviewTable } from './preview-table.tsx';
import styles from './repair.module.css';
import { momentOf, typedMoment } from './span-times.ts';

const DAY_MS = 86_400_000;

interface Values {
  fromDay: string;
  fromTime: string;
  toDay: string;
  toTime: string;
  way: RepairWay;
  energyWh: number | string;
  reason: string;
}

interface SpanFormProps {
  of: Permitted<typeof repairEndpoints.correct>;
  counter: { stationID: string; deviceID: string; channel: RepairChannel };
  zone: string;
  today: CalendarDay;
  /** What was marked in the chart. */
  span: { fromMs: number; toMs: number } | undefined;
  onSpan: (fromMs: number, toMs: number) => void;
  onDone: (correctionID: number, span: { fromMs: number; toMs: number }) => void;
}

/** A span, how it is to be filled and why, with what that changes before it is done. */
export function SpanForm({ of, counter, zone, today, span, onSpan, onDone }: SpanFormProps): ReactNode {
  const { t } = useTranslation();
  const from = span && typedMoment(span.fromMs, zone);
  const to = span && typedMoment(span.toMs, zone);
  const spanOf = (values: Values): { fromMs: number; toMs: number } | undefined => {
    const fromMs = momentOf({ day: values.fromDay, time: values.fromTime }, zone);
    const toMs = momentOf({ day: values.toDay, time: values.toTime }, zone);
    if (fromMs === undefined || toMs === undefined || toMs <= fromMs) return undefined;
    return toMs - fromMs > MOST_REPAIR_DAYS * DAY_MS || toMs > Date.now() ? undefined : { fromMs, toMs };
  };
  const fillingOf = (values: Values) => ({
    ...counter,
    ...(spanOf(values) ?? { fromMs: 0, toMs: 0 }),
    way: values.way,
    ...(values.way === 'own' && { energyWh: values.energyWh as number }),
  });
  const form = useEndpointForm(of, {
    initialValues: {
      fromDay: from?.day ?? '',
      fromTime: from?.time ?? '',
      toDay: to?.day ?? '',
      toTime: to?.time ?? '',
      way: 'bridge',
      energyWh: '',
      reason: '',
    } as Values,
    draft: false,
    prepare: (values) => ({ ...fillingOf(values), reason: values.reason }),
    check: (values) => ({ toTime: spanOf(values) === undefined ? t('data-repair.badSpan') : undefined }),
    onDone: ({ correctionID }, values) => onDone(correctionID, spanOf(values) ?? { fromMs: 0, toMs: 0 }),
  });
  const typed = spanOf(form.values);
  const isWhole = typed !== undefined && typed.fromMs % 300_000 === 0 && typed.toMs % 300_000 === 0;
  const isReady = isWhole && (form.values.way !== 'own' || typeof form.values.energyWh === 'number');
  const preview = useQuery({
    ...read(repairEndpoints.preview, fillingOf(form.values)),
    enabled: isReady,
    retry: false,
  });
  return (
    <Panel title={t('data-repair.form')}>
      <Form form={form} submitLabel={t('data-repair.save')}>
        <FieldRow>
          <DateField form={form} name="fromDay" required max={today} />
          <TimeField form={form} name="fromTime" required />
        </FieldRow>
        <FieldRow>
          <DateField form={form} name="toDay" required max={today} />
          <TimeField form={form} name="toTime" required />
        </FieldRow>
        {typed !== undefined && !isWhole && (
          <p className={styles.hint} role="status">
            {t('data-repair.wholeSteps')}{' '}
            <button type="button" className={styles.inline} onClick={() => onSpan(typed.fromMs, typed.toMs)}>
              {t('data-repair.round')}
            </button>
          </p>
        )}
        <Ways form={form} />
        {form.values.way === 'own' && <NumberField form={form} name="energyWh" required unit="kWh" holds={1_000} />}
        <TextField form={form} name="reason" required />
        {isReady && preview.error && <PreviewRefused error={preview.error} zone={zone} />}
        {isReady && preview.isPending && !preview.error && <p role="status">{t('data-repair.reckoning')}</p>}
        {isReady && preview.data && <Shown preview={preview.data} channel={counter.channel} />}
      </Form>
    </Panel>
  );
}

function Shown({ preview, channel }: { preview: Preview; channel: RepairChannel }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      {preview.basis && <p className={styles.hint}>{t(`data-repair.basis.${preview.basis}`)}</p>}
      <PreviewTable preview={preview} channel={channel} />
      <p className={styles.note}>
        <IconEye size={18} aria-hidden="true" />
        <span>{t('data-repair.ownerSees')}</span>
      </p>
    </>
  );
}

function PreviewRefused({ error, zone }: { error: Error; zone: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const other = error instanceof ApiError ? overlapOf(error) : undefined;
  if (other === undefined) return <ErrorNotice error={error} />;
  return (
    <p className={styles.refused} role="alert">
      {t('data-repair.overlaps', {
        from: format.dateTime(other.fromMs, zone),
        to: format.dateTime(other.toMs, zone),
      })}
    </p>
  );
}

function Ways({ form }: { form: EndpointForm<Values, 'data-repair'> }): ReactNode {
  const { t } = useTranslation();
  const name = useId();
  return (
    <fieldset className={styles.ways}>
      <legend>{t('data-repair.field.way')}</legend>
      {repairWays.map((way) => (
        <label key={way}>
          <input
            type="radio"
            name={name}
            checked={form.values.way === way}
            onChange={() => form.setValue('way', way)}
          />
          <span>
            {t(`data-repair.way.${way}`)}
            <small>{t(`data-repair.wayNote.${way}`)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
