import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { globalState } from '../state/global-state.ts';
import { readSession, writeSession } from '../state/storage.ts';
import type { ActionTable } from './actions.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { DataCards } from './data-cards.tsx';
import { DataRows } from './data-rows.tsx';
import styles from './data-table.module.css';
import { ErrorNotice } from './error-notice.tsx';
import type { ListInput, ListState } from './list-state.ts';
import { LoadingSkeleton, Skeleton } from './loading.tsx';
import { Pager, pagesOf } from './pager.tsx';
import type { ScreenTarget } from './screen-link.tsx';
import { type Selection, SelectionBar } from './selection.tsx';
import { type Actions, useActions } from './use-actions.tsx';
import { useIsPhone } from './use-is-phone.ts';

export interface Column<Row> {
  /** Name of the column; where it can be sorted, the sort field of the endpoint. */
  field: string;
  header: string;
  cell: (row: Row) => ReactNode;
  sortable?: boolean;
  /** Numbers stand at the end. */
  align?: 'start' | 'end';
  /** Place on a phone's card: its heading, beside it, a figure, or the line at its foot; without one it is left out. */
  card?: 'title' | 'aside' | 'figure' | 'foot';
  /** Shown only once chosen. */
  optional?: boolean;
  /** Definition of the figure, on hover and focus. */
  hint?: string;
}

export interface Page<Row> {
  rows: readonly Row[];
  total: number;
}

/** What a table's rows may offer besides their cells. */
export interface RowSlots<Row> {
  /** Screen that a row opens in a tab of its own. */
  target?: (row: Row) => ScreenTarget;
  /** Boxes before the rows, and a bar with what can be done with the chosen ones. */
  selection?: Selection;
  /** What can be done with a row: by a click on it, and in its menu. */
  actions?: Actions<Row>;
  /** Name of a row for the labels of its box and menu; else the text of its key. */
  rowName?: (row: Row) => string;
}

interface DataTableProps<Row, Q extends ListInput> extends Omit<RowSlots<Row>, 'actions'> {
  actions?: ActionTable<Row>;
  /** Name of the table for screen readers. */
  name: string;
  /** Under which the chosen columns are kept, the same in every language. */
  storedAs: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Result of `useQuery` that gives a page of rows. */
  query: TableQuery<Row>;
  list: ListState<Q>;
  /** What to say and offer where there are no rows. */
  empty: ReactNode;
}

export interface TableQuery<Row> {
  data: Page<Row> | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

type ChosenColumns = Readonly<Record<string, boolean>>;

const chosenColumns = (storedAs: string): ChosenColumns =>
  z.safeParse(z.record(z.string(), z.boolean()), readSession(`columns:${storedAs}`)).data ?? {};

/** Columns that are shown: those not optional, changed by what the user chose. */
export const shownColumns = <Row,>(columns: readonly Column<Row>[], chosen: ChosenColumns) =>
  columns.filter((column) => chosen[column.field] ?? !column.optional);

/** A page of rows: sorted by its headers, its columns chosen, its rows opened by click or key; cards on a phone. */
export function DataTable<Row, Q extends ListInput>(props: DataTableProps<Row, Q>) {
  const { name, storedAs, columns, rowKey, query, list, target, empty, selection, actions: table, rowName } = props;
  const actions = useActions(table);
  const slots = {
    ...(target ? { target } : {}),
    ...(selection ? { selection } : {}),
    ...(table ? { actions } : {}),
    ...(rowName ? { rowName } : {}),
  };
  const { t } = useTranslation();
  const phone = useIsPhone();
  const [chosen, setChosen] = useState(() => chosenColumns(storedAs));
  const { data, error } = query;
  const { pageSize, currentPage, sort } = list.value;
  const shown = shownColumns(columns, chosen);
  const total = data?.total;

  useEffect(() => {
    if (total !== undefined) globalState.set({ pagination: { pageSize, currentPage, total } });
  }, [pageSize, currentPage, total]);

  const noRows = data?.rows.length === 0;
  const pages = pagesOf(total ?? 0, pageSize);
  // The rows of the page may have been deleted since.
  const pastEnd = noRows && !query.isFetching && currentPage > pages;
  const awaited = noRows && total !== 0 && (pastEnd || query.isFetching);
  const { set } = list;
  useEffect(() => {
    if (pastEnd) set({ currentPage: pages } as Partial<Q>);
  }, [pastEnd, pages, set]);

  const filter = JSON.stringify(list.value.condition);
  const [seenFilter, setSeenFilter] = useState(filter);
  const clearSelection = selection?.clear;
  useEffect(() => {
    if (filter === seenFilter) return;
    setSeenFilter(filter);
    // What the new filter hides must not be acted upon unseen.
    clearSelection?.();
  }, [filter, seenFilter, clearSelection]);

  const choose = (next: ChosenColumns) => {
    setChosen(next);
    writeSession(`columns:${storedAs}`, next);
  };

  const sortBy = (field: string) => {
    const order = sort?.field === field && sort.order === 'asc' ? 'desc' : 'asc';
    list.set({ sort: { field, order } } as Partial<Q>);
  };

  return (
    <div className={styles.frame} aria-busy={query.isFetching}>
      {error !== null && error !== undefined && (
        <div className={styles.error}>
          <ErrorNotice error={error} retry={() => query.refetch()} keepsShown={data !== undefined} />
        </div>
      )}
      {((data === undefined && !error) || awaited) && (
        <div className={styles.loading}>
          <LoadingSkeleton>
            {Array.from({ length: pageSize }, (_, index) => index).map((index) => (
              <Skeleton key={index} height={phone ? '5.5rem' : '1.4rem'} />
            ))}
          </LoadingSkeleton>
        </div>
      )}
      {noRows && !awaited && empty}
      {data !== undefined && data.rows.length > 0 && (
        <>
          {selection && <SelectionBar selection={selection} />}
          {phone ? (
            <DataCards columns={columns} rows={data.rows} rowKey={rowKey} {...slots} />
          ) : (
            <DataRows
              name={name}
              columns={shown}
              rows={data.rows}
              rowKey={rowKey}
              sort={sort}
              onSort={sortBy}
              {...slots}
            />
          )}
        </>
      )}
      {data !== undefined && data.total > 0 && (
        <footer className={styles.foot}>
          {!phone && <ColumnChooser columns={columns} chosen={chosen} onChange={choose} label={t('common.columns')} />}
          <div className={styles.pager}>
            <Pager
              currentPage={currentPage}
              pageSize={pageSize}
              total={data.total}
              onChange={(change) => list.set(change as Partial<Q>)}
            />
          </div>
        </footer>
      )}
      {actions.dialogs}
    </div>
  );
}

/** `useQuery` for a table: the page shown stays until the next one is there. */
export function useTableQuery<Answer, Row>(
  options: UseQueryOptions<Answer>,
  select: (answer: Answer) => Page<Row>,
): TableQuery<Row> {
  const { data, error, isFetching, refetch } = useQuery({ ...options, placeholderData: keepPreviousData });
  const page = useMemo(() => (data === undefined ? undefined : select(data)), [data, select]);
  return { data: page, error, isFetching, refetch };
}
