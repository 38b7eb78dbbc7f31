import { errno } from '@sonnenwarte/contract/errors';
import type { ApiError } from '../client/failures.ts';

/** The correction with which a span overlaps, as the refusal names it. */
export function overlapOf({ errno: number, result }: ApiError): { fromMs: number; toMs: number } | undefined {
  if (number !== errno.correctionOverlaps || typeof result !== 'object' || result === null) return undefined;
  const { fromMs, toMs } = result as Record<string, unknown>;
  return typeof fromMs === 'number' && typeof toMs === 'number' ? { fromMs, toMs } : undefined;
}
