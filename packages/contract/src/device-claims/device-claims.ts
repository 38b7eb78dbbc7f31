import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import type { Level } from '../levels.ts';

const plantLevels = [1, 2, 3, 4, 255] as const satisfies readonly Level[];

/** keep: the number stays where it is; release: it goes to the claimant; separate: two devices have the same number. */
export const claimDecisions = ['keep', 'release', 'separate'] as const;
export type ClaimDecision = (typeof claimDecisions)[number];

/** One of the two who name the number. Of a plant out of scope no more is told than the end of the logger's number. */
const side = z.object({
  stationID: z.nullable(z.string()),
  plantName: z.nullable(z.string()),
  moduleSN: z.string(),
  lastSeenMs: z.nullable(z.int()),
});

export const claim = z.object({
  id: z.string(),
  deviceSN: z.string(),
  /** `kept`: decided for the holder, and told to the claimant. */
  state: z.enum(['open', 'kept']),
  claimedMs: z.int(),
  holder: side,
  claimant: side,
  /** What the caller may decide. */
  can: z.object({ keep: z.boolean(), release: z.boolean(), separate: z.boolean() }),
});
export type DeviceClaim = z.infer<typeof claim>;

export const list = endpoint({
  method: 'GET',
  path: '/c/v0/device/claim/list',
  feature: 'device-claims',
  summary: 'Serial numbers that two dataloggers claim, of one plant or of all in scope; the oldest first, 100 at most.',
  callers: plantLevels,
  input: z.object({ stationID: z.optional(z.uuid()) }),
  result: z.object({ claims: z.array(claim) }),
  names: { stationID: 'site' },
});

export const decide = endpoint({
  method: 'POST',
  path: '/c/v0/device/claim/decide',
  feature: 'device-claims',
  summary: 'Decide whose a serial number is: the plant that has it, or the platform.',
  callers: plantLevels,
  code: 'site:edit',
  changes: ['device-claims', 'sites', 'devices', 'fleet'],
  input: z.object({ id: z.uuid(), decision: z.enum(claimDecisions) }),
  result: z.object({}),
  names: { id: 'claim' },
});

export const deviceClaimEndpoints = { list, decide } as const;
