import type { PageName, RouteName } from '@sonnenwarte/contract/routes';
import type { Screen } from './lazy-screen.ts';
import { withTexts } from './with-texts.ts';

export type Screens = Partial<Record<Exclude<RouteName, PageName>, Screen>>;

/** Pages outside the workspace, most of them public. */
export type PublicScreens = Partial<Record<PageName, Screen>>;

interface Feature {
  screens?: Screens;
  publicScreens?: PublicScreens;
}

/** Each feature names its screens in its `routes.tsx`, loaded lazily there; their texts are those of its room. */
const features = Object.entries(import.meta.glob<Feature>('./*/routes.tsx', { eager: true })).map(
  ([path, feature]) => ({ room: path.split('/').at(-2) ?? '', ...feature }),
);

/** The screens of the workspace by the name of their route. */
export const screens: Partial<Record<RouteName, Screen>> = Object.fromEntries(
  features.flatMap(({ room, screens: own = {} }) =>
    Object.entries(own).map(([name, Screen]) => [name, withTexts(room, Screen)]),
  ),
);

/** The pages outside it. */
export const publicScreens: Partial<Record<PageName, Screen>> = Object.fromEntries(
  features.flatMap(({ room, publicScreens: own = {} }) =>
    Object.entries(own).map(([name, Page]) => [name, withTexts(room, Page)]),
  ),
);

/** Whether a route has a screen in the workspace. */
export const hasScreen = (name: string): name is RouteName => Object.hasOwn(screens, name);
