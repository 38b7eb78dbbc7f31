/** With what the warranty of a unit begins. */
export const warrantyBegins = ['delivery', 'firstSeen', 'commissioning'] as const;
export type WarrantyBegin = (typeof warrantyBegins)[number];

/** How a warranty stands on a day; `unknown` where nothing says when it begins or how long it lasts. */
export const warrantyStates = ['running', 'endsSoon', 'over', 'notBegun', 'unknown'] as const;
export type WarrantyState = (typeof warrantyStates)[number];

/** So many days before its end a warranty ends soon. */
export const WARRANTY_ENDS_SOON_DAYS = 90;
export const MOST_WARRANTY_MONTHS = 600;
export const MOST_LATEST_MONTHS = 120;

const DAY_MS = 86_400_000;

/** What a model is warranted for. */
export interface WarrantyTerm {
  readonly months: number;
  readonly begins: WarrantyBegin;
  /** It begins so many months after delivery at the latest; null: without bound. */
  readonly latestMonths: number | null;
}

/** What is known of a unit; days as `YYYY-MM-DD`. */
export interface WarrantyFacts {
  readonly deliveredOn: string | null;
  readonly seenOn: string | null;
  /** Of the plant in which it is. */
  readonly commissioned: string | null;
}

export interface Warranty {
  readonly from: string;
  /** The last day. */
  readonly until: string;
}

/**
 * The same day of another month, `YYYY-MM-DD`; in a month that has no such day its last: 31 January and one month is 28 or 29 February.
 * For years from 0001 to 9999.
 */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const count = year * 12 + month - 1 + months;
  const [inYear, inMonth] = [Math.floor(count / 12), count % 12];
  const last = new Date(0);
  last.setUTCFullYear(inYear, inMonth + 1, 0);
  const digits = (value: number, length: number) => String(value).padStart(length, '0');
  return `${digits(inYear, 4)}-${digits(inMonth + 1, 2)}-${digits(Math.min(date, last.getUTCDate()), 2)}`;
}

/** Deliveries and commissionings may be planned so many months ahead. */
export const MOST_PLANNED_MONTHS = 12;
/** In the first zone of the world a day begins so long before it does in UTC. */
const EARLIEST_ZONE_MS = 14 * 3_600_000;

/** The last day that may be planned, wherever on earth it is asked for. */
export const lastPlannedDay = (nowMs: number): string =>
  monthsAfter(new Date(nowMs + EARLIEST_ZONE_MS).toISOString().slice(0, 10), MOST_PLANNED_MONTHS);

const later = (day: string, other: string | null): string => (other !== null && other > day ? other : day);

function eventOf(begins: WarrantyBegin, { deliveredOn, seenOn, commissioned }: WarrantyFacts): string | null {
  const seen = seenOn === null ? null : later(seenOn, deliveredOn);
  switch (begins) {
    case 'delivery':
      return deliveredOn;
    case 'firstSeen':
      return seen;
    case 'commissioning':
      if (commissioned === null) return null;
      // A unit that came later than its plant, as a replacement, begins when it was first seen.
      return deliveredOn === null || commissioned >= deliveredOn ? commissioned : seen;
  }
}

/**
 * The warranty of a unit; undefined where nothing says when it begins. It never begins before delivery, and where it waits for something that has not
 * happened it begins on the latest day that its term allows. The database reckons the same (`warranty_begin`), so that lists can be ordered by it.
 */
export function warrantyOf({ months, begins, latestMonths }: WarrantyTerm, facts: WarrantyFacts): Warranty | undefined {
  const { deliveredOn } = facts;
  const event = eventOf(begins, facts);
  const latest = latestMonths === null || deliveredOn === null ? null : monthsAfter(deliveredOn, latestMonths);
  const from = event === null || (latest !== null && latest < event) ? latest : event;
  return from === null ? undefined : { from, until: monthsAfter(from, months) };
}

const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;

/** How it stands on a day. */
export function warrantyStateOn(today: string, warranty: Warranty | undefined): WarrantyState {
  if (warranty === undefined) return 'unknown';
  if (today < warranty.from) return 'notBegun';
  if (today > warranty.until) return 'over';
  return dayNumber(warranty.until) - dayNumber(today) <= WARRANTY_ENDS_SOON_DAYS ? 'endsSoon' : 'running';
}
