import { type RefusedFields, reasonOfIssue } from '@sonnenwarte/contract/envelope';
import type * as z from 'zod/mini';

type Issue = z.core.$ZodIssue;

function paramsOf(issue: Issue): Record<string, unknown> {
  switch (issue.code) {
    case 'too_small':
      return { min: Number(issue.minimum), of: issue.origin };
    case 'too_big':
      return { max: Number(issue.maximum), of: issue.origin };
    case 'invalid_format':
      return { format: issue.format };
    case 'invalid_value':
      return { values: issue.values.map(String) };
    default:
      return {};
  }
}

/** Which fields were refused and why, without repeating what was sent. */
export const refusedInput = (error: z.core.$ZodError): RefusedFields => ({
  fields: error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    reason: reasonOfIssue(issue),
    params: paramsOf(issue),
  })),
});
