import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { line } from '../fields.ts';
import type { Level } from '../levels.ts';

const givers = [2, 3, 4, 255] as const satisfies readonly Level[];
const customers = [1] as const satisfies readonly Level[];

/** How long a code can be used. */
export const CODE_HOURS = 24;
/** The same of one that is printed, since a sheet waits. */
export const PRINTED_CODE_HOURS = 30 * 24;

/** A code as it is typed; read out, case, spaces and dashes do not count. */
export const handoverCode = line(24, 1);

/** `void`: somebody else owns the plant since, or who gave it may not give it any more. */
export const handoverStates = ['open', 'used', 'withdrawn', 'expired', 'void'] as const;

/** The newest code of a plant and how far the customer has come; times are `null` until it happens. */
export const handoverNow = z.object({
  state: z.enum(handoverStates),
  /** User name of who made the code. */
  by: z.string(),
  madeMs: z.int(),
  expiresMs: z.int(),
  withdrawnMs: z.nullable(z.int()),
  /** When its link was opened first. */
  openedMs: z.nullable(z.int()),
  usedMs: z.nullable(z.int()),
  /** User name of who used it; empty before. */
  usedBy: z.string(),
  /** Whether who used it made the account with it. */
  newAccount: z.boolean(),
  emailConfirmedMs: z.nullable(z.int()),
  /** When the customer's screen showed the plant. */
  seenMs: z.nullable(z.int()),
});
export type HandoverNow = z.infer<typeof handoverNow>;

const ofSite = z.object({ stationID: z.uuid() });

export const state = endpoint({
  method: 'GET',
  path: '/c/v0/handover/state',
  feature: 'handover',
  summary: 'Whose a plant is and how far its handover has come. The code itself is told only to who makes it.',
  callers: givers,
  code: 'site:edit',
  input: ofSite,
  result: z.object({
    /** User name of the end user who owns the plant; empty where nobody does. */
    owner: z.string(),
    handover: z.nullable(handoverNow),
  }),
  names: { stationID: 'site' },
});

export const make = endpoint({
  method: 'POST',
  path: '/c/v0/handover/make',
  feature: 'handover',
  summary:
    'Make the code by which an end user takes over a plant, once and within a day, or 30 where it is printed. An earlier code of the plant ends with it.',
  callers: givers,
  code: 'site:edit',
  changes: ['handover'],
  input: z.extend(ofSite, {
    /** Who owns the plant now loses it to who uses the code; refused with 42240 where that is not said. */
    replacesOwner: z._default(z.boolean(), false),
  }),
  result: z.object({ code: z.string(), handover: handoverNow }),
  names: { stationID: 'site' },
});

export const prolong = endpoint({
  method: 'POST',
  path: '/c/v0/handover/prolong',
  feature: 'handover',
  summary:
    'Let the code of a plant be good for 30 days since it was made, because it is printed. One that has ended stays so.',
  callers: givers,
  code: 'site:edit',
  changes: ['handover'],
  input: ofSite,
  result: z.object({ handover: z.nullable(handoverNow) }),
  names: { stationID: 'site' },
});

export const withdraw = endpoint({
  method: 'POST',
  path: '/c/v0/handover/withdraw',
  feature: 'handover',
  summary: 'End the code of a plant before it is used.',
  callers: givers,
  code: 'site:edit',
  changes: ['handover'],
  input: ofSite,
  result: z.object({}),
  names: { stationID: 'site' },
});

export const take = endpoint({
  method: 'POST',
  path: '/c/v0/handover/take',
  feature: 'handover',
  summary:
    'Take over a plant by its code. A code that is unknown, withdrawn, expired or void is refused with 42241, one that was used with 42242.',
  callers: customers,
  changes: ['sites', 'fleet', 'user-center', 'devices'],
  input: z.object({ code: handoverCode }),
  result: z.object({ stationID: z.string() }),
});

export const seen = endpoint({
  method: 'POST',
  path: '/c/v0/handover/seen',
  feature: 'handover',
  summary: 'Note for who handed a plant over that its new owner sees it.',
  callers: customers,
  changes: [],
  input: ofSite,
  result: z.object({}),
  names: { stationID: 'site' },
});

export const handoverEndpoints = { state, make, prolong, withdraw, take, seen } as const;
