import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { line, text } from '../fields.ts';
import { levels } from '../levels.ts';

export const MOST_VIEWS_OF_A_LIST = 30;
/** Of one account, in all lists. */
export const MOST_VIEWS = 300;

/** The path of the list's call, by which its views are kept. */
const ofList = text(128).check(z.regex(/^\/[A-Za-z0-9/_-]{1,127}$/));
const viewName = line(32, 1);

/** What stands in the address of a list: filters, order and columns. */
const query = z.record(text(64, 1), text(512)).check(z.refine((all) => Object.keys(all).length <= 40, 'tooMany'));

export const savedView = z.object({
  viewID: z.string(),
  name: z.string(),
  query: z.record(z.string(), z.string()),
  /** Seen by all who work in the organisation of who keeps it. */
  isShared: z.boolean(),
  /** Kept by the caller, who alone can rename and remove it. */
  isOwn: z.boolean(),
});
export type SavedView = z.infer<typeof savedView>;

export const list = endpoint({
  method: 'GET',
  path: '/c/v0/view/list',
  feature: 'saved-views',
  summary: "Views of a list, by name: the caller's own and those that the organisation shares.",
  callers: levels,
  input: z.object({ list: ofList }),
  result: z.object({ views: z.array(savedView) }),
});

export const save = endpoint({
  method: 'POST',
  path: '/c/v0/view/save',
  feature: 'saved-views',
  summary: 'Keeps a view of a list under a name; one of this name becomes what is sent.',
  callers: levels,
  changes: ['saved-views'],
  input: z.object({ list: ofList, name: viewName, query, isShared: z._default(z.boolean(), false) }),
  result: z.object({ viewID: z.string() }),
});

export const rename = endpoint({
  method: 'POST',
  path: '/c/v0/view/rename',
  feature: 'saved-views',
  summary: 'Gives a view another name, which no other view of the list has.',
  callers: levels,
  changes: ['saved-views'],
  input: z.object({ viewID: z.uuid(), name: viewName }),
  result: z.object({}),
  names: { viewID: 'view' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/view/remove',
  feature: 'saved-views',
  summary: 'Removes a view.',
  callers: levels,
  changes: ['saved-views'],
  input: z.object({ viewID: z.uuid() }),
  result: z.object({}),
  names: { viewID: 'view' },
});

export const savedViewEndpoints = { list, save, rename, remove } as const;
