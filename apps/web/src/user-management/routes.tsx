import type { RouteName } from '@sonnenwarte/contract/routes';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export const screens: Partial<Record<RouteName, LazyExoticComponent<ComponentType>>> = {
  'user-management': lazy(async () => ({
    default: (await import('./user-management-screen.tsx')).UserManagementScreen,
  })),
};
