import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Sign of the order, which moves from header to header. */
const ORDER = /[↕↑↓]/gu;

/** Widths that the columns of a table have taken, px, and of which columns in which room. */
export interface Widths {
  of: string;
  px: number[];
}

export const noWidths = (): Widths => ({ of: '', px: [] });

/**
 * Keeps columns as wide as they have been, so that another page or filter does not move them: they only grow, until the
 * table gets other columns, other headers or other room.
 */
export function useSteadyWidths(kept: Widths): RefObject<HTMLTableElement | null> {
  const table = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => {
    const heads = [...(table.current?.tHead?.rows[0]?.cells ?? [])];
    const room = table.current?.parentElement?.clientWidth ?? 0;
    if (room === 0) return;
    const of = [room, ...heads.map(({ innerText }) => innerText.replace(ORDER, ''))].join('|');
    if (kept.of !== of) Object.assign(kept, { of, px: [] });
    const set = (index: number, px: number | undefined) =>
      heads[index]?.style.setProperty('width', px === undefined ? '' : `${px}px`);
    for (const index of heads.keys()) set(index, kept.px[index]);
    kept.px = heads.map((head, index) => Math.max(kept.px[index] ?? 0, head.getBoundingClientRect().width));
    for (const [index, px] of kept.px.entries()) set(index, px);
  });
  return table;
}
