/** Where a row of a list is after a change of the list; `undefined` where it is gone. */
export type RowMove = (index: number) => number | undefined;

export const inserted =
  (at: number): RowMove =>
  (index) =>
    index < at ? index : index + 1;

export const removed =
  (at: number): RowMove =>
  (index) =>
    index === at ? undefined : index > at ? index - 1 : index;

export const moved =
  (from: number, to: number): RowMove =>
  (index) => {
    if (index === from) return to;
    const gone = index > from ? index - 1 : index;
    return gone >= to ? gone + 1 : gone;
  };

/** A path after a change of a list: what lies inside its rows goes where they go; `undefined` with the row. */
export function pathAfter(path: string, list: string, move: RowMove): string | undefined {
  if (!path.startsWith(`${list}.`)) return path;
  const [row = '', ...rest] = path.slice(list.length + 1).split('.');
  const to = move(Number(row));
  return to === undefined ? undefined : [list, to, ...rest].join('.');
}

/** A list with its row at another place. */
export function withMoved<T>(rows: readonly T[], from: number, to: number): T[] {
  const row = rows.slice(from, from + 1);
  return rows.toSpliced(from, 1).toSpliced(to, 0, ...row);
}

/** Keys of the rows of a form's lists, which stay a row's own wherever it moves. */
export interface RowKeys {
  of: (list: string, length: number) => readonly number[];
  /** Follows a change of a list that had `before` rows and has `after` now. */
  follow: (list: string, move: RowMove, before: number, after: number) => void;
}

export function createRowKeys(): RowKeys {
  let next = 0;
  let known = new Map<string, readonly number[]>();
  const of = (list: string, length: number) => {
    const keys = known.get(list);
    if (keys?.length === length) return keys;
    const made = Array.from({ length }, () => next++);
    known.set(list, made);
    return made;
  };
  const follow = (list: string, move: RowMove, before: number, after: number) => {
    const keys = of(list, before);
    known = new Map(
      [...known].flatMap(([path, inner]) => {
        const to = pathAfter(path, list, move);
        return to === undefined ? [] : [[to, inner]];
      }),
    );
    const followed = new Map(keys.map((key, index) => [move(index), key]));
    known.set(
      list,
      Array.from({ length: after }, (_, index) => followed.get(index) ?? next++),
    );
  };
  return { of, follow };
}
