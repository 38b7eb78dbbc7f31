import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import { featureOf } from '../feature.ts';
import { fleetSummary } from './fleet.service.ts';

/** The overview of all plants in scope. */
export const feature = featureOf(fleetEndpoints, {
  summary: fleetSummary,
});
