import type { MouseEvent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError, NetworkError } from '../../client/failures.ts';
import { TabContext } from '../../tabs/tab-context.ts';
import { changeTabs, tabState } from '../../tabs/tab-state.ts';
import { HOME_TAB_ID, initialTabs, open } from '../../tabs/tabs.ts';
import type * as screenLink from './screen-link.tsx';
import { UnreadRecord } from './unread-record.tsx';

const { links } = vi.hoisted(() => ({ links: [] as ((event: MouseEvent) => void)[] }));
vi.mock('./screen-link.tsx', async (original) => ({
  ...(await original<typeof screenLink>()),
  ScreenLink: ({ onClick }: { onClick: (event: MouseEvent) => void }) => {
    links.push(onClick);
    return null;
  },
}));

const gone = new ApiError(41_815, 'gone', null);
const show = (error: Error): void => {
  const tab = { id: 'a', name: 'plant-detail', query: {}, active: true } as const;
  renderToStaticMarkup(
    <TabContext value={tab}>
      <UnreadRecord error={error} retry={() => undefined} list="plant-view" />
    </TabContext>,
  );
};
const click = (ctrlKey: boolean) =>
  ({
    button: 0,
    ctrlKey,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    preventDefault: () => undefined,
  }) as MouseEvent;
const ids = () => tabState.get().list.map(({ id }) => id);

beforeEach(() => {
  vi.stubGlobal('document', { activeElement: {} });
  links.length = 0;
  changeTabs(() => open(initialTabs, { id: 'a', name: 'plant-detail' }));
});

test('the list takes the place of a tab whose record the server refuses', () => {
  show(gone);
  links[0]?.(click(false));
  expect(ids()).toEqual([HOME_TAB_ID, 'plant-view']);
});

test('a click that asks for another window leaves the tabs alone', () => {
  show(gone);
  links[0]?.(click(true));
  expect(ids()).toEqual([HOME_TAB_ID, 'a']);
});

test('a record that only the network kept back can be tried again, and its tab stays', () => {
  show(new NetworkError(false));
  expect(links).toEqual([]);
});
