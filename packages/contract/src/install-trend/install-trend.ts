import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { text } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { paged, paging, searchText, sortedBy } from '../lists.ts';

const readers = [3, 4, 255] as const satisfies readonly Level[];

/** What plants are told apart by. */
export const trendGroupings = ['country', 'type', 'installer'] as const;
export type TrendGrouping = (typeof trendGroupings)[number];

/** Groups that are told apart; what is left is one more. */
export const MAX_TREND_GROUPS = 6;
/** The longest span of months: what is shown where no month is named goes back that far at most. */
export const MAX_TREND_MONTHS = 600;

const month = text(7).check(z.regex(/^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/));

/** Plants count in the month of their commission, or else of their connection to the grid. */
const condition = z._default(
  z.object({
    content: z._default(searchText, ''),
    by: z._default(z.enum(trendGroupings), 'country'),
    /** The first and the last month, `YYYY-MM`. */
    first: z.optional(month),
    last: z.optional(month),
  }),
  { content: '', by: 'country' },
);

/** A country by its code, a type by its number, an installer by its name. */
const group = z.string();

export const trend = endpoint({
  method: 'POST',
  path: '/c/v0/plant/installations',
  feature: 'install-trend',
  summary: 'Plants in scope and their installed power by month of commission, in at most six groups and the others.',
  callers: readers,
  reads: true,
  input: z.object({ condition }),
  result: z.object({
    /** Every month of the span, `YYYY-MM`. */
    months: z.array(z.string()),
    /** The largest first; `null` names the others. */
    groups: z.array(z.object({ group: z.nullable(group), plants: z.array(z.int()), kwp: z.array(z.number()) })),
    /** What was there before the first month. */
    before: z.object({ plants: z.int(), kwp: z.number() }),
    /** Plants of which neither day is known. */
    undated: z.int(),
  }),
});

export const trendRow = z.object({
  id: z.string(),
  month: z.string(),
  by: z.enum(trendGroupings),
  group,
  plants: z.int(),
  kwp: z.number(),
});
export type TrendRow = z.infer<typeof trendRow>;

export const trendFields = fieldsOf(trendRow)({
  month: is.text,
  group: unsorted(is.own),
  plants: is.count,
  kwp: is.capacity,
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/plant/installations/list',
  feature: 'install-trend',
  summary: 'Plants in scope and their installed power by month of commission and group, by page, filter and order.',
  callers: readers,
  reads: true,
  list: { rows: 'months', key: 'id', fields: trendFields },
  input: z.object({ ...paging, condition, sort: sortedBy(trendFields, 'month', 'desc') }),
  result: z.object({ ...paged, months: z.array(trendRow) }),
});

export const exportList = exportOf(list);

export const installTrendEndpoints = { trend, list, exportList };
