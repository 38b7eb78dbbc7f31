import type { RouteName } from '@sonnenwarte/contract/routes';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export const screens: Partial<Record<RouteName, LazyExoticComponent<ComponentType>>> = {
  'account-migration': lazy(async () => ({ default: (await import('./migration-screen.tsx')).MigrationScreen })),
};
