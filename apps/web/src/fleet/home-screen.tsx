import { LEVEL } from '@sonnenwarte/contract/levels';
import type { ReactNode } from 'react';
import { useGlobalState } from '../state/global-state.ts';
import { DevicesHome } from './devices-home.tsx';
import { FleetHome } from './fleet-home.tsx';
import { OwnerHome } from './owner-home.tsx';

/** Is anything wrong, and where: told of the own plant, of the granted devices, or of all plants in scope. */
export function HomeScreen(): ReactNode {
  const access = useGlobalState((state) => state.access);
  if (access === LEVEL.endUser) return <OwnerHome />;
  if (access === LEVEL.integrator) return <DevicesHome />;
  return <FleetHome />;
}
