import * as z from 'zod/mini';
import { choice, choosing } from '../choices.ts';
import { deviceKind } from '../devices/device.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line, paragraph } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { alarmCauses } from './alarm-facts.ts';
import { incidentStates } from './incident-moves.ts';
import { summary } from './incident-summary.ts';

const readers = [1, 2, 3, 4, 10, 255] as const satisfies readonly Level[];
const workers = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const operators = [2, 3, 4, 255] as const satisfies readonly Level[];

/** The levels of alarms, the lightest first: notice, warning, fault, critical. */
export const alarmLevels = [1, 2, 3, 4] as const;

/**
 * Parts of the list. `open`: all that goes on and is not muted. `unacknowledged`: of these, what nobody has taken notice of. `mine`: assigned to the caller.
 * `muted`. `mended`: cleared or closed. `all`: with the closed ones.
 */
export const incidentViews = ['open', 'unacknowledged', 'mine', 'muted', 'mended', 'all'] as const;
export const incidentView = z.enum(incidentViews);
export type IncidentView = z.infer<typeof incidentView>;

/** Most incidents that one call works on. */
export const MOST_AT_ONCE = 200;
/** Matching incidents are counted up to this many. */
export const MOST_COUNTED = 10_000;
export const LONGEST_COMMENT = 2_000;
/** An incident has so many comments at most. */
export const MOST_COMMENTS = 200;
/** An incident can be muted for so long at most. */
export const LONGEST_MUTE_DAYS = 90;

const timeMs = z.int().check(z.gte(0), z.lte(8.64e15));
const stationID = z.uuid();

/** Energy lost, Wh, and what it was worth; `null` = not known. */
const lost = {
  lostWh: z.nullable(z.number()),
  /** Six decimals. */
  lostMoney: z.nullable(z.string()),
  currency: z.string(),
};

/** An incident: one trouble, however often it was told and by however many devices. */
export const incidentRow = z.object({
  incidentID: z.string(),
  code: z.int(),
  level: z.int(),
  state: z.enum(incidentStates),
  /** Where it is at several plants: empty, as are the fields of the device. */
  stationID: z.string(),
  plantName: z.string(),
  city: z.string(),
  ianaTimezone: z.string(),
  /** Postcode of an incident at several plants. */
  region: z.string(),
  deviceID: z.string(),
  deviceSN: z.string(),
  /** `null` where it is of the plant or its datalogger. */
  kind: z.nullable(deviceKind),
  moduleSN: z.string(),
  sinceMs: z.int(),
  /** `null` while it goes on. */
  untilMs: z.nullable(z.int()),
  /** How often it came. */
  times: z.int(),
  /** Incidents that it explains, and at how many plants. */
  children: z.int(),
  plants: z.int(),
  /** With those that it explains. */
  ...lost,
  acknowledgedBy: z.string(),
  mutedUntilMs: z.nullable(z.int()),
  assignee: z.string(),
  /** What it was, as somebody found. */
  cause: z.nullable(z.enum(alarmCauses)),
  /** Free text of the device. */
  extra: z.string(),
  can: z.object({ work: z.boolean(), assign: z.boolean() }),
});
export type IncidentRow = z.infer<typeof incidentRow>;

export const incidentFields = fieldsOf(incidentRow)({
  code: is.own,
  level: is.choice('incidents.level', alarmLevels),
  plantName: unsorted(is.text),
  deviceSN: unsorted(is.serial),
  sinceMs: is.time,
  untilMs: unsorted(is.time),
  times: is.count,
  lostWh: is.energy,
  lostMoney: is.own,
  state: unsorted(is.choice('incidents.state', incidentStates)),
  assignee: unsorted(is.text),
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/list',
  feature: 'incidents',
  summary:
    'Incidents in scope, those that cost most first unless asked otherwise; what another one explains stands under it.',
  callers: readers,
  reads: true,
  list: { rows: 'incidents', key: 'incidentID', fields: incidentFields },
  input: z.object({
    ...paging,
    condition: filteredBy({
      /** `open` where none is named. */
      view: z.optional(incidentView),
      levels: z.optional(z.array(z.literal(alarmLevels)).check(z.maxLength(4))),
      code: z.optional(z.int().check(z.gte(0), z.lte(2_147_483_647))),
      stationID: z.optional(stationID),
      deviceID: z.optional(z.uuid()),
      /** Those that it explains. */
      causeID: z.optional(z.uuid()),
      /** Begun in this time. */
      fromMs: z.optional(timeMs),
      toMs: z.optional(timeMs),
    }),
    sort: sortedBy(incidentFields, 'lostWh', 'desc'),
  }),
  result: z.object({
    ...paged,
    incidents: z.array(incidentRow),
    /** More match than are counted. */
    isMore: z.boolean(),
  }),
});
export const exportList = exportOf(list);

export const entryKinds = [
  'raised',
  'returned',
  'cleared',
  'closed',
  'acknowledged',
  'assigned',
  'unassigned',
  'muted',
  'unmuted',
  'commented',
  'explained',
] as const;

