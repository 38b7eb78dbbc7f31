import type { info } from '@sonnenwarte/contract/accounts/own-account';
import type { ownPermissions } from '@sonnenwarte/contract/permissions/permissions';
import { homeOf, type PageName, passage, type RouteName, routeOf } from '@sonnenwarte/contract/routes';
import { isPhone } from './blocks/show/use-is-phone.ts';
import { askEarly, early } from './client/asked-early.ts';
import { fetchQuietly } from './client/quietly.ts';
import { fetchHomes } from './fleet/homes.ts';
import { fetchTexts } from './language/text-sets.ts';
import { lazyScreen, type Screen } from './lazy-screen.ts';
import { parseQuery } from './router/query.ts';
import { publicScreens, screens } from './screens.ts';
import { globalState } from './state/global-state.ts';
import { tokenOf } from './state/session.ts';
import { spendStyles } from './unused-styles.ts';
import { withTexts } from './with-texts.ts';

/** The workspace; what a phone has around its screens comes beside the rest, and not after it. */
export const Shell: Screen = withTexts(
  'workspace',
  lazyScreen(
    async () => {
      const bars = isPhone() && import('./shell/phone-bars.tsx');
      const { fetchPhoneBars, WorkspaceFrame } = await import('./shell/workspace-frame.tsx');
      if (await bars) await fetchPhoneBars();
      return WorkspaceFrame;
    },
    () => [
      early<typeof info>({ method: 'GET', path: '/c/v0/user/info' }, {}),
      early<typeof ownPermissions>({ method: 'GET', path: '/c/v0/user/permissions' }, {}),
    ],
  ),
);

/** What the page at hand is shown with. */
export interface FirstScreen {
  readonly texts: 'entry' | 'workspace';
  /** Its code and data have come, or failed. */
  readonly settled: Promise<unknown>;
}

/** Fetches all that the page at hand needs at once, side by side: its code, texts and data. */
export function fetchFirstScreen({ pathname, search }: Location): FirstScreen {
  const isSignedIn = tokenOf() !== '';
  const { access } = globalState.get();
  const address = pathname === '/' ? homeOf(isSignedIn ? access : -1) : pathname;
  const route = routeOf(address);
  const reading = (shown: readonly (Screen | undefined)[]) =>
    shown.flatMap((each) => [each?.preload?.(), ...(each?.reads?.(parseQuery(search), access) ?? []).map(askEarly)]);
  if (!isSignedIn || route?.outside) {
    if (!route?.outside) spendStyles();
    const page = route?.outside ? publicScreens[route.name as PageName] : publicScreens.login;
    return { texts: 'entry', settled: Promise.allSettled([fetchTexts('entry'), ...reading([page])]) };
  }
  const isOpen = passage(address, access).to === 'screen';
  if (!isOpen) spendStyles();
  const shown = reading([Shell, isOpen ? screens[route?.name as RouteName] : undefined]);
  return { texts: 'workspace', settled: Promise.allSettled(shown) };
}

let isFetched = false;

/** Fetches the workspace and home for somebody who is about to sign in. */
export function fetchWorkspace(): void {
  if (isFetched) return;
  isFetched = true;
  for (const fetch of [Shell.preload, screens['bus-index']?.preload, fetchHomes])
    void fetchQuietly(async () => fetch?.());
}
