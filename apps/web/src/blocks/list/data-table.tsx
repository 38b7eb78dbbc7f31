import type { ListEndpoint, RowOf } from '@sonnenwarte/contract/endpoint';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { globalState } from '../../state/global-state.ts';
import type { ActionTable } from '../actions/actions.tsx';
import { type Actions, useActions } from '../actions/use-actions.tsx';
import { ErrorNotice } from '../show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../show/loading.tsx';
import { RefreshedEvery } from '../show/refreshed-every.ts';
import type { ScreenTarget } from '../show/screen-link.tsx';
import { useIsPhone } from '../show/use-is-phone.ts';
import { type ChosenColumns, keepColumns, keptColumns } from './chosen-columns.ts';
import { ColumnChooser } from './column-chooser.tsx';
import type { Column } from './columns.tsx';
import { DataCards } from './data-cards.tsx';
import { DataRows } from './data-rows.tsx';
import styles from './data-table.module.css';
import { EmptyList } from './empty-list.tsx';
import { textsOf, useListText } from './list-text.ts';
import { Pager, pagesOf } from './pager.tsx';
import { type Selection, SelectionBar, useEscape } from './selection.tsx';
import { noWidths } from './steady-widths.ts';
import { useFitting } from './use-fitting.ts';
import { useFolded } from './use-folded.tsx';
import type { List } from './use-list.ts';

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
  /** Rows that stand below others. */
  nesting?: Nesting<Row>;
}

/** Rows of which some stand below others: chosen with them, and shown by what stands before their name. */
export interface Nesting<Row> {
  /** Key of the row below which it stands. */
  parentOf: (row: Row) => string | undefined;
  before: (row: Row) => ReactNode;
  /** Below a row, across all columns. */
  after: (row: Row) => ReactNode;
}

interface DataTableProps<L extends ListEndpoint> extends Omit<RowSlots<RowOf<L>>, 'actions'> {
  actions?: ActionTable<RowOf<L>>;
  list: List<L>;
  columns: readonly Column<RowOf<L>>[];
  /** Name of the table for screen readers; the list's title unless said otherwise. */
  name?: string;
  /** Under which the chosen columns are kept, the same in every language; the list's feature unless said otherwise. */
  storedAs?: string;
  /** Rows that follow each other with the same key stand behind the first of them; an empty key belongs to no other. The same function at each call. */
  foldedBy?: (row: RowOf<L>) => string;
  /** What to say and offer where there are no rows; the list's own sentences unless said otherwise. */
  empty?: ReactNode;
  /** Between the way to choose columns and the pages; not on a phone. */
  foot?: ReactNode;
}

/** A list with no more rows in all keeps no room for others. */
const FEW = 4;

/** An answer that takes no longer changes no colours meanwhile. */
const SLOW_MS = 300;

/** Whether something has been so for a while. */
function useLater(is: boolean, afterMs: number): boolean {
  const [was, setWas] = useState(false);
  useEffect(() => {
    if (!is) return setWas(false);
    const timer = setTimeout(() => setWas(true), afterMs);
    return () => clearTimeout(timer);
  }, [is, afterMs]);
  return is && was;
}

/** Columns that are shown: those not optional, changed by what the user chose. */
export const shownColumns = <Row,>(columns: readonly Column<Row>[], chosen: ChosenColumns) =>
  columns.filter((column) => chosen[column.field] ?? !column.optional);

