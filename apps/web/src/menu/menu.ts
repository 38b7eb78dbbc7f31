import { type Route, type RouteName, routes } from '@sonnenwarte/contract/routes';

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
 * children; a menu with one child is that child. The home screen comes first. `open` names the routes that the session's permission codes leave open.
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
        if (children.length < 2) return children;
        return [{ name, path: route.path, children }];
      }
      const inMenu = !route.hidden || route.name === 'bus-index';
      const shown = inMenu && mayOpen(route, level, open) && hasScreen(route.name);
      return shown ? [{ name, path: route.path }] : [];
    });
  return entries(undefined);
}

/** What an end user without a plant can use: all else would be empty. */
export const menuWithoutPlants = (menu: readonly MenuEntry[]): readonly MenuEntry[] => [
  ...leavesOf(menu).filter(({ name }) => withoutPlants.includes(name)),
  { name: 'user-center', path: '/user/center' },
];

const withoutPlants: readonly RouteName[] = ['bus-index', 'message'];

/** Parts of the menu in their order: what is done every day stands first and without a heading. */
export const menuParts = ['daily', 'plants', 'administration'] as const;
export type MenuPart = (typeof menuParts)[number];

const daily: readonly RouteName[] = ['bus-index', 'data-view', 'alarm', 'dev-ops', 'work-order', 'message'];
const plants: readonly RouteName[] = ['plant', 'device', 'integrator', 'version', 'iv-diagnosis', 'aging', 'factory'];

const topOf = (name: RouteName): RouteName => {
  const route: Route | undefined = routes.find((each) => each.name === name);
  return route?.parent === undefined ? name : topOf(route.parent as RouteName);
};

function partOf({ name }: MenuEntry): MenuPart {
  const top = topOf(name);
  if (daily.includes(top)) return 'daily';
  return plants.includes(top) ? 'plants' : 'administration';
}

/** The menu by parts, those without entries left out. */
export const partsOf = (menu: readonly MenuEntry[]): { part: MenuPart; entries: readonly MenuEntry[] }[] =>
  menuParts
    .map((part) => ({ part, entries: menu.filter((entry) => partOf(entry) === part) }))
    .filter(({ entries }) => entries.length > 0);

/** Entries without groups, for the bar of a phone. */
export const leavesOf = (menu: readonly MenuEntry[]): MenuEntry[] =>
  menu.flatMap((entry) => (entry.children ? leavesOf(entry.children) : [entry]));
