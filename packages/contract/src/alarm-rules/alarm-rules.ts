import * as z from 'zod/mini';
import { choice, choosing } from '../choices.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { deliveryFailure } from '../notifications/notifications.ts';
import { deliveryStates } from './delivery-moves.ts';

const people = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const operators = [2, 3, 4, 255] as const satisfies readonly Level[];

/** Ways to somebody: the inbox of the portal, and the channels of the user centre by their kind. */
export const ruleChannels = ['inbox', 'email', 'push', 'webhook'] as const;
export type RuleChannel = (typeof ruleChannels)[number];

/** `atOnce`: as it comes. `daily`: all of a day in one, at one time of the receiver's clock. */
export const ruleModes = ['atOnce', 'daily'] as const;

/** Rules that an account can keep. */
export const MOST_RULES = 20;
/** People that one rule tells, and to whom it goes when nobody acknowledges. */
export const MOST_RECEIVERS = 20;
/** A receiver gets so many deliveries an hour by one channel; what comes beyond waits, and comes as one. */
export const MOST_TOLD_PER_HOUR = 6;
/** More incidents that are told at the same time come as one. */
export const MOST_TOLD_SINGLY = 3;
/** An incident is told when it has stood for this long, so that what explains it is known. */
export const LEAST_DELAY_MINUTES = 1;
export const LONGEST_DELAY_MINUTES = 1_440;
/** Days that a preview looks back. */
export const PREVIEW_DAYS = 30;
/** Incidents that a preview reads at most. */
export const MOST_PREVIEWED = 5_000;

const id = z.uuid();
const minutes = z.int().check(z.gte(LEAST_DELAY_MINUTES), z.lte(LONGEST_DELAY_MINUTES));
/** `HH:MM` of a clock; empty = none. */
const clock = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/));
const someLevels = z.array(z.literal([1, 2, 3, 4])).check(z.minLength(1), z.maxLength(4));

/** What a rule says: who is told of what, when and by which way. */
export const ruleTerms = {
  name: line(64, 1),
  /** Levels of incidents, 1 notice to 4 critical. */
  levels: someLevels,
  /** Codes of the catalogue; empty = all. */
  codes: z.array(z.int().check(z.gte(0), z.lte(2_147_483_647))).check(z.maxLength(60)),
  /** Only of plants of this organisation and those below it; `null` = all that the receiver sees. */
  organisationID: z.nullable(id),
  /** Only of this plant. */
  stationID: z.nullable(id),
  /** So long an incident has to stand. */
  delayMinutes: minutes,
  channels: z.array(z.enum(ruleChannels)).check(z.minLength(1), z.maxLength(ruleChannels.length)),
  mode: z.enum(ruleModes),
  /** Of the receiver's clock; used where the mode is `daily`. */
  digestAt: clock,
  /** Quiet hours of the receiver's clock, both or neither: what falls into them comes when they end. */
  quietFrom: clock,
  quietTo: clock,
  /** Critical incidents come in quiet hours too. */
  criticalAlways: z.boolean(),
  /** Also tells when it is over. */
  tellsEnd: z.boolean(),
  /** If nobody has acknowledged it so long after it was told, `escalateTo` is told; `null` = never. */
  escalateMinutes: z.nullable(z.int().check(z.gte(5), z.lte(LONGEST_DELAY_MINUTES))),
  escalateTo: z.array(id).check(z.maxLength(MOST_RECEIVERS)),
  /** Who is told; empty = the caller. Others are people of the caller's organisation and those below. */
  receivers: z.array(id).check(z.maxLength(MOST_RECEIVERS)),
};
const terms = z.object(ruleTerms);
export type RuleTerms = z.infer<typeof terms>;

const person = z.object({ accountID: z.string(), name: z.string() });

export const ruleRow = z.extend(z.omit(terms, { receivers: true, escalateTo: true }), {
  ruleID: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  /** Whose rule it is. */
  keeper: z.string(),
  organisationName: z.string(),
  plantName: z.string(),
  receivers: z.array(person),
  escalateTo: z.array(person),
  /** Newest delivery. */
  lastToldMs: z.nullable(z.int()),
  can: z.object({ edit: z.boolean(), leave: z.boolean() }),
});
export type RuleRow = z.infer<typeof ruleRow>;

export const ruleFields = fieldsOf(ruleRow)({
  name: is.text,
  levels: is.own,
  channels: is.own,
  delayMinutes: is.own,
  receivers: is.own,
  keeper: unsorted(is.text),
  lastToldMs: unsorted(is.time),
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/rule/list',
  feature: 'alarm-rules',
  summary: 'Rules of the signed-in account, and those of others that tell it something.',
  callers: people,
  reads: true,
  input: z.object({ ...paging, condition: filteredBy({}), sort: sortedBy(ruleFields, 'name') }),
  list: { rows: 'rules', key: 'ruleID', fields: ruleFields },
  result: z.object({ ...paged, rules: z.array(ruleRow) }),
});
export const exportList = exportOf(list);

const named = { organisationID: 'organisation', stationID: 'site' } as const;

export const add = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/rule/add',
  feature: 'alarm-rules',
  summary: 'Adds a rule of who is told of which incidents, when and by which way.',
  callers: people,
  changes: ['alarm-rules'],
  input: terms,
  result: z.object({ ruleID: z.string() }),
  names: named,
});

export const edit = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/rule/edit',
  feature: 'alarm-rules',
  summary: 'Changes a rule; what already waits to be told keeps its time, and is told if the rule still asks for it.',
  callers: people,
  changes: ['alarm-rules'],
  input: z.extend(terms, { ruleID: id }),
  result: z.object({}),
  names: { ...named, ruleID: 'alarmRule' },
});

