import * as z from 'zod/mini';
import type { Endpoint, Reading } from './endpoint.ts';
import { searchText } from './lists.ts';

/** As many as a picker shows at once. */
export const MOST_CHOICES = 20;
const MOST_NAMED = 50;

/** One of the records that a picker offers. */
export const choice = z.object({
  id: z.string(),
  name: z.string(),
  /** Tells it from others of the same name. */
  detail: z.string(),
});
export type Choice = z.infer<typeof choice>;

/** What a picker asks for: records that match a text, or, where `ids` stands, those of them that are in scope. */
export const choosing = {
  search: z._default(searchText, ''),
  ids: z.optional(z.array(z.uuid()).check(z.maxLength(MOST_NAMED))),
};

/** A call that a picker of records can make. */
export type ChoiceEndpoint = Endpoint &
  Reading & {
    readonly method: 'POST';
    readonly result: z.ZodMiniType<{ choices: Choice[] }>;
  };
