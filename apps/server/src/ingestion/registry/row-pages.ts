/** So many rows are worked through in a few milliseconds. */
const PAGE_ROWS = 1_000;

/**
 * Pages of a table in the order of its keys: however many rows there are, few are held at a time, and the event loop is given
 * back between them.
 */
export async function* rowPages<Row extends { key: number }>(
  read: (afterKey: number, rows: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let afterKey = 0;
  for (;;) {
    const rows = await read(afterKey, PAGE_ROWS);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    afterKey = last.key;
  }
}