/** A page of rows: sorted by its headers, its columns chosen, its rows opened by click or key; cards on a phone. */
export function DataTable<const L extends ListEndpoint>(props: DataTableProps<L>) {
  const { list, columns, target, selection, nesting, actions: table } = props;
  const actions = useActions(table);
  const { endpoint, rows, total, error, isFetching } = list;
  const { sentence } = useListText();
  const { name = sentence(endpoint, 'title'), storedAs = textsOf(endpoint), empty = <EmptyList list={list} /> } = props;
  const textIn = (field: string) => (row: RowOf<L>) => String((row as Readonly<Record<string, unknown>>)[field]);
  const rowKey = textIn(endpoint.list.key);
  const rowName =
    props.rowName ?? table?.nameOf ?? textIn(columns.find(({ card }) => card === 'title')?.field ?? endpoint.list.key);
  const slots = {
    ...(target ? { target } : {}),
    ...(selection ? { selection } : {}),
    ...(table ? { actions } : {}),
    ...(nesting ? { nesting } : {}),
    rowName,
  };
  type Change = Partial<List<L>['value']>;
  const { t } = useTranslation();
  const phone = useIsPhone();
  const [kept, setKept] = useState(() => keptColumns(storedAs));
  const chosen = list.columns ?? kept;
  const [widths] = useState(noWidths);
  const { pageSize, currentPage, sort } = list.value;
  const fitting = useFitting(columns, chosen);
  const shown = shownColumns(fitting.columns, chosen);
  const folded = useFolded(rows, phone ? columns : shown, props.foldedBy);

  useEffect(() => {
    if (total !== undefined) globalState.set({ pagination: { pageSize, currentPage, total } });
  }, [pageSize, currentPage, total]);

  const frame = useRef<HTMLDivElement>(null);
  useEscape(selection, frame);

  const isSlow = useLater(list.isOfBefore, SLOW_MS);
  const isPast = list.isOfBefore && (isSlow || Boolean(error));
  const noRows = rows?.length === 0;
  const pages = pagesOf(total ?? 0, pageSize);
  // The rows of the page may have been deleted since.
  const pastEnd = noRows && !isFetching && currentPage > pages;
  const awaited = noRows && total !== 0 && (pastEnd || isFetching);
  const { set } = list;
  useEffect(() => {
    if (pastEnd) set({ currentPage: pages } as Change);
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
    setKept(next);
    keepColumns(storedAs, next);
    list.setColumns?.(next);
  };

  const sortBy = (field: string) => {
    const order = sort?.field === field && sort.order === 'asc' ? 'desc' : 'asc';
    list.set({ sort: { field, order } } as Change);
  };

  return (
    <div
      ref={frame}
      className={styles.frame}
      aria-busy={isFetching}
      data-before={isPast || undefined}
      data-short={(list.filters === 0 && total !== undefined && total <= FEW) || undefined}
    >
      {error !== null && error !== undefined && (
        <div className={styles.error}>
          <ErrorNotice error={error} retry={() => list.refetch()} keepsShown={rows !== undefined} />
          {list.isOfBefore && <p className={styles.before}>{t('blocks.list.before')}</p>}
        </div>
      )}
      {((rows === undefined && !error) || awaited) && (
        <div className={styles.loading}>
          <LoadingSkeleton>
            {Array.from({ length: pageSize }, (_, index) => index).map((index) => (
              <Skeleton key={index} height={phone ? '5.5rem' : '1.4rem'} />
            ))}
          </LoadingSkeleton>
        </div>
      )}
      {noRows && !awaited && empty}
      {rows !== undefined && rows.length > 0 && (
        <RefreshedEvery value={list.refreshMs}>
          {phone ? (
            <DataCards columns={folded.columns} rows={folded.rows ?? rows} rowKey={rowKey} {...slots} />
          ) : (
            <DataRows
              {...{ name, rowKey, sort, widths }}
              rows={folded.rows ?? rows}
              columns={folded.columns}
              onSort={sortBy}
              onDrawn={fitting.measure}
              {...slots}
            />
          )}
        </RefreshedEvery>
      )}
      {phone && selection && <SelectionBar selection={selection} />}
      {total !== undefined && total > 0 && (
        <footer className={styles.foot} data-chosen={(selection && selection.keys.size > 0) || undefined}>
          {!phone && selection && <SelectionBar selection={selection} />}
          {!phone && !selection?.keys.size && (
            <ColumnChooser columns={fitting.columns} chosen={chosen} onChange={choose} label={t('common.columns')} />
          )}
          {!phone && !selection?.keys.size && props.foot}
          <div className={styles.pager}>
            <Pager
              currentPage={currentPage}
              pageSize={pageSize}
              total={total}
              onChange={(change) => list.set(change as Change)}
            />
          </div>
        </footer>
      )}
      {actions.dialogs}
    </div>
  );
}
