import { useState } from 'react';
import { useFormat } from '../../format/use-format.ts';
import type { FieldName } from './endpoint-form.ts';
import { FieldFrame, type FieldProps } from './field-frame.tsx';
import styles from './fields.module.css';
import { textOf } from './fields.tsx';
import { numberOf } from './number-text.ts';

/** More than any measured value has. */
const MOST_DECIMALS = 12;

interface NumberProps {
  /** Stands in the field, at the end. */
  unit?: string;
  integer?: boolean;
  /** How many of what is kept make one of the unit: 1000 for watts that are typed as kW. */
  holds?: number;
}

/** A number, typed and shown with the language's decimal sign; what is no number stays and is refused as such. */
export function NumberField<V extends object, F extends string, N extends FieldName<V>>(
  props: FieldProps<V, F, N> & NumberProps,
) {
  const { form, name, unit, integer = false, holds = 1 } = props;
  const { locale } = useFormat();
  const value = form.valueOf(name);
  const written =
    typeof value === 'number'
      ? new Intl.NumberFormat(locale, { maximumFractionDigits: MOST_DECIMALS, useGrouping: false }).format(
          value / holds,
        )
      : textOf(value);
  const [text, setText] = useState(written);
  const numberTyped = (typed: string): number | string => {
    const number = numberOf(typed, locale);
    return typeof number === 'number' && holds !== 1 ? Number((number * holds).toPrecision(MOST_DECIMALS)) : number;
  };
  const shown = numberTyped(text) === value ? text : written;
  return (
    <FieldFrame
      {...props}
      control={(control) => (
        <span className={styles.box}>
          <input
            {...control}
            {...(unit && { 'aria-describedby': `${control['aria-describedby'] ?? ''} ${control.id}-unit`.trim() })}
            className={styles.input}
            type="text"
            inputMode={integer ? 'numeric' : 'decimal'}
            name={name}
            value={shown}
            autoComplete="off"
            onChange={(event) => {
              setText(event.currentTarget.value);
              form.setValue(name, numberTyped(event.currentTarget.value));
            }}
          />
          {unit && (
            <span id={`${control.id}-unit`} className={styles.unit}>
              {unit}
            </span>
          )}
        </span>
      )}
    />
  );
}
