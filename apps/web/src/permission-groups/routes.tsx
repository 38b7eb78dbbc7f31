import type { RouteName } from '@sonnenwarte/contract/routes';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export const screens: Partial<Record<RouteName, LazyExoticComponent<ComponentType>>> = {
  'permission-group': lazy(async () => ({
    default: (await import('./permission-group-list-screen.tsx')).PermissionGroupListScreen,
  })),
};
