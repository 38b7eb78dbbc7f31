import * as z from 'zod/mini';
import type { LossWeek } from './week.ts';

/** A `lossWeek` as the evidence of a plant has it. Every home begins with what imports this, so its whole shape stands there, and types hold it here. */
export const toldWeek = z.unknown() as unknown as z.ZodMiniType<LossWeek>;
