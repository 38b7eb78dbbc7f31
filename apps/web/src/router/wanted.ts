import type { Level } from '@sonnenwarte/contract/levels';
import { homeOf, passage } from '@sonnenwarte/contract/routes';

/** Notes with the entry of the history where somebody wants to go who has to sign in first: it outlives a reload, and no way elsewhere. */
export function noteWanted(): void {
  history.replaceState({ wanted: `${location.pathname}${location.search}` }, '');
}

/** An address as far as it leads to where a level may be. */
function opened(address: unknown, access: Level): string | undefined {
  if (typeof address !== 'string') return undefined;
  const { origin, pathname, search } = new URL(address, location.origin);
  return origin === location.origin && passage(pathname, access).to === 'screen' ? `${pathname}${search}` : undefined;
}

/**
 * Where a session begins: at the address that led to signing in, else where the account was when its session ended
 * (`kept`), where its level may be there; else at home.
 */
export function startOf(access: Level, kept?: string): string {
  const state: unknown = history.state;
  const wanted = typeof state === 'object' && state !== null && 'wanted' in state ? state.wanted : undefined;
  return opened(wanted, access) ?? opened(kept, access) ?? homeOf(access);
}
