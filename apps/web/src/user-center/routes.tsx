import type { RouteName } from '@sonnenwarte/contract/routes';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export const screens: Partial<Record<RouteName, LazyExoticComponent<ComponentType>>> = {
  'user-center': lazy(async () => ({ default: (await import('./user-center-screen.tsx')).UserCenterScreen })),
};
