import type { info } from '@sonnenwarte/contract/accounts/accounts';
import type { ownPermissions } from '@sonnenwarte/contract/permissions/permissions';
import { homeOf, type PageName, passage, type RouteName, routeOf } from '@sonnenwarte/contract/routes';
import { isPhone } from './blocks/show/use-is-phone.ts';
import { askEarly, early } from './client/asked-early.ts';
import { fetchQuietly } from './client/chunk-failure.ts';
import { lazyScreen, type Screen } from './lazy-screen.ts';
import { parseQuery } from './router/search.ts';
import { publicScreens, screens } from './screens.ts';
import { globalState } from './state/global-state.ts';
import { tokenOf } from './state/session.ts';
import { withTexts } from './with-texts.ts';

/** The workspace; what a phone has around its screens comes beside the rest, and not after it. */
export const Shell: Screen = withTexts(
  'workspace',
  lazyScreen(
    async () => {
      if (isPhone()) void import('./shell/phone-bars.tsx').catch(() => undefined);
      return (await import('./shell/workspace-frame.tsx')).WorkspaceFrame;
    },
    () => [
      early<typeof info>({ method: 'GET', path: '/c/v0/user/info' }, {}),
      early<typeof ownPermissions>({ method: 'GET', path: '/c/v0/user/permissions' }, {}),
    ],
  ),
);

/** Fetches all that the page at hand needs at once, side by side: its code, texts and data. Returns the texts that it is shown with. */
export function fetchFirstScreen({ pathname, search }: Location): 'entry' | 'workspace' {
  const isSignedIn = tokenOf() !== '';
  const { access } = globalState.get();
  const address = pathname === '/' ? homeOf(isSignedIn ? access : -1) : pathname;
  const route = routeOf(address);
  if (!isSignedIn || route?.outside) {
    const page = route?.outside ? publicScreens[route.name as PageName] : publicScreens.login;
    page?.preload?.().catch(() => undefined);
    return 'entry';
  }
  const isOpen = passage(address, access).to === 'screen';
  for (const each of [Shell, isOpen ? screens[route?.name as RouteName] : undefined]) {
    each?.preload?.().catch(() => undefined);
    each?.reads?.(parseQuery(search), access).forEach(askEarly);
  }
  return 'workspace';
}

let isFetched = false;

/** Fetches the workspace and home for somebody who is about to sign in. */
export function fetchWorkspace(): void {
  if (isFetched) return;
  isFetched = true;
  for (const each of [Shell, screens['bus-index']]) void fetchQuietly(async () => each?.preload?.());
}
