import { CallError } from '../http/call-error.ts';

/** The day by which warranties are told, UTC. */
export const todayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** A day of a form that cannot be. */
export const refusedDay = (path: string): CallError =>
  new CallError('refusedInput', { fields: [{ path, reason: 'wrong', params: {} }] });
