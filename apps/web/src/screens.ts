import type { PageName, RouteName } from '@sonnenwarte/contract/routes';
import type { TextGroup } from '@sonnenwarte/phrases/lazy';
import type { ComponentType } from 'react';
import { withTexts } from './language/with-texts.ts';
import type { Screen } from './lazy-screen.ts';

export type Screens = Partial<Record<Exclude<RouteName, PageName>, Screen>>;

/** Pages outside the workspace, most of them public: each fetches its code when it is first shown. */
export type PublicScreens = Partial<Record<PageName, () => Promise<ComponentType>>>;

interface Feature {
  screens?: Screens;
  publicScreens?: PublicScreens;
}

/** Features whose texts are fetched with their screens. */
const textGroups: Readonly<Record<string, TextGroup>> = {
  audit: 'administration',
  deletions: 'administration',
  departments: 'administration',
  members: 'administration',
  'migrations-of-accounts': 'administration',
  organisations: 'administration',
  'permission-groups': 'administration',
  'user-management': 'administration',
};

/** Each feature names its screens in its `routes.tsx`, loaded lazily there. */
const featuresByPath = Object.entries(import.meta.glob<Feature>('./*/routes.tsx', { eager: true }));
const features = featuresByPath.map(([, feature]) => feature);

function screensOf([path, { screens: own = {} }]: [string, Feature]): Screens {
  const group = textGroups[path.split('/').at(-2) ?? ''];
  if (!group) return own;
  return Object.fromEntries(Object.entries(own).map(([name, Screen]) => [name, withTexts(group, Screen)]));
}

export const screens: Partial<Record<RouteName, Screen>> = Object.assign({}, ...featuresByPath.map(screensOf));

export const publicScreens: PublicScreens = Object.assign({}, ...features.map((feature) => feature.publicScreens));

/** Whether a route has a screen in the workspace. */
export const hasScreen = (name: string): name is RouteName => Object.hasOwn(screens, name);
