import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { changeTabs } from '../../tabs/tab-state.ts';
import { initialTabs, open, retitle, tabElementId } from '../../tabs/tabs.ts';
import { TabOutlet } from './tab-outlet.tsx';

vi.mock('../../screens.ts', () => ({ hasScreen: () => true, screens: { 'plant-detail': () => null } }));

const named = (withStrip: boolean) =>
  /aria-label(?:ledby)?="[^"]*"/.exec(renderToStaticMarkup(<TabOutlet withStrip={withStrip} />))?.[0];

test('a screen bears the name of its tab, in words where no tab is shown', () => {
  changeTabs(() => retitle(open(initialTabs, { id: 'a', name: 'plant-detail' }), 'a', 'Villa'));
  expect(named(true)).toBe(`aria-labelledby="${tabElementId('a')}"`);
  expect(named(false)).toBe('aria-label="Villa"');
});
