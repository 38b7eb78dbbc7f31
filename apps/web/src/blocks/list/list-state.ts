import { useCallback, useMemo } from 'react';
import * as z from 'zod/mini';
import { parseInput, queryOf } from '../../router/search.ts';
import { useTab, useTabQuery } from '../../tabs/tab-context.ts';
import { type ChosenColumns, columnsOf, columnsText } from './chosen-columns.ts';

/** What every list input has. */
export interface ListInput {
  pageSize: 10 | 20 | 50;
  currentPage: number;
  condition?: object;
  sort?: { field: string; order: 'asc' | 'desc' };
}

export interface ListState<Q extends ListInput> {
  /** Input of the list's call, read from the address. */
  value: Q;
  /** Changes the address; any change but of the page leads back to the first page. */
  set: (change: Partial<Q>) => void;
  /** Back to the list without filters. */
  reset: () => void;
  /** Number of filters in use. */
  filters: number;
  /** Columns that the address names, of a view that was saved or passed on; else the session's are shown. */
  columns?: ChosenColumns | undefined;
  /** Names others, where the address names some. */
  setColumns?: (chosen: ChosenColumns) => void;
}

/** Page, sort and filters of a list, kept in the address and read by the endpoint's own input schema; what else is there stays. */
export function useListState<S extends z.ZodMiniObject>(schema: S): ListState<z.output<S> & ListInput> {
  type Q = z.output<S> & ListInput;
  const { active } = useTab();
  const [query, setQuery] = useTabQuery();
  const value = useMemo(() => parseInput(schema, query) as Q, [schema, query]);
  const set = useCallback(
    (change: Partial<Q>) => {
      if (!active) return;
      const next = { ...value, ...('currentPage' in change ? {} : { currentPage: 1 }), ...change };
      const beside = Object.entries(query).filter(([key]) => !((key.split('.')[0] as string) in schema.shape));
      setQuery({ ...Object.fromEntries(beside), ...queryOf(schema, next as z.output<S>) });
    },
    [active, schema, query, setQuery, value],
  );
  const reset = useCallback(
    () => set({ condition: (z.parse(schema, {}) as ListInput).condition } as Partial<Q>),
    [schema, set],
  );
  const filters = Object.keys(query).filter((key) => key.startsWith('condition.')).length;
  const named = query.columns;
  const columns = useMemo(() => (named === undefined ? undefined : columnsOf(named)), [named]);
  const setColumns = useCallback(
    (chosen: ChosenColumns) => {
      if (active && named !== undefined) setQuery({ ...query, columns: columnsText(chosen) });
    },
    [active, named, query, setQuery],
  );
  return { value, set, reset, filters, columns, setColumns };
}
