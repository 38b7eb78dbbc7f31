import type { RouteName } from '@sonnenwarte/contract/routes';
import type { ComponentType } from 'react';

export type Screens = Partial<Record<RouteName, ComponentType>>;

/** Each feature names its screens in its `routes.tsx`, loaded lazily there. */
const features = import.meta.glob<Screens>('./*/routes.tsx', { eager: true, import: 'screens' });

export const screens: Screens = Object.assign({}, ...Object.values(features));

export const hasScreen = (name: string): name is RouteName => Object.hasOwn(screens, name);
