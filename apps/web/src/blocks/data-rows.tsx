import { useTranslation } from 'react-i18next';
import { useAllowedActions } from './action-menu.tsx';
import type { Column } from './columns.tsx';
import styles from './data-table.module.css';
import type { RowSlots } from './data-table.tsx';
import { BriefFreshness } from './freshness.tsx';
import { Hint } from './hint.tsx';
import { RowActions } from './row-actions.tsx';
import { addressOfScreen, isPlainClick, openScreen } from './screen-link.tsx';
import { PageBox, RowBox } from './selection.tsx';

interface DataRowsProps<Row> extends RowSlots<Row> {
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  sort: { field: string; order: 'asc' | 'desc' } | undefined;
  onSort: (field: string) => void;
}

/** What a column holds, and the unit of its numbers. */
function HeaderText({ column: { header, unit } }: { column: Pick<Column<never>, 'header' | 'unit'> }) {
  return (
    <span>
      {header}
      {unit !== undefined && <span className={styles.unit}> {unit}</span>}
    </span>
  );
}

/** A page of rows as a table. */
export function DataRows<Row>(props: DataRowsProps<Row>) {
  const { name, columns, rows, rowKey, sort, onSort, target, selection, actions, rowName = rowKey } = props;
  const { t } = useTranslation();
  const allowed = useAllowedActions();
  const withActions = actions !== undefined && rows.some((row) => allowed(actions(row)).length > 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={name}>
      <table className={styles.table}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={styles.box}>
                <PageBox selection={selection} keys={rows.map(rowKey)} />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.field}
                scope="col"
                data-align={column.align}
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
            {withActions && (
              <th scope="col" className={styles.actions}>
                <span className="visually-hidden">{t('blocks.actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <BriefFreshness value>
          <tbody>
            {rows.map((row) => {
              const to = target?.(row);
              const key = rowKey(row);
              return (
                <tr
                  key={key}
                  data-opens={to ? true : undefined}
                  data-chosen={selection?.keys.has(key) || undefined}
                  onClick={(event) => {
                    const inControl =
                      event.target instanceof Element && event.target.closest('a, button, input, label, [role="menu"]');
                    if (to && !inControl && isPlainClick(event) && getSelection()?.isCollapsed !== false)
                      openScreen(to);
                  }}
                >
                  {selection && (
                    <td className={styles.box}>
                      <RowBox selection={selection} rowKey={key} name={rowName(row)} />
                    </td>
                  )}
                  {columns.map((column, index) => (
                    <td key={column.field} data-align={column.align}>
                      {to && index === 0 ? (
                        <a
                          className={styles.open}
                          href={addressOfScreen(to)}
                          onClick={(event) => {
                            if (!isPlainClick(event)) return;
                            event.preventDefault();
                            openScreen(to);
                          }}
                        >
                          {column.cell(row)}
                        </a>
                      ) : (
                        column.cell(row)
                      )}
                    </td>
                  ))}
                  {withActions && (
                    <td className={styles.actions}>
                      <RowActions name={rowName(row)} actions={actions(row)} />
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </BriefFreshness>
      </table>
    </section>
  );
}
