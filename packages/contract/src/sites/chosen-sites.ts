import * as z from 'zod/mini';

/** As many plants as one call is made for. */
export const MOST_CHOSEN_SITES = 1_000;

/** Plants that were chosen, each once. */
export const stationIDs = z.array(z.uuid()).check(
  z.minLength(1),
  z.maxLength(MOST_CHOSEN_SITES),
  z.refine((ids) => new Set(ids).size === ids.length, 'twice'),
);
