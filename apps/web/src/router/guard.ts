import { passage, type Route, routeOf, routes } from '@sonnenwarte/contract/routes';

export type GuardDecision =
  | { to: 'screen' }
  | { to: 'first'; path: string }
  | { to: '/login' }
  | { to: '/error/noPermissions'; message: 'No permissions!' }
  | { to: '/error/404' };

/**
 * What happens at a path: first the contract's guard decides, and only then whether a screen exists.
 * `access` counts only together with a token; `open` names the routes that the session's permission codes leave open.
 */
export function guard(
  path: string,
  access: number,
  token: string,
  hasScreen: (name: string) => boolean,
  open?: readonly string[],
): GuardDecision {
  const decision = passage(path, token === '' ? undefined : access, open);
  if (decision.to === '/error/noPermissions') return { to: decision.to, message: 'No permissions!' };
  if (decision.to !== 'screen') return decision;
  const route: Route | undefined = routeOf(path);
  if (hasScreen(route?.name ?? '')) return decision;
  const first = route?.menuOnly && firstBelow(route.name, access, hasScreen, open);
  return first ? { to: 'first', path: first.path } : { to: '/error/404' };
}

/** The first screen of a menu that this session may open. */
function firstBelow(
  parent: string,
  access: number,
  hasScreen: (name: string) => boolean,
  open: readonly string[] | undefined,
): Route | undefined {
  for (const route of routes as readonly Route[]) {
    if (route.parent !== parent || route.hidden) continue;
    if (route.menuOnly) {
      const first = firstBelow(route.name, access, hasScreen, open);
      if (first) return first;
    } else if (hasScreen(route.name) && passage(route.path, access, open).to === 'screen') return route;
  }
  return undefined;
}
