import type { Input, ListEndpoint, Parsed, Result, RowOf } from '@sonnenwarte/contract/endpoint';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { read } from '../../client/queries.ts';
import { type ListInput, type ListState, useListState } from './list-state.ts';

/** What is asked of a list. */
export interface FilteredList<L extends ListEndpoint = ListEndpoint> extends ListState<Parsed<L> & ListInput> {
  endpoint: L;
}

/** A list on a screen: what is asked of it, and what it answered last. */
export interface List<L extends ListEndpoint = ListEndpoint> extends FilteredList<L> {
  /** The whole answer; that of the page before stays until the next one is there. */
  answer: Result<L> | undefined;
  /** Nothing before the first answer. */
  rows: readonly RowOf<L>[] | undefined;
  total: number | undefined;
  /** The rows answer what was asked before: what is asked now has no answer yet, or failed. */
  isOfBefore: boolean;
  error: unknown;
  isFetching: boolean;
  /** Pause, ms, after which it is asked again by itself; 0 where it is not. */
  refreshMs: number;
  refetch: () => unknown;
}

interface ListOptions<Row> {
  /** Asked again by itself so often. */
  refreshMs?: number;
  /** Rows as this screen takes them; the same function at each call. */
  seenAs?: (row: Row) => Row;
}

/** Filters of a list, kept in the address, for a screen that shows its records in another way. */
export const useFilters = <const L extends ListEndpoint>(endpoint: L): FilteredList<L> => ({
  ...(useListState<L['input']>(endpoint.input) as ListState<Parsed<L> & ListInput>),
  endpoint,
});

/** A list whose page, order and filters are kept in the address. */
export function useList<const L extends ListEndpoint>(endpoint: L, options: ListOptions<RowOf<L>> = {}): List<L> {
  return useListAnswer(endpoint, useListState<L['input']>(endpoint.input) as ListState<Parsed<L> & ListInput>, options);
}

/** A list whose page, order and filters somebody else keeps. */
export function useListAnswer<const L extends ListEndpoint>(
  endpoint: L,
  state: ListState<Parsed<L> & ListInput>,
  { refreshMs, seenAs }: ListOptions<RowOf<L>> = {},
): List<L> {
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...read(endpoint, state.value as Input<L>),
    placeholderData: keepPreviousData,
    ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
  });
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  const shown = data ?? last;
  const page = shown as Readonly<Record<string, unknown>> | undefined;
  const rows = page?.[endpoint.list.rows] as readonly RowOf<L>[] | undefined;
  const seen = useMemo(() => (seenAs ? rows?.map(seenAs) : rows), [rows, seenAs]);
  return {
    ...state,
    endpoint,
    answer: shown as Result<L> | undefined,
    rows: seen,
    isOfBefore: isPlaceholderData || (data === undefined && last !== undefined),
    total: page?.total as number | undefined,
    error,
    isFetching,
    refreshMs: refreshMs ?? 0,
    refetch,
  };
}
