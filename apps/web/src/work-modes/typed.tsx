import { type ReactNode, useId, useState } from 'react';
import fields from '../blocks/form/fields.module.css';
import { numberOf } from '../blocks/form/number-text.ts';
import { useFormat } from '../format/use-format.ts';
import { clockOf, minuteOf } from './plan-edit.ts';
import styles from './work-modes.module.css';

interface TypedProps<T> {
  label: string;
  value: T;
  /** Hears what was typed, as soon as it is of its kind. */
  onChange: (value: T) => void;
  unit?: string;
  hint?: string;
  refusal?: string | undefined;
  disabled?: boolean;
}

interface EntryProps<T> extends TypedProps<T> {
  written: string;
  read: (text: string) => T | undefined;
  numeric: boolean;
}

/** A field of the plan: what is typed takes effect at once; left with what is none it shows again what holds. */
function Entry<T>({
  label,
  value,
  onChange,
  unit,
  hint,
  refusal,
  disabled,
  written,
  read,
  numeric,
}: EntryProps<T>): ReactNode {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const isOwn = typed !== null && read(typed) === value;
  const isWrong = typed !== null && read(typed) === undefined;
  const told = refusal ?? hint;
  return (
    <span className={fields.field}>
      <label htmlFor={id} className={fields.label}>
        {label}
      </label>
      <span className={fields.box}>
        <input
          id={id}
          className={fields.input}
          type="text"
          inputMode={numeric ? 'decimal' : 'text'}
          autoComplete="off"
          disabled={disabled}
          value={isOwn || isWrong ? typed : written}
          aria-invalid={isWrong || refusal !== undefined || undefined}
          aria-describedby={told === undefined ? undefined : `${id}-told`}
          onChange={(event) => {
            const text = event.currentTarget.value;
            setTyped(text);
            const next = read(text);
            if (next !== undefined) onChange(next);
          }}
          onBlur={() => setTyped(null)}
        />
        {unit !== undefined && <span className={fields.unit}>{unit}</span>}
      </span>
      {told !== undefined && (
        <small id={`${id}-told`} className={refusal === undefined ? fields.hint : styles.refusal}>
          {told}
        </small>
      )}
    </span>
  );
}

interface NumberProps extends TypedProps<number> {
  least: number;
  most: number;
}

export function TypedNumber({ least, most, ...props }: NumberProps): ReactNode {
  const { locale } = useFormat();
  const read = (text: string): number | undefined => {
    const number = numberOf(text, locale);
    return typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most
      ? number
      : undefined;
  };
  return <Entry {...props} numeric written={String(props.value)} read={read} />;
}

/** A price in hundredths of the currency. */
export function TypedPrice(props: TypedProps<number>): ReactNode {
  const { locale } = useFormat();
  const read = (text: string): number | undefined => {
    const number = numberOf(text, locale);
    return typeof number === 'number' && Math.abs(number) <= 1_000 ? number : undefined;
  };
  const written = new Intl.NumberFormat(locale, { maximumFractionDigits: 4, useGrouping: false }).format(props.value);
  return <Entry {...props} numeric written={written} read={read} />;
}

export function TypedTime(props: TypedProps<number>): ReactNode {
  return <Entry {...props} numeric={false} written={clockOf(props.value)} read={minuteOf} />;
}
