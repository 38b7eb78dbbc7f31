import { accountLog } from '@sonnenwarte/contract/audit/audit';
import { expect, test, vi } from 'vitest';
import { pageNode } from '../../testing/page-node.ts';
import type { DataTable as Table } from './data-table.tsx';
import type { List } from './use-list.ts';

vi.mock('../show/use-is-phone.ts', () => ({ useIsPhone: () => false }));
vi.mock('./data-cards.tsx', () => ({}));
vi.mock('./data-rows.tsx', () => ({ DataRows: () => 'rows' }));
vi.mock('./column-chooser.tsx', () => ({ ColumnChooser: () => null }));
vi.mock('../show/loading.tsx', () => ({ LoadingSkeleton: () => 'loading', Skeleton: () => null }));
vi.mock('./pager.tsx', async (original) => ({ ...(await original<object>()), Pager: () => null }));

const document = pageNode('#document', 9);
vi.stubGlobal('document', document);
vi.stubGlobal('window', { document, addEventListener: () => undefined, HTMLIFrameElement: class {} });
const { createRoot } = await import('react-dom/client');
const { DataTable }: { DataTable: typeof Table } = await import('./data-table.tsx');

const body = pageNode('BODY', 1);
const root = createRoot(body as unknown as Element);
const set = vi.fn();

function show(page: Pick<List, 'rows' | 'total' | 'isFetching'>, currentPage: number): void {
  const list = { endpoint: accountLog, error: null, value: { pageSize: 10, currentPage }, set, filters: 0, ...page };
  root.render(<DataTable list={list as unknown as List} name="Members" columns={[]} empty="Nobody yet" />);
}

test('a list whose last page is gone goes to the page that is the last now', async () => {
  show({ rows: [], total: 21, isFetching: true }, 4);
  await vi.waitFor(() => expect(body.text()).toBe('loading'));
  expect(set).not.toHaveBeenCalled();
  show({ rows: [], total: 21, isFetching: false }, 4);
  await vi.waitFor(() => expect(set.mock.calls).toEqual([[{ currentPage: 3 }]]));
  expect(body.text()).toBe('loading');
  show({ rows: [{} as never], total: 21, isFetching: false }, 3);
  await vi.waitFor(() => expect(body.text()).toBe('rows'));
  expect(set).toHaveBeenCalledTimes(1);
});
