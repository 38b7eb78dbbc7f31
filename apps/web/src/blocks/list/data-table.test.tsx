import { endpoint } from '@sonnenwarte/contract/endpoint';
import { is } from '@sonnenwarte/contract/kinds';
import { paged, paging } from '@sonnenwarte/contract/lists';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { NetworkError } from '../../client/failures.ts';
import type { Column } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import type { List } from './use-list.ts';

vi.mock('../show/use-is-phone.ts', () => ({ useIsPhone: () => false }));
vi.mock('./data-cards.tsx', () => ({}));
vi.mock('./data-rows.tsx', () => ({
  DataRows: (shown: { columns: readonly Column<Row>[]; rows: readonly Row[] }) =>
    shown.rows.flatMap((row) => shown.columns.map((column) => column.cell(row))),
}));

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => stored.get(key) ?? null });
});
afterEach(() => vi.unstubAllGlobals());

interface Row {
  id: string;
  email: string;
}

const members = endpoint({
  method: 'POST',
  reads: true,
  path: '/members',
  feature: 'members',
  summary: 'Members.',
  callers: [255],
  list: { rows: 'members', key: 'id', fields: { id: is.text, email: is.text } },
  input: z.object({ ...paging }),
  result: z.object({ ...paged, members: z.array(z.object({ id: z.string(), email: z.string() })) }),
});

const columns: readonly Column<Row>[] = [
  { field: 'id', header: 'Name', cell: (row) => row.id },
  { field: 'email', header: 'E-mail', cell: (row) => row.email },
];

interface Page {
  rows: readonly Row[];
  total: number;
}

interface Then {
  name?: string;
  currentPage?: number;
  isFetching?: boolean;
  isOfBefore?: boolean;
  error?: unknown;
}

const table = (page: Page, then: Then = {}): string => {
  const { name = 'Members', currentPage = 1, isFetching = false, isOfBefore = false, error = null } = then;
  const list: List<typeof members> = {
    endpoint: members,
    answer: undefined,
    ...page,
    error,
    isOfBefore,
    isFetching,
    refreshMs: 0,
    refetch: () => undefined,
    value: { pageSize: 10, currentPage },
    set: () => undefined,
    reset: () => undefined,
    filters: 0,
  };
  return renderToStaticMarkup(<DataTable list={list} name={name} columns={columns} empty="Nobody yet" />);
};

describe('a list', () => {
  test('does not claim to be empty when the rows of its last page are gone', () => {
    expect(table({ rows: [], total: 10 }, { currentPage: 2 })).not.toContain('Nobody yet');
    expect(table({ rows: [], total: 10 }, { isFetching: true })).not.toContain('Nobody yet');
  });

  test('says that it is empty when it is', () => {
    expect(table({ rows: [], total: 0 })).toContain('Nobody yet');
    expect(table({ rows: [], total: 0 }, { isFetching: true })).toContain('Nobody yet');
  });

  test('keeps the rows of before where what is asked now fails, and says whose they are', () => {
    const page = { rows: [{ id: 'anna', email: 'anna@example.com' }], total: 1 };
    const failed = table(page, { isOfBefore: true, error: new NetworkError(false) });
    expect(failed).toContain('anna@example.com');
    expect(failed).toContain('data-before');
    expect(failed).toContain('blocks.list.before');
    expect(table(page)).not.toContain('data-before');
  });

  test('keeps the chosen columns when its name is said in another language', () => {
    const page = { rows: [{ id: 'anna', email: 'anna@example.com' }], total: 1 };
    stored.set('columns:members', JSON.stringify({ email: false }));
    for (const name of ['Members', 'Mitglieder']) expect(table(page, { name })).not.toContain('anna@example.com');
    stored.clear();
    expect(table(page)).toContain('anna@example.com');
  });
});