export const enable = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/rule/enable',
  feature: 'alarm-rules',
  summary: 'Switches a rule on or off.',
  callers: people,
  changes: ['alarm-rules'],
  input: z.object({ ruleID: id, enabled: z.boolean() }),
  result: z.object({}),
  names: { ruleID: 'alarmRule' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/rule/delete',
  feature: 'alarm-rules',
  summary: 'Deletes a rule.',
  callers: people,
  changes: ['alarm-rules'],
  input: z.object({ ruleID: id }),
  result: z.object({}),
  names: { ruleID: 'alarmRule' },
});

export const leave = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/rule/leave',
  feature: 'alarm-rules',
  summary: 'Ends that a rule of somebody else tells the signed-in account.',
  callers: people,
  changes: ['alarm-rules'],
  input: z.object({ ruleID: id }),
  result: z.object({}),
  names: { ruleID: 'alarmRule' },
});

const choices = z.object({ choices: z.array(choice) });

export const organisations = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/rule/organisations',
  feature: 'alarm-rules',
  summary: 'Organisations of whose plants a rule can tell: the caller’s and those below.',
  callers: [3, 4, 255],
  reads: true,
  input: z.object(choosing),
  result: choices,
});

export const plants = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/rule/plants',
  feature: 'alarm-rules',
  summary: 'Plants of which a rule can tell: those that the caller sees.',
  callers: people,
  reads: true,
  input: z.object(choosing),
  result: choices,
});

/** How a delivery would look: what a receiver reads. */
const sample = z.object({ title: z.string(), text: z.string() });

export const preview = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/rule/preview',
  feature: 'alarm-rules',
  summary: 'What a rule would have told the caller in the last 30 days.',
  callers: people,
  reads: true,
  input: terms,
  result: z.object({
    /** Incidents that it would have told of. */
    incidents: z.int(),
    /** Deliveries by each channel. */
    deliveries: z.int(),
    /** Of these, those that tell of several. */
    digests: z.int(),
    /** More matched than are read: the figures are of the newest. */
    isMore: z.boolean(),
    /** Deliveries by local day of the caller, oldest first, days without any too. */
    days: z.array(z.object({ day: z.string(), deliveries: z.int(), incidents: z.int() })),
    /** The newest deliveries, newest first. */
    newest: z.array(
      z.object({ atMs: z.int(), incidents: z.int(), code: z.int(), level: z.int(), plantName: z.string() }),
    ),
  }),
  names: named,
});

export const test = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/rule/test',
  feature: 'alarm-rules',
  summary: 'Sends a test by each way of a rule to the caller, and says what arrived.',
  callers: people,
  changes: ['alarm-rules', 'messages', 'notifications'],
  input: z.object({ ruleID: id }),
  result: z.object({
    sample,
    outcomes: z.array(
      z.object({
        channel: z.enum(ruleChannels),
        target: z.string(),
        delivered: z.boolean(),
        /** Put into the outbox of mails: whether it arrives is seen among the deliveries. */
        isQueued: z.boolean(),
        failure: z.nullable(deliveryFailure),
      }),
    ),
  }),
  names: { ruleID: 'alarmRule' },
});

export const receivers = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/rule/receivers',
  feature: 'alarm-rules',
  summary: 'Who a rule can tell: people who operate plants, of the caller’s organisation and those below.',
  callers: operators,
  reads: true,
  input: z.object(choosing),
  result: z.object({ choices: z.array(choice) }),
});

export const deliveryRow = z.object({
  deliveryID: z.string(),
  atMs: z.int(),
  ruleName: z.string(),
  receiver: z.string(),
  channel: z.enum(ruleChannels),
  /** Where it went: an address, a URL without its query, the host of a push service. */
  target: z.string(),
  event: z.enum(['began', 'escalated', 'ended', 'digest', 'test']),
  incidents: z.int(),
  /** Of the first of its incidents. */
  incidentID: z.string(),
  code: z.nullable(z.int()),
  plantName: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  sentMs: z.nullable(z.int()),
  failure: z.nullable(deliveryFailure),
});
export type DeliveryRow = z.infer<typeof deliveryRow>;

export const deliveryFields = fieldsOf(deliveryRow)({
  atMs: is.time,
  state: unsorted(is.choice('alarm-rules.delivery', deliveryStates)),
  event: unsorted(is.choice('alarm-rules.event', ['began', 'escalated', 'ended', 'digest', 'test'])),
  code: is.own,
  plantName: unsorted(is.text),
  incidents: unsorted(is.count),
  channel: unsorted(is.choice('alarm-rules.channel', ruleChannels)),
  target: unsorted(is.text),
  receiver: unsorted(is.text),
  ruleName: unsorted(is.text),
  attempts: unsorted(is.count),
  sentMs: unsorted(is.time),
});

export const deliveries = endpoint({
  method: 'POST',
  path: '/c/v0/alarm/delivery/list',
  feature: 'alarm-rules',
  summary: 'What was told to the signed-in account and by its rules, by which way and with which outcome.',
  callers: people,
  reads: true,
  input: z.object({
    ...paging,
    condition: filteredBy({
      states: z.optional(z.array(z.enum(deliveryStates)).check(z.maxLength(3))),
      ruleID: z.optional(id),
      incidentID: z.optional(id),
    }),
    sort: sortedBy(deliveryFields, 'atMs', 'desc'),
  }),
  list: { rows: 'deliveries', key: 'deliveryID', fields: deliveryFields },
  result: z.object({ ...paged, deliveries: z.array(deliveryRow) }),
});
export const exportDeliveries = exportOf(deliveries);

export const alarmRuleEndpoints = {
  list,
  exportList,
  add,
  edit,
  enable,
  remove,
  leave,
  preview,
  test,
  receivers,
  organisations,
  plants,
  deliveries,
  exportDeliveries,
} as const;
