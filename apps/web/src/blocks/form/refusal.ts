import { ownReasons, reasonOfIssue, refusedFields } from '@sonnenwarte/contract/envelope';
import { errno } from '@sonnenwarte/contract/errors';
import { hasHiddenSign } from '@sonnenwarte/contract/fields';
import type { Format } from '@sonnenwarte/contract/formats';
import * as z from 'zod/mini';
import { ApiError } from '../../client/failures.ts';

/** Why a field was refused: by the contract's schema here, or by the server (errno 40257). */
export interface Refusal {
  path: string;
  reason: string;
  params: Readonly<Record<string, unknown>>;
}

/** Reasons that have a text, `blocks.reason.<reason>`. */
export const reasons = [
  'required',
  'notChosen',
  'unchecked',
  'tooShort',
  'tooLong',
  'tooSmall',
  'tooLarge',
  'tooFew',
  'tooMany',
  'invalidFormat',
  'email',
  'phone',
  'url',
  'username',
  'unprintable',
  'notOffered',
  'noNumber',
  'taken',
  'wrong',
  'differs',
  'expired',
  'unknown',
  'invalid',
  ...ownReasons,
] as const;
export type Reason = (typeof reasons)[number];

const isReason = (text: string): text is Reason => reasons.some((reason) => reason === text);

/** The fields that an answer refuses; empty where its failure is of another kind. */
export function refusalsOf(error: unknown): readonly Refusal[] {
  if (!(error instanceof ApiError) || error.errno !== errno.refusedInput) return [];
  return z.safeParse(refusedFields, error.result).data?.fields ?? [];
}

function paramsOf(issue: z.core.$ZodIssue): Refusal['params'] {
  switch (issue.code) {
    case 'too_small':
      return { min: Number(issue.minimum), of: issue.origin };
    case 'too_big':
      return { max: Number(issue.maximum), of: issue.origin };
    default:
      return {};
  }
}

/** The same form for what the contract's schema refuses before anything is sent. */
export const schemaRefusals = (error: z.core.$ZodError): readonly Refusal[] =>
  error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    reason: reasonOfIssue(issue),
    params: paramsOf(issue),
  }));

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

const bounds = {
  too_small: { string: 'tooShort', array: 'tooFew', set: 'tooFew', file: 'tooSmall', other: 'tooSmall' },
  too_big: { string: 'tooLong', array: 'tooMany', set: 'tooMany', file: 'tooLarge', other: 'tooLarge' },
} as const;

/** Codes of what is chosen from a list, not typed. */
const choosing: ReadonlySet<string> = new Set(['invalid_value', 'invalid_union']);

/** Reason as the user is told it; `value` is what the field holds, `format` what its text is. */
export function reasonOf({ reason, params }: Refusal, value: unknown, format?: Format): Reason {
  const own = typeof params.reason === 'string' ? params.reason : reason;
  if (isReason(own)) return own;
  if (value === false) return 'unchecked';
  if (isEmpty(value)) return choosing.has(own) || Array.isArray(value) ? 'notChosen' : 'required';
  switch (own) {
    case 'too_small':
    case 'too_big': {
      const of = params.of;
      const kind = bounds[own];
      return of === 'string' || of === 'array' || of === 'set' || of === 'file' ? kind[of] : kind.other;
    }
    case 'invalid_format':
      return typeof value === 'string' && hasHiddenSign(value) ? 'unprintable' : (format ?? 'invalidFormat');
    case 'invalid_value':
    case 'invalid_union':
      return 'notOffered';
    case 'invalid_type':
      return typeof value === 'string' ? 'noNumber' : 'invalid';
    default:
      return 'invalid';
  }
}
