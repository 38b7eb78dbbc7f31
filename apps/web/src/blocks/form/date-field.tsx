import { useTranslation } from 'react-i18next';
import { localDay } from '../../format/dates.ts';
import { DayPicker } from './day-picker.tsx';
import type { FieldName } from './endpoint-form.ts';
import { FieldFrame, type FieldProps, useFieldLabel } from './field-frame.tsx';
import styles from './fields.module.css';
import { textOf } from './fields.tsx';

/** A calendar day, `YYYY-MM-DD`; nothing is ''. */
export function DateField<V extends object, F extends string, N extends FieldName<V>>(
  props: FieldProps<V, F, N> & { min?: string; max?: string },
) {
  const { form, name, min, max } = props;
  const label = useFieldLabel(form, name, props.label);
  const { t } = useTranslation();
  const value = textOf(form.valueOf(name));
  const required = props.required ?? form.isRequired(name);
  return (
    <FieldFrame
      {...props}
      control={({ 'aria-required': _, ...control }) => (
        <DayPicker
          control={{ ...control, name: String(name) }}
          label={label}
          className={`${styles.input} ${styles.day}`}
          value={value}
          placeholder={t('blocks.choose')}
          today={localDay(Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone)}
          min={min}
          max={max}
          clearable={!required}
          fromStart
          onChange={(day) => form.setValue(name, day)}
        />
      )}
    />
  );
}
