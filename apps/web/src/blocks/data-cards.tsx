import styles from './data-cards.module.css';
import type { Column } from './data-table.tsx';
import { BriefFreshness } from './freshness.tsx';
import { addressOfScreen, isPlainClick, openScreen, type ScreenTarget } from './screen-link.tsx';

interface DataCardsProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  target?: (row: Row) => ScreenTarget;
}

/** Rows of a table as cards, for a phone: name and state, the figures that matter, and how fresh they are. */
export function DataCards<Row>({ columns, rows, rowKey, target }: DataCardsProps<Row>) {
  const placed = (place: Column<Row>['card']) => columns.filter((column) => column.card === place);
  const title = placed('title')[0] ?? columns[0];
  return (
    <BriefFreshness value>
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
                {placed('aside').map((column) => (
                  <span key={column.field}>{column.cell(row)}</span>
                ))}
              </div>
              <dl className={styles.figures}>
                {placed('figure').map((column) => (
                  <div key={column.field}>
                    <dt>{column.header}</dt>
                    <dd>{column.cell(row)}</dd>
                  </div>
                ))}
              </dl>
              <div className={styles.foot}>
                {placed('foot').map((column) => (
                  <span key={column.field}>{column.cell(row)}</span>
                ))}
              </div>
            </li>
          );
        })}
      </ul>
    </BriefFreshness>
  );
}
