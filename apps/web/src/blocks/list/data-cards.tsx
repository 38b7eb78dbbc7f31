import type { CSSProperties } from 'react';
import { longestWord } from '../../format/longest-word.ts';
import { BriefFreshness } from '../show/freshness.tsx';
import { openScreen, useOpenRoutes } from '../show/screen-link.tsx';
import type { Column } from './columns.tsx';
import styles from './data-cards.module.css';
import type { RowSlots } from './data-table.tsx';
import { RowActions } from './row-actions.tsx';
import { RowOpener } from './row-opener.tsx';
import { RowBox } from './selection.tsx';

interface DataCardsProps<Row> extends RowSlots<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

/** Rows of a table as cards, for a phone: name and state, the figures that matter, and how fresh they are. A number at the foot says what it is of. */
export function DataCards<Row>(props: DataCardsProps<Row>) {
  const { columns, rows, rowKey, target, selection, actions, nesting, rowName = rowKey } = props;
  const isOpen = useOpenRoutes();
  const placed = (place: Column<Row>['card']) => columns.filter((column) => column.card === place);
  const title = placed('title')[0] ?? columns[0];
  return (
    <BriefFreshness value>
      <ul className={styles.cards} data-ages>
        {rows.map((row) => {
          const linked = target?.(row);
          const to = linked && isOpen(linked.to) ? linked : undefined;
          const open = to ? () => openScreen(to) : actions?.opener(row);
          const isBelow = nesting?.parentOf(row) !== undefined;
          return (
            <li key={rowKey(row)} className={styles.card} data-below={isBelow || undefined}>
              <div className={styles.head}>
                {selection && !isBelow && <RowBox selection={selection} rowKey={rowKey(row)} name={rowName(row)} />}
                {nesting?.before(row)}
                {open ? (
                  <RowOpener to={to} open={open} wide>
                    {title?.cell(row)}
                  </RowOpener>
                ) : (
                  <span className={styles.title}>{title?.cell(row)}</span>
                )}
                <span className={styles.aside}>
                  {placed('aside').map((column) => (
                    <span key={column.field}>{(column.inCard ?? column.cell)(row)}</span>
                  ))}
                  {actions?.withMenu && <RowActions name={rowName(row)} actions={actions.of(row)} />}
                </span>
              </div>
              <dl className={styles.figures}>
                {placed('figure').map((column) => (
                  <div key={column.field}>
                    <dt>
                      <span style={{ '--letters': longestWord(column.header) } as CSSProperties}>{column.header}</span>
                    </dt>
                    <dd>{(column.inCard ?? column.cell)(row)}</dd>
                  </div>
                ))}
              </dl>
              <div className={styles.foot}>
                {placed('foot').map((column) => (
                  <span key={column.field}>
                    {column.align === 'end' && `${column.header}: `}
                    {(column.inCard ?? column.cell)(row)}
                  </span>
                ))}
              </div>
              {nesting?.after(row)}
            </li>
          );
        })}
      </ul>
    </BriefFreshness>
  );
}
