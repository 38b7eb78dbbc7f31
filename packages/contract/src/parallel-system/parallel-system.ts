import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { state } from '../status.ts';

/** A unit whose share differs by more than this many percent from what its rating lets expect is marked. */
export const IMBALANCE_LIMIT_PERCENT = 15;

const watts = z.nullable(z.number());

/** One of several units that work side by side. */
export const parallelUnit = z.object({
  deviceID: z.string(),
  deviceSN: z.string(),
  deviceType: z.string(),
  /** What the device says that it is in its group; `null` where it says nothing. */
  role: z.nullable(z.enum(['master', 'slave'])),
  state,
  /** Of an inverter + towards the house, of a battery + discharging. */
  powerW: watts,
  ratedPowerW: watts,
  socPercent: z.nullable(z.number()),
  /** How much its power is above or below its share, percent; `null` where there is nothing to compare. */
  deviationPercent: z.nullable(z.number()),
  isMarked: z.boolean(),
  updatedAtMs: z.nullable(z.int()),
  intervalS: z.int(),
});
export type ParallelUnit = z.infer<typeof parallelUnit>;

export const unitGroup = z.object({
  units: z.array(parallelUnit),
  /** Of the units that are not offline. */
  sumW: watts,
  reporting: z.int(),
  /** Mean of their states of charge. */
  socPercent: z.nullable(z.number()),
});
export type UnitGroup = z.infer<typeof unitGroup>;

export const system = endpoint({
  method: 'GET',
  path: '/c/v0/plant/parallel',
  feature: 'parallel-system',
  summary: 'Inverters and batteries of a plant side by side: roles, powers, sums and imbalance.',
  callers: [1, 2, 3, 4, 255],
  input: z.object({ stationID: z.uuid() }),
  result: z.object({ name: z.string(), inverters: unitGroup, batteries: unitGroup }),
  names: { stationID: 'site' },
});

export const parallelSystemEndpoints = { system };
