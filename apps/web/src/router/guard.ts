import { passage, type RouteName, routeOf } from '@sonnenwarte/contract/routes';

export type GuardDecision =
  | { to: 'screen' }
  | { to: '/login' }
  | { to: '/error/noPermissions'; message: 'No permissions!' }
  | { to: '/error/404' };

/** Paths that are shown outside the workspace. */
const outside: readonly string[] = ['/login', '/error/403', '/error/404', '/error/5xx', '/error/noPermissions'];

/**
 * What happens at a path: first the contract's guard decides, and only then whether a screen exists.
 * `access` counts only together with a token.
 */
export function guard(
  path: string,
  access: number,
  token: string,
  hasScreen: (name: RouteName) => boolean,
): GuardDecision {
  const decision = passage(path, token === '' ? undefined : access);
  if (decision.to === '/error/noPermissions') return { to: decision.to, message: 'No permissions!' };
  if (decision.to !== 'screen') return decision;
  if (outside.includes(path)) return decision;
  const route = routeOf(path);
  return route && hasScreen(route.name as RouteName) ? decision : { to: '/error/404' };
}
