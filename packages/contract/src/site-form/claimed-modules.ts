import * as z from 'zod/mini';
import { type ErrorName, errno } from '../errors.ts';
import { text } from '../fields.ts';

export const MOST_CLAIMED_MODULES = 100;

/** A datalogger to be linked: its serial number, and the key printed on it where the own organisation did not import it. */
export const claimedModule = z.object({ sn: text(64), key: z._default(text(64), '') });
export type ClaimedModule = z.infer<typeof claimedModule>;

export const claimedModules = z.array(claimedModule).check(z.maxLength(MOST_CLAIMED_MODULES));

/** Why a datalogger cannot be linked, with the number of the text that says it. */
export const claimRefusals = {
  /** No serial number of 15 digits. */
  invalid: 'invalidSn',
  /** Linked to a plant already. */
  exists: 'snExists',
  /** It stands in a row before. */
  identical: 'identicalSn',
  /** Nobody of the own organisation imported it, so it needs its key. */
  keyNeeded: 'snKeyNeeded',
  keyWrong: 'snKeyWrong',
  /** Ten wrong keys were given for it within an hour; `params.lockedUntilMs` says until when. */
  locked: 'snLocked',
  /** It had been linked by the time that the form was saved; the check says `exists`. */
  existed: 'serialNumberExists',
} as const satisfies Record<string, ErrorName>;
export type ClaimRefusal = keyof typeof claimRefusals;

export const claimState = z.enum(['ready', 'invalid', 'exists', 'identical', 'keyNeeded', 'keyWrong', 'locked']);
export type ClaimState = z.infer<typeof claimState>;

/** Number of the text that says why a datalogger cannot be linked; 0 where it can. */
export const errnoOfClaim = (state: ClaimState): number => (state === 'ready' ? errno.ok : errno[claimRefusals[state]]);

export const moduleCheck = z.object({
  sn: z.string(),
  state: claimState,
  /** 0 where it is ready, else the number of the text to be shown. */
  errno: z.int(),
  /** Until when its keys are refused, right ones too. */
  lockedUntilMs: z.nullable(z.int()),
  /** Index of the row before in which it stands. */
  identicalTo: z.nullable(z.int()),
  /** Empty where it is not known or may not be claimed. */
  type: z.string(),
  /** What hangs behind it and comes along; only for who may claim it. */
  devices: z.array(z.object({ sn: z.string(), kind: z.string(), model: z.string() })),
});
export type ModuleCheck = z.infer<typeof moduleCheck>;
