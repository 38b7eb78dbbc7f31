import * as z from 'zod/mini';
import { choice, choosing } from '../choices.ts';
import { deviceKind } from '../devices/device.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line, paragraph } from '../fields.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { answerTemplateEndpoints } from './answer-templates.ts';
import { orderCategories } from './due-times.ts';
import { orderStates } from './order-states.ts';
import { pictureEndpoints } from './pictures.ts';
import {
  heldValue,
  LONGEST_TEXT,
  LONGEST_TITLE,
  MOST_PICTURES_OF_ENTRY,
  MOST_STARS,
  orderEntry,
  orderProducts,
  orderStep,
  workOrderFields,
  workOrderRow,
} from './work-order.ts';

const people = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const operators = [2, 3, 4, 255] as const satisfies readonly Level[];

/** What the web client says of itself where an order begins (specification, section 7). */
const fromWeb = { platForm: 'web' } as const;

/**
 * Parts of the list. `open`: somebody has to do something. `mine`: assigned to the caller. `late`: open and past what is due. `waiting`: the
 * answer of whoever asked is awaited. `done`: solved or closed. `all`.
 */
export const orderViews = ['open', 'mine', 'late', 'waiting', 'done', 'all'] as const;
export type OrderView = (typeof orderViews)[number];

/** Matching orders are counted up to this many. */
export const MOST_ORDERS_COUNTED = 10_000;
/** An account asks so many in a day at most. */
export const MOST_ORDERS_A_DAY = 50;

const id = z.uuid();
const named = { id: 'workOrder' } as const;
const text = paragraph(LONGEST_TEXT);
const needed = text.check(z.minLength(1));
const pictureIDs = z.optional(z.array(z.uuid()).check(z.maxLength(MOST_PICTURES_OF_ENTRY)));
const about = { stationID: z.optional(id), deviceID: z.optional(id), incidentID: z.optional(id) };
const namesOfAbout = { stationID: 'site', deviceID: 'device', incidentID: 'incident' } as const;

export const create = endpoint({
  method: 'POST',
  path: '/ticket/v0/create',
  feature: 'work-orders',
  summary:
    'Opens a work order about a plant, a device or an alarm, or about none of them, and holds the values of that moment.',
  callers: people,
  headers: fromWeb,
  changes: ['work-orders'],
  input: z.object({
    ...about,
    title: line(LONGEST_TITLE, 1),
    category: z.enum(orderCategories),
    product: z.enum(orderProducts),
    text: needed,
    /** How to be reached about it. */
    contact: z.optional(line(128)),
    pictureIDs,
  }),
  result: z.object({ orderID: z.string(), number: z.string() }),
  names: namesOfAbout,
});

export const questionTypes = endpoint({
  method: 'POST',
  path: '/ticket/v0/question/types',
  feature: 'work-orders',
  summary:
    'What can be asked about, with the names in the caller’s language and within how many hours it is answered and solved.',
  callers: people,
  headers: fromWeb,
  reads: true,
  input: z.object({}),
  result: z.object({
    types: z.array(
      z.object({
        category: z.enum(orderCategories),
        name: z.string(),
        answerWithinHours: z.int(),
        solvedWithinHours: z.int(),
      }),
    ),
    products: z.array(z.object({ product: z.enum(orderProducts), name: z.string() })),
  }),
});

export const subject = endpoint({
  method: 'GET',
  path: '/ticket/v0/subject',
  feature: 'work-orders',
  summary: 'What an order about a plant, a device or an alarm would begin with, and the values that it would hold.',
  callers: people,
  input: z.object(about),
  result: z.object({
    stationID: z.string(),
    plantName: z.string(),
    ianaTimezone: z.string(),
    deviceID: z.string(),
    deviceSN: z.string(),
    deviceKind: z.nullable(deviceKind),
    incidentID: z.string(),
    alarmCode: z.nullable(z.int()),
    isUrgent: z.boolean(),
    category: z.nullable(z.enum(orderCategories)),
    product: z.nullable(z.enum(orderProducts)),
    values: z.array(heldValue),
    /** Who asks, as those who answer will see it. */
    asker: z.string(),
    askerOrganisation: z.string(),
    contact: z.string(),
  }),
  names: namesOfAbout,
});

export const plants = endpoint({
  method: 'POST',
  path: '/ticket/v0/plants',
  feature: 'work-orders',
  summary: 'Plants in scope that an order can be about.',
  callers: people,
  reads: true,
  input: z.object(choosing),
  result: z.object({ choices: z.array(choice) }),
});

export const devices = endpoint({
  method: 'POST',
  path: '/ticket/v0/devices',
  feature: 'work-orders',
  summary: 'Devices of a plant that an order can be about.',
  callers: people,
  reads: true,
  input: z.object({ ...choosing, stationID: id }),
  result: z.object({ choices: z.array(choice) }),
  names: { stationID: 'site' },
});

