import { MOST_PLANNED_MONTHS } from '@sonnenwarte/contract/factory/factory-words';
import { monthsAfter } from '@sonnenwarte/contract/factory/warranty';
import { CallError } from '../http/call-error.ts';

/** In the first zone of the world a day begins so long before it does in UTC. */
const EARLIEST_ZONE_MS = 14 * 3_600_000;

/** The day by which warranties are told, UTC. */
export const todayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** The last day for which a delivery may be planned. */
export const lastPlannedDay = (nowMs: number): string =>
  monthsAfter(todayOf(nowMs + EARLIEST_ZONE_MS), MOST_PLANNED_MONTHS);

/** A day of a form that cannot be. */
export const refusedDay = (path: string): CallError =>
  new CallError('refusedInput', { fields: [{ path, reason: 'wrong', params: {} }] });
