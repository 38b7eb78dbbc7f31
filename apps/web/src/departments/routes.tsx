import type { RouteName } from '@sonnenwarte/contract/routes';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export const screens: Partial<Record<RouteName, LazyExoticComponent<ComponentType>>> = {
  organization: lazy(async () => ({ default: (await import('./department-screen.tsx')).DepartmentScreen })),
};
