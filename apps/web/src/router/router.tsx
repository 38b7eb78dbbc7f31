import { homeOf } from '@sonnenwarte/contract/routes';
import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { connectOutlets, showMessage } from '../client/reporting.ts';
import { showNotice } from '../notices/notices.ts';
import { ErrorScreen } from '../problems/error-screen.tsx';
import { hasScreen } from '../screens.ts';
import { globalState } from '../state/global-state.ts';
import { endSession, tokenOf } from '../state/session.ts';
import { guard } from './guard.ts';
import { connectNavigation } from './navigation.ts';
import { parseQuery, queryText } from './search.ts';

const loadLogin = () => import('../login/login-screen.tsx').then((module) => ({ default: module.LoginScreen }));
const loadSetup = () => import('../setup/setup-screen.tsx').then((module) => ({ default: module.SetupScreen }));
const loadShell = () => import('../shell/workspace-frame.tsx').then((module) => ({ default: module.WorkspaceFrame }));

const LoginScreen = lazy(loadLogin);
const SetupScreen = lazy(loadSetup);
const Shell = lazy(loadShell);

/** Fetches the code of the page at hand beside that of the language, and not after it. */
export function fetchFirstScreen(pathname: string): void {
  const signedIn = tokenOf() !== '' && pathname !== '/login';
  const load = pathname === SETUP_PATH ? loadSetup : signedIn ? loadShell : loadLogin;
  void load().catch(() => undefined);
}

const SETUP_PATH = '/setup';

const root = createRootRoute({
  component: () => (
    <Suspense>
      <Outlet />
    </Suspense>
  ),
  notFoundComponent: () => <ErrorScreen problem="404" />,
  errorComponent: () => <ErrorScreen problem="5xx" />,
  beforeLoad: ({ location: { pathname } }) => {
    if (pathname === '/')
      throw redirect({ href: homeOf(tokenOf() === '' ? -1 : globalState.get().access), replace: true });
    if (pathname === '/login') endSession();
    if (pathname === SETUP_PATH) return;
    const decision = guard(pathname, globalState.get().access, tokenOf(), hasScreen);
    if (decision.to === 'screen') return;
    if ('message' in decision) showMessage({ id: decision.message, text: decision.message, color: 'red' });
    throw redirect({ href: decision.to, replace: true });
  },
});

const loginRoute = createRoute({ getParentRoute: () => root, path: '/login', component: LoginScreen });
const setupRoute = createRoute({ getParentRoute: () => root, path: SETUP_PATH, component: SetupScreen });
const problems = (['403', '404', '5xx', 'noPermissions'] as const).map((problem) =>
  createRoute({
    getParentRoute: () => root,
    path: `/error/${problem}`,
    component: () => <ErrorScreen problem={problem} />,
  }),
);
const workspace = createRoute({ getParentRoute: () => root, path: '$', component: Shell });

export const router = createRouter({
  routeTree: root.addChildren([loginRoute, setupRoute, ...problems, workspace]),
  parseSearch: parseQuery,
  stringifySearch: queryText,
  trailingSlash: 'preserve',
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

export function connectRouter(): void {
  connectNavigation((href, { replace = false }) => void router.navigate({ href, replace }));
  connectOutlets({
    show: showNotice,
    go: (to) => void router.navigate({ href: to }),
  });
}
