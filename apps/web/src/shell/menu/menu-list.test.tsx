import type { RouteName } from '@sonnenwarte/contract/routes';
import type { MouseEvent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, test, vi } from 'vitest';
import { globalState } from '../../state/global-state.ts';
import { changeTabs, tabState } from '../../tabs/tab-state.ts';
import { HOME_TAB_ID, initialTabs, open } from '../../tabs/tabs.ts';
import { MenuList } from './menu-list.tsx';

type Handlers = Record<'onClick' | 'onAuxClick', (event: Click) => void>;
type Click = MouseEvent<HTMLAnchorElement>;

let links: Handlers[] = [];
vi.mock('../../blocks/show/screen-link.tsx', () => ({
  ScreenLink: (props: Handlers) => {
    links.push(props);
    return null;
  },
}));

// Counts listen to the stream, which a browser alone has.
vi.mock('../../live/use-live.ts', () => ({ useChanges: () => '0' }));

const entry = (name: RouteName) => ({ name, path: `/${name}` });
const plain = { button: 0, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const preventDefault = vi.fn();
const click = (fields: Partial<typeof plain> = {}) => ({ ...plain, ...fields, preventDefault }) as unknown as Click;

beforeEach(() => {
  links = [];
  preventDefault.mockClear();
  changeTabs(() => open(initialTabs, { id: HOME_TAB_ID, name: 'bus-index' }));
});

test('each entry of the menu tells that it was chosen, also the one that is shown and those in groups', () => {
  globalState.set({ navigation: [entry('bus-index'), { ...entry('device'), children: [entry('device-inverter')] }] });
  const onChosen = vi.fn();
  renderToStaticMarkup(<MenuList activeName="device-inverter" onChosen={onChosen} />);
  for (const { onClick } of links) onClick(click());
  expect(onChosen).toHaveBeenCalledTimes(2);
});

/** What an event at the menu's only entry adds to the tabs. */
function addedBy(event: Click, handler: keyof Handlers): { id: string; isShow: boolean }[] {
  globalState.set({ navigation: [entry('plant-view')] });
  renderToStaticMarkup(<MenuList activeName="bus-index" />);
  const before = tabState.get();
  links[0]?.[handler](event);
  expect(tabState.get().activeId).toBe(before.activeId);
  return tabState
    .get()
    .list.slice(before.list.length)
    .map(({ id, isShow }) => ({ id, isShow }));
}

test.each([
  ['Ctrl and a click', click({ ctrlKey: true }), 'onClick'],
  ['Cmd and a click', click({ metaKey: true }), 'onClick'],
  ['the middle button', click({ button: 1 }), 'onAuxClick'],
] as const)(
  '%s on an entry of the menu opens its tab behind the shown one, and none of the browser',
  (_, event, handler) => {
    expect(addedBy(event, handler)).toEqual([{ id: 'plant-view', isShow: false }]);
    expect(preventDefault).toHaveBeenCalledTimes(1);
  },
);

test.each([
  ['a click', click(), 'onClick'],
  ['Ctrl, Shift and a click', click({ ctrlKey: true, shiftKey: true }), 'onClick'],
  ['the right button', click({ button: 2 }), 'onAuxClick'],
] as const)('%s on an entry of the menu is left to link and browser', (_, event, handler) => {
  expect(addedBy(event, handler)).toEqual([]);
  expect(preventDefault).not.toHaveBeenCalled();
});
