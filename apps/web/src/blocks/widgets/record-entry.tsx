import type { ChoiceEndpoint } from '@sonnenwarte/contract/choices';
import { ErrorNotice } from '../show/error-notice.tsx';
import type { EntryProps } from './entry.ts';
import { ManyBox, OneBox } from './record-box.tsx';
import { type ChoiceOf, type RecordSource, useRecords } from './use-records.ts';

interface RecordEntryProps<E extends ChoiceEndpoint> extends Omit<EntryProps<string>, 'onChange'> {
  id: string;
  source: RecordSource<E>;
  /** Stands in the field where nothing is chosen, instead of the source's words. */
  placeholder?: string | undefined;
  onChange: (id: string, choice: ChoiceOf<E> | undefined) => void;
}

/** One record, found by a part of its name; nothing is ''. */
export function RecordEntry<const E extends ChoiceEndpoint>(props: RecordEntryProps<E>) {
  const { source, value, placeholder = source.search, onChange } = props;
  const { chosen, offers, find, onSearch, onOpenChange, note, error } = useRecords(source, value === '' ? [] : [value]);
  return (
    <>
      <OneBox
        {...props}
        text={chosen[0]?.name ?? ''}
        offers={offers}
        placeholder={placeholder}
        noMatch={source.none}
        onSearch={onSearch}
        onOpenChange={onOpenChange}
        onChange={(id) => {
          if (id !== '') note(id);
          onChange(id, find(id));
        }}
      />
      {error != null && <ErrorNotice error={error} />}
    </>
  );
}

interface RecordsEntryProps<E extends ChoiceEndpoint> extends EntryProps<readonly string[]> {
  id: string;
  source: RecordSource<E>;
}

/** Several records. */
export function RecordsEntry<const E extends ChoiceEndpoint>(props: RecordsEntryProps<E>) {
  const { source, value, onChange } = props;
  const { chosen, offers, onSearch, onOpenChange, note, error } = useRecords(source, value);
  return (
    <>
      <ManyBox
        {...props}
        chosen={chosen}
        offers={offers}
        placeholder={source.search}
        noMatch={source.none}
        onSearch={onSearch}
        onOpenChange={onOpenChange}
        onChange={(ids) => {
          for (const id of ids.filter((each) => !value.includes(each))) note(id);
          onChange(ids);
        }}
      />
      {error != null && <ErrorNotice error={error} />}
    </>
  );
}
