import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import { levels } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';

/** What a message is about. */
export const messageKinds = ['alarm', 'workOrder', 'report', 'announcement'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** What happened, by what the message is about. */
export const messageEvents = {
  alarm: ['began', 'escalated', 'ended', 'digest', 'test'],
  workOrder: ['created', 'assigned', 'answered', 'handedUp', 'solved', 'closed', 'reopened'],
  report: ['completed', 'failed'],
  announcement: ['announced'],
} as const satisfies Record<MessageKind, readonly string[]>;
export type MessageEvent<Kind extends MessageKind = MessageKind> = (typeof messageEvents)[Kind][number];
const events = [...new Set(Object.values(messageEvents).flat())] as [MessageEvent, ...MessageEvent[]];

/** `all`, or what nobody has read yet. */
export const messageViews = ['all', 'unread'] as const;

/** Most messages that one call marks or deletes. */
export const MOST_MESSAGES_AT_ONCE = 200;
/** An account keeps so many; the oldest of the kind of which there are most go first, and each after a year. */
export const MOST_MESSAGES = 2_000;

export const messageRow = z.object({
  messageID: z.string(),
  kind: z.enum(messageKinds),
  event: z.enum(events),
  atMs: z.int(),
  isRead: z.boolean(),
  /** Alarm code and level; `null` where the message is of none, or of several. */
  code: z.nullable(z.int()),
  level: z.nullable(z.int()),
  /** Alarms of a digest; what has happened to a work order since its message was read last; else 1. */
  count: z.int(),
  /** Plant, title of the work order, name of the report or headline of the announcement. */
  subject: z.string(),
  /** Words of people: of an announcement, an answer, a reason; or the serial number of the device. */
  text: z.string(),
  /** Of the incident, the work order or the report; empty where there is none. */
  recordID: z.string(),
});
export type MessageRow = z.infer<typeof messageRow>;

export const messageFields = fieldsOf(messageRow)({
  kind: unsorted(is.choice('messages.kind', messageKinds)),
  subject: is.own,
  atMs: is.time,
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/message/list',
  feature: 'messages',
  summary: 'Messages to the signed-in account, the newest first, with announcements that hold now.',
  callers: levels,
  reads: true,
  input: z.object({
    ...paging,
    condition: filteredBy({
      view: z.optional(z.enum(messageViews)),
      kinds: z.optional(z.array(z.enum(messageKinds)).check(z.maxLength(messageKinds.length))),
    }),
    sort: sortedBy(messageFields, 'atMs', 'desc'),
  }),
  list: { rows: 'messages', key: 'messageID', fields: messageFields },
  result: z.object({ ...paged, messages: z.array(messageRow) }),
});
export const exportList = exportOf(list);

export const unread = endpoint({
  method: 'GET',
  path: '/c/v0/message/unread',
  feature: 'messages',
  summary: 'How many messages the signed-in account has not read, by what they are about.',
  callers: levels,
  input: z.object({}),
  result: z.object({ total: z.int(), byKind: z.record(z.enum(messageKinds), z.int()) }),
});

const ids = z.array(z.uuid()).check(z.minLength(1), z.maxLength(MOST_MESSAGES_AT_ONCE));
const done = z.object({ done: z.int() });

export const mark = endpoint({
  method: 'POST',
  path: '/c/v0/message/mark',
  feature: 'messages',
  summary: 'Marks messages as read or as unread.',
  callers: levels,
  changes: ['messages'],
  input: z.object({ ids, isRead: z.boolean() }),
  result: done,
  names: { ids: 'message' },
});

export const markAll = endpoint({
  method: 'POST',
  path: '/c/v0/message/markAll',
  feature: 'messages',
  summary: 'Marks all messages as read that had come by a time.',
  callers: levels,
  changes: ['messages'],
  input: z.object({ untilMs: z.int().check(z.gte(0), z.lte(8.64e15)) }),
  result: done,
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/message/delete',
  feature: 'messages',
  summary: 'Deletes messages of the signed-in account; announcements are hidden from it.',
  callers: levels,
  changes: ['messages'],
  input: z.object({ ids }),
  result: done,
  names: { ids: 'message' },
});

export const messageEndpoints = { list, exportList, unread, mark, markAll, remove } as const;
