import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../overlay/hint.tsx';
import { BriefFreshness } from '../show/freshness.tsx';
import { isPlainClick, openScreen, useOpenRoutes } from '../show/screen-link.tsx';
import type { Column } from './columns.tsx';
import styles from './data-table.module.css';
import type { RowSlots } from './data-table.tsx';
import { showEdges } from './edge-shadow.ts';
import { RowActions } from './row-actions.tsx';
import { RowOpener } from './row-opener.tsx';
import { PageBox, RowBox } from './selection.tsx';
import { useSteadyWidths, type Widths } from './steady-widths.ts';

interface DataRowsProps<Row> extends RowSlots<Row> {
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  sort: { field: string; order: 'asc' | 'desc' } | undefined;
  onSort: (field: string) => void;
  /** Kept where the table stays while its rows come and go. */
  widths: Widths;
  /** The frame that scrolls, after each drawing and in other room. */
  onDrawn: (frame: HTMLElement) => void;
}

/** What a column holds, and the unit of its numbers. */
function HeaderText({ column: { header, unit } }: { column: Pick<Column<never>, 'header' | 'unit'> }) {
  return (
    <span>
      {header}
      {unit !== undefined && (
        <>
          {' '}
          <span className={styles.unit}>{unit}</span>
        </>
      )}
    </span>
  );
}

/** A page of rows as a table. */
export function DataRows<Row>(props: DataRowsProps<Row>) {
  const { name, columns, rows, rowKey, sort, onSort, target, selection, actions, nesting, rowName = rowKey } = props;
  const { t } = useTranslation();
  const isOpen = useOpenRoutes();
  const table = useSteadyWidths(props.widths);
  const drawn = useRef(props.onDrawn);
  useLayoutEffect(() => {
    drawn.current = props.onDrawn;
    if (table.current?.parentElement) props.onDrawn(table.current.parentElement);
  });
  useEffect(() => {
    const frame = table.current?.parentElement;
    if (!frame) return;
    const observer = new ResizeObserver(() => drawn.current(frame));
    observer.observe(frame);
    return () => observer.disconnect();
  }, [table]);
  const withMenu = actions?.withMenu === true && rows.some((row) => actions.of(row).length > 0);
  /** The column that opens the row for the keyboard. */
  const handle = columns.find(({ card }) => card === 'title') ?? columns[0];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={showEdges} className={styles.scroll} tabIndex={0} aria-label={name}>
      <table ref={table} className={styles.table}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={styles.box}>
                <PageBox
                  selection={selection}
                  keys={rows.filter((row) => nesting?.parentOf(row) === undefined).map(rowKey)}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.field}
                scope="col"
                data-align={column.align}
                data-stays={column.stays}
                aria-sort={sort?.field !== column.field ? undefined : sort.order === 'asc' ? 'ascending' : 'descending'}
              >
                {column.sortable ? (
                  <Hint text={column.hint} className={styles.sort ?? ''} onClick={() => onSort(column.field)}>
                    <HeaderText column={column} />
                    <span aria-hidden="true" className={styles.arrow}>
                      {sort?.field !== column.field ? '↕' : sort.order === 'asc' ? '↑' : '↓'}
                    </span>
                  </Hint>
                ) : (
                  <Hint text={column.hint}>
                    <HeaderText column={column} />
                  </Hint>
                )}
              </th>
            ))}
            {withMenu && (
              <th scope="col" className={styles.actions}>
                <span className="visually-hidden">{t('blocks.actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <BriefFreshness value>
          <tbody data-ages>
            {rows.map((row) => {
              const linked = target?.(row);
              const to = linked && isOpen(linked.to) ? linked : undefined;
              const open = to ? () => openScreen(to) : actions?.opener(row);
              const key = rowKey(row);
              const parent = nesting?.parentOf(row);
              const after = nesting?.after(row);
              const cellOf = (column: Column<Row>): ReactNode =>
                open && column === handle ? (
                  <RowOpener to={to} open={open}>
                    {column.cell(row)}
                  </RowOpener>
                ) : (
                  column.cell(row)
                );
              return (
                <Fragment key={key}>
                  <tr
                    data-key={key}
                    data-below={parent !== undefined || undefined}
                    data-opens={open ? true : undefined}
                    data-chosen={selection?.keys.has(parent ?? key) || undefined}
                    onClick={(event) => {
                      const inControl =
                        event.target instanceof Element &&
                        event.target.closest('a, button, input, label, [role="menu"]');
                      if (open && !inControl && isPlainClick(event) && getSelection()?.isCollapsed !== false) open();
                    }}
                  >
                    {selection && (
                      <td className={styles.box}>
                        {parent === undefined && <RowBox selection={selection} rowKey={key} name={rowName(row)} />}
                      </td>
                    )}
                    {columns.map((column) => (
                      <td key={column.field} data-align={column.align} data-stays={column.stays}>
                        {column === handle && nesting ? (
                          <span className={styles.nested}>
                            {nesting.before(row)}
                            {cellOf(column)}
                          </span>
                        ) : (
                          cellOf(column)
                        )}
                      </td>
                    ))}
                    {withMenu && (
                      <td className={styles.actions}>
                        <RowActions name={rowName(row)} actions={actions.of(row)} />
                      </td>
                    )}
                  </tr>
                  {after && (
                    <tr data-below>
                      {selection && <td className={styles.box} />}
                      <td colSpan={columns.length + (withMenu ? 1 : 0)}>{after}</td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </BriefFreshness>
      </table>
    </section>
  );
}
