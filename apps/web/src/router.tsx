import { homeOf, type PageName, routeOf } from '@sonnenwarte/contract/routes';
import { type ComponentType, Suspense, useDeferredValue, useEffect } from 'react';
import { awaitChunk } from './client/chunk-failure.ts';
import { failureTextNow } from './client/failure-text.ts';
import { connectOutlets, showMessage } from './client/reporting.ts';
import { Shell } from './first-screen.ts';
import { i18n } from './language/i18n.ts';
import { showNotice } from './notices/notices.ts';
import { ChunkWait } from './problems/chunk-wait.tsx';
import { ErrorScreen, type Problem } from './problems/error-screen.tsx';
import { ProblemBoundary } from './problems/problem-boundary.tsx';
import { guard } from './router/guard.ts';
import { connectNavigation } from './router/navigation.ts';
import { followAddress, goToAddress, usePlace } from './router/place.ts';
import { noteWanted } from './router/wanted.ts';
import { hasScreen, publicScreens } from './screens.ts';
import { globalState } from './state/global-state.ts';
import { keepPlace } from './state/kept-place.ts';
import { endSession, tokenOf } from './state/session.ts';

const problems: Partial<Record<PageName, Problem>> = {
  'error-403': '403',
  'error-404': '404',
  'error-5xx': '5xx',
  'error-no-permissions': 'noPermissions',
};

const pages = new Map<string, ComponentType>([
  ...Object.entries(problems).map(([name, problem]) => [name, () => <ErrorScreen problem={problem} />] as const),
  ...Object.entries(publicScreens),
]);

const isBuilt = (name: string): boolean => hasScreen(name) || pages.has(name);

/** Entry and guard: specification section 2. */
function redirectFrom(pathname: string): string | undefined {
  const { access, menuCode } = globalState.get();
  if (pathname === '/') return homeOf(tokenOf() === '' ? -1 : access);
  if (pathname === '/login') endSession();
  const decision = guard(pathname, access, tokenOf(), isBuilt, menuCode);
  if (decision.to === 'screen') return undefined;
  if (decision.to === 'first') return decision.path;
  if (decision.to === '/login') noteWanted();
  // The specification's words, and what they mean in the visitor's.
  if ('message' in decision)
    showMessage({
      id: decision.message,
      text: `${decision.message} ${i18n.t('navigation.problem.noPermissions.text')}`,
      color: 'red',
    });
  return decision.to;
}

/** The page of the address: one of its own, or the workspace. What is shown stays until the next one's code is there. */
export function Router() {
  const { pathname } = usePlace();
  const wanted = routeOf(pathname)?.name ?? '';
  const name = useDeferredValue(wanted);
  const waits = pages.has(name) ? name !== wanted : pages.has(wanted);
  useEffect(() => (waits ? awaitChunk() : undefined), [waits]);
  const Page = pages.get(name) ?? Shell;
  return (
    <Suspense fallback={<ChunkWait />}>
      <ProblemBoundary key={pages.has(name) ? name : ''}>
        <Page />
      </ProblemBoundary>
    </Suspense>
  );
}

export function startRouter(): void {
  connectNavigation((address, { replace = false }) => goToAddress(address, replace));
  connectOutlets({
    show: showNotice,
    textOf: failureTextNow,
    go: (to) => {
      if (to === '/login') keepPlace();
      goToAddress(to, false);
    },
  });
  followAddress(redirectFrom);
}
