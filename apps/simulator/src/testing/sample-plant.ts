import { join } from 'node:path';
import { type FleetPlant, readFleet } from '../fleet.ts';

export const demoFleetPath = join(import.meta.dirname, '../../fleets/demo.json');

/** A plant of the demo fleet, changed as a test needs it. */
export function samplePlant(key: string, change: Partial<FleetPlant> = {}): FleetPlant {
  const found = readFleet(demoFleetPath).plants.find((plant) => plant.key === key);
  if (found === undefined) throw new Error(`the demo fleet has no plant ${key}`);
  return { ...found, faults: [], ...change };
}
