import styles from './data-cards.module.css';
import type { Column } from './data-table.tsx';
import { addressOfScreen, isPlainClick, openScreen, type ScreenTarget } from './screen-link.tsx';

interface DataCardsProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  target?: (row: Row) => ScreenTarget;
}

/** Rows of a table as cards, for a phone. */
export function DataCards<Row>({ columns, rows, rowKey, target }: DataCardsProps<Row>) {
  const title = columns.find((column) => column.card === 'title') ?? columns[0];
  const asides = columns.filter((column) => column.card === 'aside');
  const lines = columns.filter((column) => column !== title && !asides.includes(column));
  return (
    <ul className={styles.cards}>
      {rows.map((row) => {
        const to = target?.(row);
        return (
          <li key={rowKey(row)} className={styles.card}>
            <div className={styles.head}>
              {to ? (
                <a
                  className={styles.open}
                  href={addressOfScreen(to)}
                  onClick={(event) => {
                    if (!isPlainClick(event)) return;
                    event.preventDefault();
                    openScreen(to);
                  }}
                >
                  {title?.cell(row)}
                </a>
              ) : (
                <span className={styles.title}>{title?.cell(row)}</span>
              )}
              {asides.map((column) => (
                <span key={column.field}>{column.cell(row)}</span>
              ))}
            </div>
            <dl className={styles.lines}>
              {lines.map((column) => (
                <div key={column.field}>
                  <dt>{column.header}</dt>
                  <dd>{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
          </li>
        );
      })}
    </ul>
  );
}
