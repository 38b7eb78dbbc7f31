import * as z from 'zod/mini';
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

export const sortOrder = z.enum(['asc', 'desc']);

/** Free text of a search field: at most 64 characters, never part of SQL. */
export const searchText = z.string().check(z.trim(), z.maxLength(64));
