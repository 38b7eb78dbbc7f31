import type { Level } from '@sonnenwarte/contract/levels';
import { homeOf, passage } from '@sonnenwarte/contract/routes';

/** Notes with the entry of the history where somebody wants to go who has to sign in first: it outlives a reload, and no way elsewhere. */
export function noteWanted(): void {
  history.replaceState({ wanted: `${location.pathname}${location.search}` }, '');
}

/** Where a session begins: at the address that led to signing in, where its level may be there, else at home. */
export function startOf(access: Level): string {
  const state: unknown = history.state;
  const wanted = typeof state === 'object' && state !== null && 'wanted' in state ? state.wanted : undefined;
  if (typeof wanted !== 'string') return homeOf(access);
  const { origin, pathname, search } = new URL(wanted, location.origin);
  if (origin !== location.origin || passage(pathname, access).to !== 'screen') return homeOf(access);
  return `${pathname}${search}`;
}
