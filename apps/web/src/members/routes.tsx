import type { RouteName } from '@sonnenwarte/contract/routes';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export const screens: Partial<Record<RouteName, LazyExoticComponent<ComponentType>>> = {
  member: lazy(async () => ({ default: (await import('./member-list-screen.tsx')).MemberListScreen })),
};
