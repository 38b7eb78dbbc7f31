import { expect, test, vi } from 'vitest';
import { pageNode } from '../router/page-node.ts';
import type { DataTable as Table, TableQuery } from './data-table.tsx';

vi.mock('./use-is-phone.ts', () => ({ useIsPhone: () => false }));
vi.mock('./data-cards.tsx', () => ({}));
vi.mock('./data-rows.tsx', () => ({ DataRows: () => 'rows' }));
vi.mock('./column-chooser.tsx', () => ({ ColumnChooser: () => null }));
vi.mock('./loading.tsx', () => ({ LoadingSkeleton: () => 'loading', Skeleton: () => null }));
vi.mock('./pager.tsx', async (original) => ({ ...(await original<object>()), Pager: () => null }));

const document = pageNode('#document', 9);
vi.stubGlobal('document', document);
vi.stubGlobal('window', { document, addEventListener: () => undefined, HTMLIFrameElement: class {} });
const { createRoot } = await import('react-dom/client');
const { DataTable }: { DataTable: typeof Table } = await import('./data-table.tsx');

const body = pageNode('BODY', 1);
const root = createRoot(body as unknown as Element);
const set = vi.fn();

function show(query: Pick<TableQuery<object>, 'data' | 'isFetching'>, currentPage: number): void {
  root.render(
    <DataTable
      name="Members"
      storedAs="members"
      columns={[]}
      rowKey={() => ''}
      query={{ error: null, refetch: () => undefined, ...query }}
      list={{ value: { pageSize: 10, currentPage }, set, reset: () => undefined, filters: 0 }}
      empty="Nobody yet"
    />,
  );
}

test('a list whose last page is gone goes to the page that is the last now', async () => {
  show({ data: { rows: [], total: 21 }, isFetching: true }, 4);
  await vi.waitFor(() => expect(body.text()).toBe('loading'));
  expect(set).not.toHaveBeenCalled();
  show({ data: { rows: [], total: 21 }, isFetching: false }, 4);
  await vi.waitFor(() => expect(set.mock.calls).toEqual([[{ currentPage: 3 }]]));
  expect(body.text()).toBe('loading');
  show({ data: { rows: [{}], total: 21 }, isFetching: false }, 3);
  await vi.waitFor(() => expect(body.text()).toBe('rows'));
  expect(set).toHaveBeenCalledTimes(1);
});
