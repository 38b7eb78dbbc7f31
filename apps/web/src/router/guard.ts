import { passage, routeOf } from '@sonnenwarte/contract/routes';

export type GuardDecision =
  | { to: 'screen' }
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
  return hasScreen(routeOf(path)?.name ?? '') ? decision : { to: '/error/404' };
}
