import { isOpen, type OrderState } from './order-states.ts';

/** What a work order is about. Texts: `work-orders.category.<id>`. */
export const orderCategories = [
  'fault',
  'yield',
  'monitoring',
  'settings',
  'firmware',
  'account',
  'warranty',
  'other',
] as const;
export type OrderCategory = (typeof orderCategories)[number];

/** Within how many hours it is answered for the first time, and solved. */
export interface DueHours {
  readonly answer: number;
  readonly solution: number;
}

/** By category, and whether it is urgent: asked about an alarm that stops something. Hours of the clock, not of work. */
export const dueHours: Readonly<Record<OrderCategory, { readonly normal: DueHours; readonly urgent: DueHours }>> = {
  fault: { normal: { answer: 8, solution: 48 }, urgent: { answer: 2, solution: 24 } },
  yield: { normal: { answer: 24, solution: 96 }, urgent: { answer: 8, solution: 48 } },
  monitoring: { normal: { answer: 24, solution: 72 }, urgent: { answer: 8, solution: 24 } },
  settings: { normal: { answer: 24, solution: 72 }, urgent: { answer: 4, solution: 24 } },
  firmware: { normal: { answer: 24, solution: 120 }, urgent: { answer: 8, solution: 48 } },
  account: { normal: { answer: 8, solution: 24 }, urgent: { answer: 4, solution: 8 } },
  warranty: { normal: { answer: 24, solution: 240 }, urgent: { answer: 8, solution: 120 } },
  other: { normal: { answer: 24, solution: 120 }, urgent: { answer: 8, solution: 48 } },
};

/** Alarms of this level and above make an order urgent. */
export const URGENT_FROM_LEVEL = 3;

const HOUR_MS = 3_600_000;

/** What the clock of a work order goes by; all instants in ms. */
export interface OrderClock {
  readonly answerDueMs: number;
  readonly solutionDueMs: number;
  /** When somebody else than who asked answered first; null until then. */
  readonly answeredAtMs: number | null;
  /** Since when it stands still; null while it runs. */
  readonly stillSinceMs: number | null;
  /** For how long it has stood still before that. */
  readonly stillMs: number;
}

/** The clock of an order that is asked now. */
export function clockFrom(category: OrderCategory, isUrgent: boolean, nowMs: number): OrderClock {
  const { answer, solution } = dueHours[category][isUrgent ? 'urgent' : 'normal'];
  return {
    answerDueMs: nowMs + answer * HOUR_MS,
    solutionDueMs: nowMs + solution * HOUR_MS,
    answeredAtMs: null,
    stillSinceMs: null,
    stillMs: 0,
  };
}

/** Stops the clock, which may stand already. */
export const stopped = (clock: OrderClock, nowMs: number): OrderClock =>
  clock.stillSinceMs === null ? { ...clock, stillSinceMs: nowMs } : clock;

/** Lets the clock run on: what is due is due later by as long as it stood. A first answer that was given stays in its time. */
export function running(clock: OrderClock, nowMs: number): OrderClock {
  if (clock.stillSinceMs === null) return clock;
  const stoodMs = Math.max(0, nowMs - clock.stillSinceMs);
  return {
    ...clock,
    answerDueMs: clock.answeredAtMs === null ? clock.answerDueMs + stoodMs : clock.answerDueMs,
    solutionDueMs: clock.solutionDueMs + stoodMs,
    stillSinceMs: null,
    stillMs: clock.stillMs + stoodMs,
  };
}

/** Notes the first answer. */
export const answered = (clock: OrderClock, nowMs: number): OrderClock =>
  clock.answeredAtMs === null ? { ...clock, answeredAtMs: nowMs } : clock;

/** The clock in a state: it runs while somebody has to do something and nothing is awaited of the customer. */
export const clockIn = (clock: OrderClock, state: OrderState, isWaiting: boolean, nowMs: number): OrderClock =>
  isOpen(state) && !isWaiting ? running(clock, nowMs) : stopped(clock, nowMs);

export type DueWhat = 'answer' | 'solution';

export interface Due {
  readonly what: DueWhat;
  readonly dueMs: number;
  /** Until then; negative where it is late. Where the clock stands still: what was left when it stopped. */
  readonly leftMs: number;
  readonly isLate: boolean;
  readonly isStill: boolean;
}

/** What is due next, and how much time is left of it. */
export function dueOf(clock: OrderClock, nowMs: number): Due {
  const what: DueWhat = clock.answeredAtMs === null ? 'answer' : 'solution';
  const dueMs = what === 'answer' ? clock.answerDueMs : clock.solutionDueMs;
  const leftMs = dueMs - (clock.stillSinceMs ?? nowMs);
  return { what, dueMs, leftMs, isLate: leftMs < 0, isStill: clock.stillSinceMs !== null };
}
