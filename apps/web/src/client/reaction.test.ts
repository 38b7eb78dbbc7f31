import { describe, expect, test } from 'vitest';
import { ApiError, NetworkError, StatusError } from './failures.ts';
import { reactionTo } from './reaction.ts';

describe('reaction to a failed call', () => {
  test.each([41808, 41809, 41810])('%i is shown for two seconds and then leads to /login', (errno) => {
    expect(reactionTo(new ApiError(errno, '', null))).toEqual({
      message: { kind: 'errno', errno, forMs: 2_000 },
      leave: { to: '/login', afterMs: 2_000 },
    });
  });

  test('41814 says that the password must be changed and leads there', () => {
    expect(reactionTo(new ApiError(41814, '', null))).toEqual({
      message: { kind: 'errno', errno: 41814 },
      leave: { to: '/changePassword', afterMs: 0 },
    });
  });

  test('another error number only shows its message', () => {
    expect(reactionTo(new ApiError(41931, '', null))).toEqual({ message: { kind: 'errno', errno: 41931 } });
  });

  test('maintenance says that the service is awaited', () => {
    expect(reactionTo(new ApiError(30000, '', null)).message).toEqual({ kind: 'phrase', key: 'common.maintenance' });
  });

  test.each([
    [401, '/login'],
    [403, '/error/403'],
    [500, '/error/5xx'],
    [502, '/error/5xx'],
    [503, '/error/5xx'],
    [418, '/error/5xx'],
  ] as const)('HTTP %i leads to %s', (status, to) => {
    expect(reactionTo(new StatusError(status, '')).leave).toEqual({ to, afterMs: 0 });
  });

  test('HTTP 404 is said for five seconds and stays on the screen', () => {
    expect(reactionTo(new StatusError(404, 'Not Found'))).toEqual({
      message: { kind: 'status', text: 'status:404 Api Not Found', forMs: 5_000 },
    });
  });

  test('HTTP 405 shows the status with its text', () => {
    expect(reactionTo(new StatusError(405, 'Method Not Allowed'))).toEqual({
      message: { kind: 'status', text: 'status:405 Method Not Allowed' },
    });
  });

  test('no connection and no answer in time say so and stay on the screen', () => {
    expect(reactionTo(new NetworkError(false))).toEqual({ message: { kind: 'phrase', key: 'common.networkFailure' } });
    expect(reactionTo(new NetworkError(true))).toEqual({ message: { kind: 'phrase', key: 'common.timeout' } });
  });
});
