import * as z from 'zod/mini';
import { line } from './fields.ts';
import { type Fields, type SortField, sortFieldsOf } from './kinds.ts';
import { DEFAULT_PAGE_SIZE } from './limits.ts';

export const pageSize = z._default(z.union([z.literal(10), z.literal(20), z.literal(50)]), DEFAULT_PAGE_SIZE);
export const currentPage = z._default(z.int().check(z.gte(1), z.lte(1_000_000)), 1);

/** Paging that every list call takes. `total` is what clients of this family send back; it is not read. */
export const paging = {
  pageSize,
  currentPage,
  total: z.optional(z.int()),
};

/** Paging that every list call answers. */
export const paged = {
  pageSize: z.int(),
  currentPage: z.int(),
  total: z.int(),
};

const sortOrder = z.enum(['asc', 'desc']);

/** Order of a list by one of its fields; `field` and `order` where the caller names none. */
export function sortedBy<const F extends Fields>(
  fields: F,
  field: SortField<F>,
  order: z.infer<typeof sortOrder> = 'asc',
) {
  const names = Object.fromEntries(sortFieldsOf(fields).map((name) => [name, name])) as {
    [Name in SortField<F>]: Name;
  };
  const sorted = z.object({ field: z.enum(names), order: sortOrder });
  // The compiler does not see that a field of the list is one of the enumeration.
  return z._default(sorted, { field, order } as Exclude<z.output<typeof sorted>, undefined>);
}

/** Free text of a search field: at most 64 characters, never part of SQL. */
export const searchText = line(64);

/** Filters of a list: a text to search for and others, each of which may be left out. */
export function filteredBy<const Filters extends Record<string, z.ZodMiniOptional>>(filters: Filters) {
  const condition = z.object({ content: z._default(searchText, ''), ...filters });
  // All of `filters` may be left out, which the compiler does not see while it does not know them.
  return z._default(condition, { content: '' } as Exclude<z.output<typeof condition>, undefined>);
}
