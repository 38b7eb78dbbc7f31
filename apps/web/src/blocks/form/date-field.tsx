import { DayEntry } from '../widgets/day-entry.tsx';
import type { FieldName } from './endpoint-form.ts';
import { entryOf, FieldFrame, type FieldProps } from './field-frame.tsx';
import { textOf } from './fields.tsx';

/** A calendar day, `YYYY-MM-DD`; nothing is ''. */
export function DateField<V extends object, F extends string, N extends FieldName<V>>(
  props: FieldProps<V, F, N> & { min?: string; max?: string },
) {
  const { form, name, min, max } = props;
  return (
    <FieldFrame
      {...props}
      group
      control={(control) => (
        <DayEntry
          {...entryOf(control)}
          value={textOf(form.valueOf(name))}
          min={min}
          max={max}
          onChange={(day) => form.setValue(name, day)}
        />
      )}
    />
  );
}
