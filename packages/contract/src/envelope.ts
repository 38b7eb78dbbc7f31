import * as z from 'zod/mini';

/** Every answer of a call: `errno` 0 is success. Bad input (40257) carries the fields in `result`. */
export const envelope = <T extends z.ZodMiniType>(result: T) => z.object({ errno: z.int(), msg: z.string(), result });

export interface Envelope<T> {
  errno: number;
  msg: string;
  result: T;
}

/** `result` of an answer with errno 40257: which fields were refused, and why, as phrase keys. */
export const refusedFields = z.object({
  fields: z.array(z.object({ path: z.string(), reason: z.string(), params: z.record(z.string(), z.unknown()) })),
});
export type RefusedFields = z.infer<typeof refusedFields>;
