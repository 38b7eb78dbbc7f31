/** Rows that belong together and follow each other: the first of them, and the others. */
export interface Fold<Row> {
  readonly key: string;
  readonly first: Row;
  readonly others: readonly Row[];
}

/** Rows that follow each other with the same key, together; an empty key belongs to no other. */
export function foldsOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Fold<Row>[] {
  const folds: { key: string; first: Row; others: Row[] }[] = [];
  for (const row of rows) {
    const key = keyOf(row);
    const last = folds.at(-1);
    if (key !== '' && last?.key === key) last.others.push(row);
    else folds.push({ key, first: row, others: [] });
  }
  return folds;
}
