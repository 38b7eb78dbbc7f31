import { LEVEL, type Level } from '@sonnenwarte/contract/levels';
import { lazyComponent } from '../lazy-screen.ts';
import { OwnerPast } from './owner-past-part.ts';

const owner = lazyComponent(async () => (await import('./owner-home.tsx')).OwnerHome);
const devices = lazyComponent(async () => (await import('./devices-home.tsx')).DevicesHome);
const fleet = lazyComponent(async () => (await import('./fleet-home.tsx')).FleetHome);

/** Home of a level: of the own plant, of the granted devices, or of all plants in scope. */
export function homeAt(access: Level | -1): typeof owner {
  if (access === LEVEL.endUser) return owner;
  return access === LEVEL.integrator ? devices : fleet;
}

/** For somebody of whom it is not known yet at which level they will be. */
export const fetchHomes = (): Promise<unknown> => Promise.all([owner.preload(), fleet.preload(), OwnerPast.preload()]);
