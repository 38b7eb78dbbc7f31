import * as z from 'zod/mini';
import { deviceKind, latestValue } from '../devices/device.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import { orderCategories } from './due-times.ts';
import { orderStates } from './order-states.ts';

/** What a work order asks about. Texts: `work-orders.product.<id>`. */
export const orderProducts = [
  'plant',
  'inverter',
  'battery',
  'datalogger',
  'meter',
  'ems',
  'gateway',
  'pile',
  'station',
  'portal',
] as const;
export type OrderProduct = (typeof orderProducts)[number];

export const LONGEST_TITLE = 120;
export const LONGEST_TEXT = 4_000;
export const MOST_STARS = 5;

/** Pictures of one entry, of a whole order, and those that an account has sent and not used yet. */
export const MOST_PICTURES_OF_ENTRY = 10;
export const MOST_PICTURES_OF_ORDER = 100;
export const MOST_UNUSED_PICTURES = 30;
export const MOST_PICTURE_BYTES = 10 * 1024 * 1024;
/** Of a picture as it is kept. */
export const LONGEST_SIDE_PX = 2_048;
export const THUMB_SIDE_PX = 400;
/** Kinds of pictures that are taken; all are kept as JPEG. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

/** What the caller may do with a work order now. */
const can = z.object({
  answer: z.boolean(),
  /** Writes and reads what stays among those who work on it. */
  note: z.boolean(),
  /** Gives it to somebody, and says that an answer is awaited. */
  work: z.boolean(),
  /** Takes it up. */
  begin: z.boolean(),
  handUp: z.boolean(),
  handDown: z.boolean(),
  solve: z.boolean(),
  close: z.boolean(),
  reopen: z.boolean(),
  rate: z.boolean(),
});

/** A work order as lists show it. Times in ms since 1970. */
export const workOrderRow = z.object({
  orderID: z.string(),
  /** As people say it: WO-2026-000123. */
  number: z.string(),
  title: z.string(),
  state: z.enum(orderStates),
  category: z.enum(orderCategories),
  product: z.enum(orderProducts),
  isUrgent: z.boolean(),
  submitMs: z.int(),
  /** When something was said or done last that the caller may see. */
  updateMs: z.int(),
  /** Who asked: name, account, organisation, and how to be reached. */
  asker: z.string(),
  askerAccount: z.string(),
  askerOrganisation: z.string(),
  contact: z.string(),
  isOwn: z.boolean(),
  /** Empty where it is about no plant, as are the others where it is about no device and no alarm. */
  stationID: z.string(),
  plantName: z.string(),
  ianaTimezone: z.string(),
  deviceID: z.string(),
  deviceSN: z.string(),
  deviceKind: z.nullable(deviceKind),
  incidentID: z.string(),
  alarmCode: z.nullable(z.int()),
  /** The organisation that has it now. */
  holderID: z.string(),
  holder: z.string(),
  assigneeID: z.string(),
  assignee: z.string(),
  /** The answer of whoever asked is awaited. */
  isWaiting: z.boolean(),
  /** What is due next; `null` while the clock stands still. */
  dueMs: z.nullable(z.int()),
  isLate: z.boolean(),
  answerDueMs: z.int(),
  solutionDueMs: z.int(),
  answeredAtMs: z.nullable(z.int()),
  stillSinceMs: z.nullable(z.int()),
  stillMs: z.int(),
  stars: z.nullable(z.int()),
  can,
});
export type WorkOrderRow = z.infer<typeof workOrderRow>;

export const workOrderFields = fieldsOf(workOrderRow)({
  number: unsorted(is.text),
  title: unsorted(is.text),
  state: unsorted(is.choice('work-orders.state', orderStates)),
  category: unsorted(is.choice('work-orders.category', orderCategories)),
  product: unsorted(is.choice('work-orders.product', orderProducts)),
  asker: unsorted(is.text),
  askerAccount: unsorted(is.text),
  plantName: unsorted(is.text),
  deviceSN: unsorted(is.serial),
  holder: unsorted(is.text),
  assignee: unsorted(is.text),
  dueMs: is.time,
  submitMs: is.time,
  updateMs: is.time,
  stars: unsorted(is.count),
});

/** A value of a device at a moment; of a plant the device that told it is named. */
export const heldValue = z.extend(latestValue, { deviceSN: z.string(), kind: deviceKind });
export type HeldValue = z.infer<typeof heldValue>;

export const orderEntryKinds = [
  'opened',
  'message',
  'note',
  'snapshot',
  'begun',
  'assigned',
  'unassigned',
  'handedUp',
  'handedDown',
  'movedWithPlant',
  'waiting',
  'resumed',
  'solved',
  'closed',
  'closedByItself',
  'reopened',
  'rated',
] as const;
export type OrderEntryKind = (typeof orderEntryKinds)[number];

/** On which side whoever wrote an entry stands; `portal`: nobody did. */
export const orderSides = ['asker', 'staff', 'portal'] as const;

/** Something that was said or done, in the thread of an order. What is internal is told to nobody but those who work on it. */
export const orderEntry = z.object({
  entryID: z.string(),
  kind: z.enum(orderEntryKinds),
  isInternal: z.boolean(),
  atMs: z.int(),
  by: z.string(),
  byOrganisation: z.string(),
  side: z.enum(orderSides),
  isOwn: z.boolean(),
  text: z.string(),
  /** To whom it was given: a person, or an organisation. */
  to: z.string(),
  stars: z.nullable(z.int()),
  pictures: z.array(z.object({ pictureID: z.string(), width: z.int(), height: z.int() })),
  values: z.array(heldValue),
});
export type OrderEntry = z.infer<typeof orderEntry>;

/** A state in the way of an order, with who brought it there and how long it stayed. */
export const orderStep = z.object({
  state: z.enum(orderStates),
  atMs: z.int(),
  /** Empty where the portal did it. */
  by: z.string(),
  /** `null` while it is the state. */
  untilMs: z.nullable(z.int()),
});
export type OrderStep = z.infer<typeof orderStep>;
