import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { levels } from '../levels.ts';
import { counts, quality } from '../status.ts';

/** Sums over the sites in scope, from rollups; of an integrator over its granted inverters. */
export const fleetSummary = z.object({
  plants: counts,
  devices: counts,
  /** kWp of the plants; `null` for an integrator, who sees no plants. */
  installedCapacity: z.nullable(z.number()),
  pvPowerW: z.nullable(z.number()),
  todayWh: z.nullable(z.number()),
  monthWh: z.nullable(z.number()),
  totalWh: z.nullable(z.number()),
  /** How the three came about: `estimated` where sums that are estimated make up 5 % of them or more. */
  todayQuality: quality,
  monthQuality: quality,
  totalQuality: quality,
  /** Plants that are not offline: those whose powers `pvPowerW` sums. */
  reporting: z.int(),
  /** Plants whose history is still coming or whose figures are made anew, so that the sums may change; of an integrator, its inverters there. */
  preliminary: z.int(),
  asOfMs: z.int(),
});
export type FleetSummary = z.infer<typeof fleetSummary>;

export const summary = endpoint({
  method: 'GET',
  path: '/c/v0/fleet/summary',
  feature: 'fleet',
  summary: 'Plants by state, power and energy now of all plants in scope.',
  callers: levels,
  input: z.object({}),
  result: fleetSummary,
});

export const fleetEndpoints = { summary };
