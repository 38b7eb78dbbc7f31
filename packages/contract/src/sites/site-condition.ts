import * as z from 'zod/mini';
import { country } from '../fields.ts';
import { is } from '../kinds.ts';
import { searchText } from '../lists.ts';
import { state, states } from '../status.ts';
import { siteType } from './site.ts';

/** Where the text of the filter is looked for. */
export const siteContentType = is.choice('sites.contentType', [1, 2, 3, 4]);

/** `status` 0 all, 1 normal, 2 abnormal, 3 offline; `contentType` 1 installer, 2 name, 3 city, 4 owner, 0 any of them. */
export const siteCondition = z.object({
  status: z._default(z.int().check(z.gte(0), z.lte(3)), 0),
  state: z.optional(state),
  states: z.optional(states),
  contentType: z._default(z.int().check(z.gte(0), z.lte(4)), 0),
  content: z._default(searchText, ''),
  country: z.optional(country),
  type: z.optional(siteType),
  /** Whether the plant has a position. */
  placed: z.optional(z.enum(['yes', 'no'])),
  /** Whether it lost so much within seven days that somebody should look at it. */
  losing: z.optional(z.enum(['yes', 'no'])),
});
