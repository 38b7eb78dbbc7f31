import type { RouteName } from '@sonnenwarte/contract/routes';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export const screens: Partial<Record<RouteName, LazyExoticComponent<ComponentType>>> = {
  'group-management': lazy(async () => ({
    default: (await import('./organisations-screen.tsx')).OrganisationsScreen,
  })),
};
