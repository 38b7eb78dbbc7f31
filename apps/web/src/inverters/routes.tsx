import type { RouteName } from '@sonnenwarte/contract/routes';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const inverterList = lazy(async () => ({ default: (await import('./inverter-list-screen.tsx')).InverterListScreen }));
const inverter = lazy(async () => ({ default: (await import('./inverter-screen.tsx')).InverterScreen }));

export const screens: Partial<Record<RouteName, LazyExoticComponent<ComponentType>>> = {
  'device-inverter': inverterList,
  'integrator-device-list': inverterList,
  'device-inverter-detail': inverter,
  'integrator-inverter-detail': inverter,
};