export const list = endpoint({
  method: 'POST',
  path: '/ticket/v0/list',
  feature: 'work-orders',
  summary: 'Work orders that the caller sees, those that are due next first unless asked otherwise.',
  callers: people,
  reads: true,
  list: { rows: 'orders', key: 'orderID', fields: workOrderFields },
  input: z.object({
    ...paging,
    condition: filteredBy({
      /** `open` where none is named. */
      view: z.optional(z.enum(orderViews)),
      states: z.optional(z.array(z.enum(orderStates)).check(z.maxLength(orderStates.length))),
      category: z.optional(z.enum(orderCategories)),
      product: z.optional(z.enum(orderProducts)),
      stationID: z.optional(id),
      deviceID: z.optional(id),
      incidentID: z.optional(id),
    }),
    sort: sortedBy(workOrderFields, 'dueMs'),
  }),
  result: z.object({
    ...paged,
    orders: z.array(workOrderRow),
    /** More match than are counted. */
    isMore: z.boolean(),
  }),
});
export const exportList = exportOf(list);

export const summary = endpoint({
  method: 'GET',
  path: '/ticket/v0/summary',
  feature: 'work-orders',
  summary: 'How many work orders that the caller sees there are in each part of the list, and which are due next.',
  callers: people,
  input: z.object({}),
  result: z.object({
    counts: z.object({ open: z.int(), mine: z.int(), late: z.int(), waiting: z.int() }),
    next: z.array(
      z.object({
        orderID: z.string(),
        number: z.string(),
        title: z.string(),
        plantName: z.string(),
        state: z.enum(orderStates),
        dueMs: z.nullable(z.int()),
      }),
    ),
  }),
});
export type OrderSummary = z.infer<(typeof summary)['result']>;

export const detail = endpoint({
  method: 'GET',
  path: '/ticket/v0/detail',
  feature: 'work-orders',
  summary: 'A work order with its way and the newest part of its thread, as far as the caller may read it.',
  callers: people,
  input: z.object({ id }),
  result: z.object({
    order: workOrderRow,
    /** Oldest first; the newest of them. */
    entries: z.array(orderEntry),
    /** How many entries come before these. */
    earlier: z.int(),
    /** Of all entries that the caller may read: how many are internal, `null` for who may read none. */
    internal: z.nullable(z.int()),
    way: z.array(orderStep),
    /** To whom it can be handed: the organisation above, and those below on the way. */
    above: z.nullable(z.object({ organisationID: z.string(), name: z.string() })),
    below: z.array(z.object({ organisationID: z.string(), name: z.string() })),
    /** The held values as they are now; empty where the device tells the caller nothing any more. */
    now: z.array(heldValue),
  }),
  names: named,
});
export type WorkOrderDetail = z.infer<(typeof detail)['result']>;

export const thread = endpoint({
  method: 'GET',
  path: '/ticket/v0/thread',
  feature: 'work-orders',
  summary: 'What comes before an entry in the thread of a work order, oldest first.',
  callers: people,
  input: z.object({ id, before: z.optional(id) }),
  result: z.object({ entries: z.array(orderEntry), earlier: z.int() }),
  names: named,
});

const act = <const P extends string, const S extends Record<string, z.ZodMiniType>>(
  path: P,
  about: string,
  callers: readonly [Level, ...Level[]],
  shape: S,
) =>
  endpoint({
    method: 'POST',
    path: `/ticket/v0/${path}`,
    feature: 'work-orders',
    summary: about,
    callers,
    changes: ['work-orders'],
    input: z.object({ id, ...shape }),
    result: z.object({}),
    names: named,
  });

export const message = act('message', 'Writes to whoever asked, or, internally, to those who work on it.', people, {
  text,
  internal: z.optional(z.boolean()),
  /** The clock stands still until whoever asked answers. */
  waits: z.optional(z.boolean()),
  pictureIDs,
});
export const begin = act('begin', 'Takes a work order up: it is assigned to the caller.', operators, {});
export const assign = act(
  'assign',
  'Gives a work order to somebody of the organisation that has it, or to nobody.',
  operators,
  {
    accountID: z.nullable(id),
  },
);
export const handUp = act('handUp', 'Hands a work order to the organisation above.', operators, {
  text: z.optional(text),
});
export const handDown = act(
  'handDown',
  'Hands a work order to an organisation below, on the way to its plant.',
  operators,
  {
    organisationID: id,
    text: z.optional(text),
  },
);
export const wait = act('wait', 'Says that the answer of whoever asked is awaited, or no longer.', operators, {
  waits: z.boolean(),
});
export const solve = act('solve', 'Says that a work order is solved, and how.', operators, { text: needed });
export const close = act('close', 'Closes a work order: whoever asked at any time, others when it is solved.', people, {
  text: z.optional(text),
});
export const reopen = act('reopen', 'Opens a work order that was solved or closed again, and says why.', people, {
  text: needed,
});
export const rate = act('rate', 'Says how well a work order was solved, by whoever asked; that closes it.', people, {
  stars: z.int().check(z.gte(1), z.lte(MOST_STARS)),
  text: z.optional(text),
});

export const assignees = endpoint({
  method: 'POST',
  path: '/ticket/v0/assignees',
  feature: 'work-orders',
  summary: 'People of the organisation that has a work order, who can be given it.',
  callers: operators,
  reads: true,
  input: z.object({ ...choosing, orderID: id }),
  result: z.object({ choices: z.array(choice) }),
  names: { orderID: 'workOrder' },
});

export const workOrderEndpoints = {
  create,
  questionTypes,
  subject,
  plants,
  devices,
  list,
  exportList,
  summary,
  detail,
  thread,
  message,
  begin,
  assign,
  assignees,
  handUp,
  handDown,
  wait,
  solve,
  close,
  reopen,
  rate,
  ...pictureEndpoints,
  ...answerTemplateEndpoints,
} as const;
