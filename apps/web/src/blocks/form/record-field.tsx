import type { ChoiceEndpoint } from '@sonnenwarte/contract/choices';
import { RecordEntry, RecordsEntry } from '../widgets/record-entry.tsx';
import type { ChoiceOf, RecordSource } from '../widgets/use-records.ts';
import type { FieldName } from './endpoint-form.ts';
import { entryOf, FieldFrame, type FieldProps } from './field-frame.tsx';
import { textOf } from './fields.tsx';

interface RecordProps<E extends ChoiceEndpoint> {
  source: RecordSource<E>;
  /** After another was chosen, or none: what depends on it. */
  onChosen?: (choice: ChoiceOf<E> | undefined) => void;
}

/** One record, as its id; nothing is ''. */
export function RecordField<V extends object, F extends string, N extends FieldName<V>, const E extends ChoiceEndpoint>(
  props: FieldProps<V, F, N> & RecordProps<E>,
) {
  const { form, name, source, onChosen } = props;
  return (
    <FieldFrame
      {...props}
      control={(control) => (
        <RecordEntry
          {...entryOf(control)}
          source={source}
          value={textOf(form.valueOf(name))}
          onChange={(id, choice) => {
            form.setValue(name, id);
            onChosen?.(choice);
          }}
        />
      )}
    />
  );
}

/** Several records, as a list of their ids. */
export function RecordsField<
  V extends object,
  F extends string,
  N extends FieldName<V>,
  const E extends ChoiceEndpoint,
>(props: FieldProps<V, F, N> & Pick<RecordProps<E>, 'source'>) {
  const { form, name, source } = props;
  const value = form.valueOf(name);
  return (
    <FieldFrame
      {...props}
      control={(control) => (
        <RecordsEntry
          {...entryOf(control)}
          source={source}
          value={Array.isArray(value) ? value : []}
          onChange={(ids) => form.setValue(name, ids)}
        />
      )}
    />
  );
}
