import { useState } from 'react';
import type { ChosenColumns } from './chosen-columns.ts';
import type { Column } from './columns.tsx';

/** The columns of a table in the room that it has, and what is to be said of its frame after each drawing. */
export interface Fitting<Row> {
  readonly columns: readonly Column<Row>[];
  readonly measure: (frame: HTMLElement) => void;
}

/** Columns of which so many have left: those that yield first, never one that somebody chose. */
export function withoutYielding<Row>(
  columns: readonly Column<Row>[],
  chosen: ChosenColumns,
  count: number,
): readonly Column<Row>[] {
  const left = new Set(yieldingOf(columns, chosen).slice(0, count));
  return left.size === 0
    ? columns
    : columns.map((column) => (left.has(column.field) ? { ...column, optional: true } : column));
}

const yieldingOf = <Row>(columns: readonly Column<Row>[], chosen: ChosenColumns): string[] =>
  columns
    .filter(({ field, optional, yields }) => yields !== undefined && !optional && chosen[field] === undefined)
    .sort((one, other) => (one.yields ?? 0) - (other.yields ?? 0))
    .map(({ field }) => field);

/** Lets columns go that yield, one after the other, until the rest has room; they come back with other room. */
export function useFitting<Row>(columns: readonly Column<Row>[], chosen: ChosenColumns): Fitting<Row> {
  const [room, setRoom] = useState(0);
  const [left, setLeft] = useState({ of: '', count: 0 });
  const of = [room, JSON.stringify(chosen), ...columns.map(({ header }) => header)].join('|');
  const count = left.of === of ? left.count : 0;
  return {
    columns: withoutYielding(columns, chosen, count),
    measure: ({ clientWidth, scrollWidth }) => {
      if (clientWidth === 0) return;
      if (clientWidth !== room) setRoom(clientWidth);
      else if (scrollWidth > clientWidth + 1 && count < yieldingOf(columns, chosen).length) {
        setLeft({ of, count: count + 1 });
      }
    },
  };
}
