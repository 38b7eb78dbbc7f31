import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import type { Column } from './columns.tsx';
import styles from './data-table.module.css';
import { foldsOf } from './folded-rows.ts';

/** Rows and columns as they are shown where rows of one cause stand behind the first of them until it is opened. */
export function useFolded<Row>(
  rows: readonly Row[] | undefined,
  columns: readonly Column<Row>[],
  foldedBy: ((row: Row) => string) | undefined,
): { rows: readonly Row[] | undefined; columns: readonly Column<Row>[] } {
  const { t } = useTranslation();
  const format = useFormat();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const folds = useMemo(() => (rows && foldedBy ? foldsOf(rows, foldedBy) : undefined), [rows, foldedBy]);
  if (!folds || folds.every(({ others }) => others.length === 0)) return { rows, columns };

  const ofFirst = new Map(folds.map((fold) => [fold.first, fold]));
  const toggle = (key: string) =>
    setOpened((before) => new Set(before.has(key) ? [...before].filter((each) => each !== key) : [...before, key]));
  const mark = (row: Row) => {
    const fold = ofFirst.get(row);
    if (!fold || fold.others.length === 0) return null;
    const number = format.number(fold.others.length);
    return (
      <button
        type="button"
        className={styles.fold}
        aria-expanded={opened.has(fold.key)}
        aria-label={t('blocks.fold', { number })}
        onClick={(event) => {
          event.stopPropagation();
          toggle(fold.key);
        }}
      >
        {opened.has(fold.key) ? '−' : '+'}
        {number}
      </button>
    );
  };
  const handle = columns.find(({ card }) => card === 'title') ?? columns[0];
  // The cell that opens the row is a button itself.
  const marked = columns.find((column) => column !== handle);
  return {
    rows: folds.flatMap(({ key, first, others }) => (opened.has(key) ? [first, ...others] : [first])),
    columns: columns.map((column) =>
      column === marked
        ? {
            ...column,
            cell: (row: Row) => (
              <>
                {column.cell(row)}
                {mark(row)}
              </>
            ),
          }
        : column,
    ),
  };
}
