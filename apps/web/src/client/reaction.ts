import { errno, sessionEndNumbers } from '@sonnenwarte/contract/errors';
import { API_NOT_FOUND_NOTICE_MS, SESSION_END_NOTICE_MS } from '@sonnenwarte/contract/limits';
import { ApiError, type Failure, StatusError } from './failures.ts';

export type ProblemPath = '/login' | '/changePassword' | '/error/403' | '/error/5xx';

/** What a failure makes the app do: say something, leave the screen, or both. */
export interface Reaction {
  message?:
    | { kind: 'errno'; errno: number; forMs?: number }
    | { kind: 'status'; text: string; forMs?: number }
    | { kind: 'phrase'; key: 'common.maintenance' | 'common.networkFailure' | 'common.timeout' };
  leave?: { to: ProblemPath; afterMs: number };
}

/** The error catalogue of the specification, section 8. */
export function reactionTo(failure: Failure): Reaction {
  if (failure instanceof ApiError) {
    if (sessionEndNumbers.includes(failure.errno)) {
      return {
        message: { kind: 'errno', errno: failure.errno, forMs: SESSION_END_NOTICE_MS },
        leave: { to: '/login', afterMs: SESSION_END_NOTICE_MS },
      };
    }
    if (failure.errno === errno.passwordMustChange) {
      return { message: { kind: 'errno', errno: failure.errno }, leave: { to: '/changePassword', afterMs: 0 } };
    }
    if (failure.errno === errno.maintenance) return { message: { kind: 'phrase', key: 'common.maintenance' } };
    return { message: { kind: 'errno', errno: failure.errno } };
  }
  if (failure instanceof StatusError) {
    switch (failure.status) {
      case 401:
        return { leave: { to: '/login', afterMs: 0 } };
      case 403:
        return { leave: { to: '/error/403', afterMs: 0 } };
      case 404:
        return { message: { kind: 'status', text: 'status:404 Api Not Found', forMs: API_NOT_FOUND_NOTICE_MS } };
      case 405:
        return { message: { kind: 'status', text: `status:405 ${failure.message || 'Method Not Allowed'}` } };
      case 503:
        return {
          message: { kind: 'phrase', key: 'common.maintenance' },
          leave: { to: '/error/5xx', afterMs: 0 },
        };
      default:
        return { leave: { to: '/error/5xx', afterMs: 0 } };
    }
  }
  return { message: { kind: 'phrase', key: failure.timedOut ? 'common.timeout' : 'common.networkFailure' } };
}
