import type { Level } from '@sonnenwarte/contract/levels';
import { NOT_SIGNED_IN } from '@sonnenwarte/contract/levels';
import * as z from 'zod/mini';
import { globalState } from './global-state.ts';
import { clearSession, readLocal, writeLocal } from './storage.ts';

const loginInfo = z.object({ username: z.string(), email: z.string(), phone: z.string() });
export type LoginInfo = z.infer<typeof loginInfo>;

/** The session token, empty without a session. */
export const tokenOf = (): string => readLocal('token') ?? '';

const endListeners = new Set<() => void>();

/** Called whenever the session's data are cleared. Returns the function that stops it. */
export function onSessionEnd(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

export function startSession(token: string, access: Level): void {
  writeLocal('token', token);
  writeLocal('access', String(access));
  globalState.set({ access });
}

export const keepLoginInfo = (info: LoginInfo): void => writeLocal('loginInfo', JSON.stringify(info));

export function readLoginInfo(): LoginInfo | undefined {
  const stored = readLocal('loginInfo');
  if (stored === null) return undefined;
  try {
    return z.safeParse(loginInfo, JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
}

/** What visiting /login clears: token, access level, login info and session data (specification, section 2). */
export function endSession(): void {
  for (const key of ['token', 'access', 'loginInfo'] as const) writeLocal(key, null);
  clearSession();
  globalState.set({ access: NOT_SIGNED_IN, navigation: [], buttonPermissions: [], signature: '', timestamp: '' });
  for (const listener of endListeners) listener();
}
