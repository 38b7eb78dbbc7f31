import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line, paragraph, level as someLevel } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import { languages } from '../languages.ts';
import { levels } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';

const admin = [255] as const;

/** Announcements that are kept at once; each that holds is looked at for every inbox. */
export const MOST_ANNOUNCEMENTS = 500;
/** Organisations that one can be addressed to. */
export const MOST_ADDRESSED = 50;
/** An announcement holds for so long at most. */
export const LONGEST_ANNOUNCEMENT_DAYS = 366;

export const announcementStates = ['planned', 'shown', 'over'] as const;
export type AnnouncementState = (typeof announcementStates)[number];

const timeMs = z.int().check(z.gte(0), z.lte(8.64e15));
const id = z.uuid();

/** An announcement in a language. */
const words = z.object({ language: z.enum(languages), title: line(120, 1), text: paragraph(4_000) });

export const announcementRow = z.object({
  announcementID: z.string(),
  state: z.enum(announcementStates),
  /** In the caller's language, else in English, else in the first that there is. */
  title: z.string(),
  fromMs: z.int(),
  untilMs: z.int(),
  levels: z.array(z.int()),
  organisations: z.array(z.object({ organisationID: z.string(), name: z.string() })),
  words: z.array(words),
  by: z.string(),
  /** Accounts that have read it. */
  reads: z.int(),
});
export type AnnouncementRow = z.infer<typeof announcementRow>;

export const announcementFields = fieldsOf(announcementRow)({
  title: unsorted(is.text),
  state: unsorted(is.choice('announcements.state', announcementStates)),
  fromMs: is.time,
  untilMs: is.time,
  levels: is.own,
  organisations: is.own,
  reads: unsorted(is.count),
  by: unsorted(is.text),
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/announcement/list',
  feature: 'announcements',
  summary: 'Announcements to levels and organisations, with who they are for and how many have read them.',
  callers: admin,
  reads: true,
  input: z.object({
    ...paging,
    condition: filteredBy({ states: z.optional(z.array(z.enum(announcementStates)).check(z.maxLength(3))) }),
    sort: sortedBy(announcementFields, 'fromMs', 'desc'),
  }),
  list: { rows: 'announcements', key: 'announcementID', fields: announcementFields },
  result: z.object({ ...paged, announcements: z.array(announcementRow) }),
});
export const exportList = exportOf(list);

const announcement = {
  fromMs: timeMs,
  untilMs: timeMs,
  /** Access levels that are told. */
  levels: z.array(someLevel).check(z.minLength(1), z.maxLength(levels.length)),
  /** Organisations with all below them; empty = everybody. */
  organisationIDs: z.array(id).check(z.maxLength(MOST_ADDRESSED)),
  words: z.array(words).check(z.minLength(1), z.maxLength(languages.length)),
};

export const add = endpoint({
  method: 'POST',
  path: '/c/v0/announcement/add',
  feature: 'announcements',
  summary: 'Announces something to everybody of some levels, of all organisations or of some and those below them.',
  callers: admin,
  changes: ['announcements', 'messages'],
  input: z.object(announcement),
  result: z.object({ announcementID: z.string() }),
  names: { organisationIDs: 'organisation' },
});

export const edit = endpoint({
  method: 'POST',
  path: '/c/v0/announcement/edit',
  feature: 'announcements',
  summary: 'Changes an announcement; who has read it has read it.',
  callers: admin,
  changes: ['announcements', 'messages'],
  input: z.object({ announcementID: id, ...announcement }),
  result: z.object({}),
  names: { announcementID: 'announcement', organisationIDs: 'organisation' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/announcement/delete',
  feature: 'announcements',
  summary: 'Takes an announcement back: it is gone from every inbox.',
  callers: admin,
  changes: ['announcements', 'messages'],
  input: z.object({ announcementID: id }),
  result: z.object({}),
  names: { announcementID: 'announcement' },
});

export const announcementEndpoints = { list, exportList, add, edit, remove } as const;