/** A step in the life of an incident. */
export const incidentEntry = z.object({
  id: z.string(),
  kind: z.enum(entryKinds),
  atMs: z.int(),
  /** Empty where the portal did it. */
  by: z.string(),
  /** What was written, or to whom it was assigned. */
  text: z.string(),
  untilMs: z.nullable(z.int()),
  cause: z.nullable(z.enum(alarmCauses)),
});
export type IncidentEntry = z.infer<typeof incidentEntry>;

/** Points of a device that show what an alarm is about. */
const evidence = z.object({
  deviceID: z.string(),
  kind: deviceKind,
  variables: z.array(z.string()),
  /** Local day of the plant on which it began, the last one before it without, and today. */
  day: z.string(),
  dayBefore: z.nullable(z.string()),
  today: z.string(),
});

export const detail = endpoint({
  method: 'GET',
  path: '/c/v0/alarm/detail',
  feature: 'incidents',
  summary: 'An incident with its way, what it costs, what it may be and what shows it.',
  callers: readers,
  input: z.object({ id: z.uuid() }),
  result: z.object({
    incident: incidentRow,
    /** Newest first. */
    entries: z.array(incidentEntry),
    moreEntries: z.int(),
    /** Each time that it was told, newest first. */
    spells: z.array(z.object({ sinceMs: z.int(), untilMs: z.nullable(z.int()) })),
    /** By local days of the plant, oldest first. */
    losses: z.array(z.object({ day: z.string(), wh: z.number(), money: z.nullable(z.string()) })),
    /** What a year would cost if it goes on as on its last whole days; `days` = how many these are. */
    ifNothing: z.nullable(z.object({ wh: z.number(), money: z.nullable(z.string()), days: z.int() })),
    /** Causes that people found in closed incidents of this code, the commonest first, over the whole platform. */
    found: z.array(z.object({ cause: z.enum(alarmCauses), incidents: z.int() })),
    /** What explains it. */
    explainedBy: z.nullable(z.object({ incidentID: z.string(), code: z.int(), sinceMs: z.int() })),
    /** The same at the same device before. */
    before: z.array(z.object({ incidentID: z.string(), sinceMs: z.int(), untilMs: z.nullable(z.int()) })),
    evidence: z.nullable(evidence),
    mutedBy: z.string(),
    muteReason: z.string(),
  }),
  names: { id: 'incident' },
});
export type IncidentDetail = z.infer<(typeof detail)['result']>;

const ids = z.array(z.uuid()).check(z.minLength(1), z.maxLength(MOST_AT_ONCE));
/** `done`: how many it changed; the others were so already, or are over. */
const done = z.object({ done: z.int() });
const comment = z.optional(paragraph(LONGEST_COMMENT));

export const acknowledge = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/acknowledge',
  feature: 'incidents',
  summary: 'Says that somebody has taken notice of incidents, and of those that they explain.',
  callers: workers,
  changes: ['incidents'],
  input: z.object({ ids, comment }),
  result: done,
  names: { ids: 'incident' },
});

export const close = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/close',
  feature: 'incidents',
  summary: 'Closes incidents that are over, with what it was.',
  callers: workers,
  changes: ['incidents'],
  input: z.object({ ids, cause: z.optional(z.enum(alarmCauses)), comment }),
  result: done,
  names: { ids: 'incident' },
});

export const mute = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/mute',
  feature: 'incidents',
  summary: 'Mutes incidents until a time, with the reason.',
  callers: workers,
  changes: ['incidents'],
  input: z.object({ ids, untilMs: timeMs, reason: line(200, 3) }),
  result: done,
  names: { ids: 'incident' },
});

export const unmute = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/unmute',
  feature: 'incidents',
  summary: 'Takes back that incidents are muted.',
  callers: workers,
  changes: ['incidents'],
  input: z.object({ ids }),
  result: done,
  names: { ids: 'incident' },
});

export const assign = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/assign',
  feature: 'incidents',
  summary: 'Gives incidents to somebody who operates plants and sees them, or to nobody.',
  callers: operators,
  changes: ['incidents'],
  input: z.object({ ids, accountID: z.nullable(z.uuid()) }),
  result: done,
  names: { ids: 'incident' },
});

export const assignees = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/assignees',
  feature: 'incidents',
  summary:
    'Who incidents can be assigned to: people who operate plants, of the caller’s organisation and those below, who see all of the incidents named.',
  callers: operators,
  reads: true,
  input: z.object({ ...choosing, incidentIDs: z.optional(z.array(z.uuid()).check(z.maxLength(MOST_AT_ONCE))) }),
  result: z.object({ choices: z.array(choice) }),
  names: { incidentIDs: 'incident' },
});

export const note = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/comment',
  feature: 'incidents',
  summary: 'Writes a comment on an incident.',
  callers: workers,
  changes: ['incidents'],
  input: z.object({
    id: z.uuid(),
    text: paragraph(LONGEST_COMMENT).check(z.minLength(1)),
    /** What it was, where that is known. */
    cause: z.optional(z.enum(alarmCauses)),
  }),
  result: z.object({}),
  names: { id: 'incident' },
});

export const incidentEndpoints = {
  list,
  exportList,
  summary,
  detail,
  acknowledge,
  close,
  mute,
  unmute,
  assign,
  assignees,
  note,
} as const;
