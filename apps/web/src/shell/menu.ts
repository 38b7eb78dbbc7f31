import type { Route, RouteName } from '@sonnenwarte/contract/routes';

export interface MenuEntry {
  name: RouteName;
  path: string;
  /** Present where the entry only opens its children. */
  children?: readonly MenuEntry[];
}

const mayOpen = (route: Route, level: number, open: readonly string[] | undefined): boolean =>
  route.levels !== 'public' &&
  route.levels.some((allowed) => allowed === level) &&
  (open?.includes(route.name) ?? true);

/**
 * The menu of a level: only entries that have a screen and that the level may open. The levels of a menu never gate its
 * children. The home screen comes first. `open` names the routes that the session's permission codes leave open.
 */
export function menuFor(
  routes: readonly Route[],
  level: number,
  hasScreen: (name: string) => name is RouteName,
  open?: readonly string[],
): readonly MenuEntry[] {
  const entries = (parent: string | undefined): MenuEntry[] =>
    routes.flatMap((route): MenuEntry[] => {
      if (route.parent !== parent) return [];
      const name = route.name as RouteName;
      if (route.menuOnly) {
        const children = entries(route.name);
        return children.length > 0 ? [{ name, path: route.path, children }] : [];
      }
      const inMenu = !route.hidden || route.name === 'bus-index';
      const shown = inMenu && mayOpen(route, level, open) && hasScreen(route.name);
      return shown ? [{ name, path: route.path }] : [];
    });
  return entries(undefined);
}

/** Entries without groups, for the bar of a phone. */
export const leavesOf = (menu: readonly MenuEntry[]): MenuEntry[] =>
  menu.flatMap((entry) => (entry.children ? leavesOf(entry.children) : [entry]));
