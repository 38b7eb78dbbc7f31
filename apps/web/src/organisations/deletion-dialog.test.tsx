import type { Consequences } from '@sonnenwarte/contract/organisations/organisations';
import { QueryClient, QueryObserver, type UseQueryResult } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { countedOnce, DeletionDialog } from './deletion-dialog.tsx';

const counts: Consequences = {
  organisationsBelow: 0,
  sites: 2,
  devices: 3,
  loggers: 1,
  accounts: 1,
  endUsers: 0,
  movedSites: 0,
  membersBesides: 0,
  goesTo: null,
  undoDays: 30,
};

const shown = (preview: { data?: Consequences; isFetching: boolean }): string =>
  renderToStaticMarkup(
    <DeletionDialog
      title="Delete Solar GmbH?"
      confirmLabel="Delete"
      onClose={() => undefined}
      preview={{ error: null, ...preview } as UseQueryResult<Consequences>}
      hindering={() => undefined}
      typed={() => 'Solar GmbH'}
      onConfirm={() => Promise.resolve()}
    />,
  );

test('the question stands, with what was typed and refused, while it is counted again', () => {
  expect(shown({ data: counts, isFetching: true })).toContain('<input');
  expect(shown({ data: counts, isFetching: true })).toBe(shown({ data: counts, isFetching: false }));
});

test('nothing is asked before it was counted', () => {
  expect(shown({ isFetching: true })).not.toContain('<input');
});

test('what was deleted is not counted again, but what was refused is', async () => {
  const client = new QueryClient();
  const queryFn = vi.fn(() => Promise.resolve(counts));
  const observer = new QueryObserver(client, { queryKey: ['organisations', 'preview'], queryFn, ...countedOnce });
  const stop = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBeDefined());
  await client.invalidateQueries({ queryKey: ['organisations'] });
  expect(queryFn).toHaveBeenCalledTimes(1);
  await observer.refetch();
  expect(queryFn).toHaveBeenCalledTimes(2);
  stop();
});
