import type { RouteName } from '@sonnenwarte/contract/routes';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export const screens: Partial<Record<RouteName, LazyExoticComponent<ComponentType>>> = {
  'plant-view': lazy(async () => ({ default: (await import('./site-list-screen.tsx')).SiteListScreen })),
  'plant-detail': lazy(async () => ({ default: (await import('./site-screen.tsx')).SiteScreen })),
  'data-view': lazy(async () => ({ default: (await import('./site-screen.tsx')).DataViewScreen })),
};
