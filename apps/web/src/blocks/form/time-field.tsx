import { TimeEntry } from '../widgets/time-entry.tsx';
import type { FieldName } from './endpoint-form.ts';
import { entryOf, FieldFrame, type FieldProps } from './field-frame.tsx';
import { textOf } from './fields.tsx';

/** A time of day, `HH:MM`; nothing is ''. */
export function TimeField<V extends object, F extends string, N extends FieldName<V>>(props: FieldProps<V, F, N>) {
  const { form, name } = props;
  return (
    <FieldFrame
      {...props}
      group
      control={(control) => (
        <TimeEntry
          {...entryOf(control)}
          value={textOf(form.valueOf(name))}
          onChange={(time) => form.setValue(name, time)}
        />
      )}
    />
  );
}
