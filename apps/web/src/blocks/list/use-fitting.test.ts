import { expect, test } from 'vitest';
import type { Column } from './columns.tsx';
import { withoutYielding } from './use-fitting.ts';

const column = (field: string, more: Partial<Column<unknown>> = {}): Column<unknown> => ({
  field,
  header: field,
  cell: () => field,
  ...more,
});
const columns = [column('sn'), column('phases', { yields: 2 }), column('ratio', { yields: 1 }), column('power')];
const shown = (chosen: Readonly<Record<string, boolean>>, count: number) =>
  withoutYielding(columns, chosen, count)
    .filter(({ field, optional }) => chosen[field] ?? !optional)
    .map(({ field }) => field);

test('where there is no room columns leave in their order, and no other ever', () => {
  expect(shown({}, 0)).toEqual(['sn', 'phases', 'ratio', 'power']);
  expect(shown({}, 1)).toEqual(['sn', 'phases', 'power']);
  expect(shown({}, 9)).toEqual(['sn', 'power']);
});

test('a column that somebody chose stays', () => {
  expect(shown({ ratio: true }, 9)).toEqual(['sn', 'ratio', 'power']);
});
