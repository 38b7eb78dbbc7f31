import type { Level } from '@sonnenwarte/contract/levels';
import { NOT_SIGNED_IN } from '@sonnenwarte/contract/levels';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import * as z from 'zod/mini';
import { globalState, type ViewAs } from './global-state.ts';
import { clearSession, readLocal, writeLocal } from './storage.ts';
import { isView, leaveView } from './view-storage.ts';

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
  keepAccess(access);
}

export function keepAccess(access: Level): void {
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

/** What the session may do and open, as the server has just said. */
export function keepPermissions(granted: {
  codes: readonly PermissionCode[];
  menu: readonly string[];
  viewAs: ViewAs | null;
}): void {
  const menuCode = JSON.stringify(granted.menu);
  const known = readLocal('menuCode') === menuCode && globalState.get().menuCode !== undefined;
  writeLocal('menuCode', menuCode);
  globalState.set({
    buttonPermissions: granted.codes,
    viewAs: granted.viewAs,
    ...(known ? {} : { menuCode: granted.menu }),
  });
}

/** What visiting /login clears: token, access level, login info, menu codes and session data (specification, section 2). */
export function endSession(): void {
  if (leaveView()) return;
  for (const key of ['token', 'access', 'loginInfo', 'menuCode'] as const) writeLocal(key, null);
  clearSession();
  globalState.set({
    access: NOT_SIGNED_IN,
    navigation: [],
    menuCode: undefined,
    buttonPermissions: [],
    viewAs: null,
    signature: '',
    timestamp: '',
  });
  for (const listener of endListeners) listener();
}

/** Whoever signs in or out in another window of the browser does so in this one: it starts anew with that session. */
export function followSessionOfOtherWindows(): void {
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === 'token' && newValue !== oldValue && !isView()) location.replace('/');
  });
}
