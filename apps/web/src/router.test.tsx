import { LEVEL } from '@sonnenwarte/contract/levels';
import type { ComponentType } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { startSession } from './state/session.ts';
import { memoryStorage } from './testing/memory-storage.ts';
import { pageNode } from './testing/page-node.ts';

const pages = vi.hoisted((): { asked: boolean; showLogin: (page: ComponentType) => void } => ({
  asked: false,
  showLogin: () => undefined,
}));

vi.mock('./shell/workspace-frame.tsx', () => ({
  WorkspaceFrame: () => 'workspace',
  fetchPhoneBars: async () => undefined,
}));
vi.mock('./screens.ts', async () => {
  const { lazyScreen } = await import('./lazy-screen.ts');
  const login = lazyScreen(
    () =>
      new Promise((resolve) => {
        pages.asked = true;
        pages.showLogin = resolve;
      }),
  );
  return { hasScreen: () => true, screens: {}, publicScreens: { login } };
});

const place = { pathname: '/bus/index', search: '', href: 'http://portal/bus/index' };
const visit = (_: unknown, __: unknown, address: string) =>
  Object.assign(place, { pathname: address, href: `http://portal${address}` });

beforeAll(() => {
  vi.stubGlobal('localStorage', memoryStorage());
  vi.stubGlobal('sessionStorage', memoryStorage());
  vi.stubGlobal('location', place);
  vi.stubGlobal('history', { pushState: visit, replaceState: visit });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  const document = Object.assign(pageNode('#document', 9), { querySelector: () => null });
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', { document, addEventListener: () => undefined, HTMLIFrameElement: class {} });
  startSession('t', LEVEL.admin);
});

test('what is shown stays until the code of the page that follows is there', async () => {
  const { createRoot } = await import('react-dom/client');
  const { Router, startRouter } = await import('./router.tsx');
  const { go } = await import('./router/navigation.ts');
  const body = pageNode('BODY', 1);
  startRouter();
  createRoot(body as unknown as Element).render(<Router />);
  await vi.waitFor(() => expect(body.text()).toBe('workspace'));
  go('/login');
  await vi.waitFor(() => expect(pages.asked).toBe(true));
  expect(body.text()).toBe('workspace');
  pages.showLogin(() => 'login');
  await vi.waitFor(() => expect(body.text()).toBe('login'));
});
