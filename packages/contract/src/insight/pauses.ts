import * as z from 'zod/mini';

/** Why somebody wants to see no more of it for a while. */
export const pauseReasons = ['known', 'waiting', 'notWorth', 'wrongReason'] as const;
export const pauseReason = z.enum(pauseReasons);
export type PauseReason = z.infer<typeof pauseReason>;

export const pause = z.object({
  reason: pauseReason,
  /** The local day on which it comes back; earlier, where the loss doubles. */
  until: z.string(),
  by: z.string(),
});
