import type { Choice, ChoiceEndpoint } from '@sonnenwarte/contract/choices';
import type { Input, Result } from '@sonnenwarte/contract/endpoint';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { read } from '../../client/queries.ts';
import { createTypingPause } from '../form/typing-pause.ts';
import { noteRecord, recentRecords } from './recent-records.ts';
import type { Offer } from './record-box.tsx';

/** A record as an endpoint of choices answers it. */
export type ChoiceOf<E extends ChoiceEndpoint> = Result<E>['choices'][number] & Choice;

/** Records that a picker offers, and how it speaks of them. */
export interface RecordSource<E extends ChoiceEndpoint> {
  endpoint: E;
  /** What the call is told beside what is searched for. */
  input?: Omit<Input<E>, 'search' | 'ids'>;
  /** Never offered. */
  except?: string | undefined;
  /** Stands in the empty field. */
  search: string;
  /** Said where nothing matches. */
  none: string;
  /** What tells a record from others of its name, where the answer's own words do not. */
  detailOf?: (choice: ChoiceOf<E>) => string;
}

interface Records<E extends ChoiceEndpoint> {
  /** What is offered now. */
  offers: readonly Offer[];
  /** The chosen ones that are there, in their order. */
  chosen: readonly Offer[];
  find: (id: string) => ChoiceOf<E> | undefined;
  onSearch: (text: string) => void;
  onOpenChange: (open: boolean) => void;
  /** Notes what was chosen for the next time. */
  note: (id: string) => void;
  error: unknown;
}

/** Searches on the server while the picker is open, the newest choices first; names chosen records by their ids. */
export function useRecords<const E extends ChoiceEndpoint>(
  { endpoint, input, except, detailOf }: RecordSource<E>,
  ids: readonly string[],
): Records<E> {
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  /** Those that were chosen here: what is offered next need not hold them, and their names are shown at once. */
  const [taken, setTaken] = useState<readonly ChoiceOf<E>[]>([]);
  const [pause] = useState(createTypingPause);
  useEffect(() => () => void pause.drop(), [pause]);
  const kind = [endpoint.path, JSON.stringify(input ?? {})].join(' ');
  const recent = opened ? recentRecords(kind) : [];
  // Of which endpoint `E` is, the compiler does not know here.
  const ask = (asked: { search?: string; ids?: readonly string[] }) =>
    read(endpoint, { ...input, ...asked } as Input<E>);

  const found = useQuery({ ...ask({ search }), enabled: opened, placeholderData: keepPreviousData });
  const lately = useQuery({ ...ask({ ids: recent }), enabled: recent.length > 0 });
  const named = useQuery({ ...ask({ ids }), enabled: ids.length > 0, placeholderData: keepPreviousData });

  const choicesOf = (query: { data: Result<E> | undefined }) => (query.data?.choices ?? []) as readonly ChoiceOf<E>[];
  const toOffer = (choice: ChoiceOf<E>): Offer => ({
    id: choice.id,
    name: choice.name,
    detail: detailOf?.(choice) ?? choice.detail,
  });
  const inOrder = (choices: readonly ChoiceOf<E>[], order: readonly string[]) =>
    order.flatMap((id) => choices.find((choice) => choice.id === id) ?? []);
  const newest = search === '' ? inOrder(choicesOf(lately), recent) : [];
  const others = choicesOf(found).filter(({ id }) => newest.every((choice) => choice.id !== id));
  const wanted = typed.toLowerCase();
  /** Until the server has answered what is typed: those of what it answered before that match. */
  const isMatch = ({ name, detail }: Offer) =>
    (typed === search && !found.isPlaceholderData) || `${name} ${detail}`.toLowerCase().includes(wanted);
  const known = [...choicesOf(named), ...newest, ...others, ...taken];
  const find = (id: string) => known.find((choice) => choice.id === id);

  return {
    offers: [...newest, ...others]
      .filter(({ id }) => id !== except)
      .map(toOffer)
      .filter(isMatch),
    chosen: inOrder(known, ids).map(toOffer),
    find,
    onSearch: (text) => {
      setTyped(text);
      if (text !== '') return pause.wait(() => setSearch(text));
      pause.drop();
      setSearch('');
    },
    onOpenChange: setOpened,
    note: (id) => {
      noteRecord(kind, id);
      const choice = find(id);
      if (choice) setTaken((before) => [...before.filter((each) => each.id !== id), choice]);
    },
    error: found.error ?? named.error,
  };
}
