import { useState } from 'react';
import { useFormat } from '../../format/use-format.ts';
import type { FieldName } from './endpoint-form.ts';
import { FieldFrame, type FieldProps } from './field-frame.tsx';
import styles from './fields.module.css';
import { textOf } from './fields.tsx';

/** A number as the user types it, with comma or point; what is no number stays and is refused as such. */
export const numberOf = (text: string): number | string => {
  const trimmed = text.trim();
  const number = Number(trimmed.replace(',', '.'));
  return trimmed === '' || !Number.isFinite(number) ? trimmed : number;
};

interface NumberProps {
  /** Stands in the field, at the end. */
  unit?: string;
  integer?: boolean;
}

export function NumberField<V extends object, F extends string, N extends FieldName<V>>(
  props: FieldProps<V, F, N> & NumberProps,
) {
  const { form, name, unit, integer = false } = props;
  const value = form.valueOf(name);
  const decimalMark = useFormat().number(0.5, 1).replaceAll(/\d/g, '');
  const written = textOf(value).replace('.', typeof value === 'number' ? decimalMark : '.');
  const [text, setText] = useState(written);
  const shown = numberOf(text) === value ? text : written;
  return (
    <FieldFrame
      {...props}
      control={(control) => (
        <span className={styles.box}>
          <input
            {...control}
            className={styles.input}
            type="text"
            inputMode={integer ? 'numeric' : 'decimal'}
            name={name}
            value={shown}
            autoComplete="off"
            onChange={(event) => {
              setText(event.currentTarget.value);
              form.setValue(name, numberOf(event.currentTarget.value));
            }}
          />
          {unit && (
            <span className={styles.unit} aria-hidden="true">
              {unit}
            </span>
          )}
        </span>
      )}
    />
  );
}
