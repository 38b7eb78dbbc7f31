import type { RouteName } from '@sonnenwarte/contract/routes';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export const screens: Partial<Record<RouteName, LazyExoticComponent<ComponentType>>> = {
  'bus-index': lazy(async () => ({ default: (await import('./home-screen.tsx')).HomeScreen })),
};
