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

/** What the contract's own rules refuse a field for, each with words of its own; their names are the messages of the rules. */
export const ownReasons = [
  'periodTooShort',
  'periodsOverlap',
  'fdSocBelowMin',
  'targetBelowMin',
  'backupBelowMin',
  'order',
  'tooFarAhead',
] as const;

const NAME = /^[a-z][A-Za-z]*$/;

/** Why a field is refused, by name: of a rule of the contract as it calls it, else as the schema does. */
export function reasonOfIssue(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'custom') return issue.code;
  const own: unknown = issue.params?.reason;
  if (typeof own === 'string') return own;
  return NAME.test(issue.message) ? issue.message : issue.code;
}
