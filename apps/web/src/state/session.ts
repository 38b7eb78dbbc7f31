import type { Level } from '@sonnenwarte/contract/levels';
import { NOT_SIGNED_IN } from '@sonnenwarte/contract/levels';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import { globalState, type ViewAs } from './global-state.ts';
import { clearSession, readLocal, readSession, writeLocal, writeSession } from './storage.ts';
import { isView, leaveView } from './view-storage.ts';

export interface LoginInfo {
  username: string;
  email: string;
  phone: string;
}

const isLoginInfo = (value: unknown): value is LoginInfo =>
  typeof value === 'object' &&
  value !== null &&
  ['username', 'email', 'phone'].every((key) => typeof (value as Record<string, unknown>)[key] === 'string');

/** The session token, empty without a session. */
export const tokenOf = (): string => readLocal('token') ?? '';

/** Names the session to which tabs, drafts and whatever else this browser tab holds belong. */
const HELD_FOR = 'heldFor';
/** Names its account: what is held outlives a token that another one of the same account follows. */
const HELD_BY = 'heldBy';

/** Drops what this browser tab holds of a session that another window has ended or replaced since. */
export function dropDataOfOthers(): void {
  if (isView() || (readSession(HELD_FOR) ?? '') === tokenOf()) return;
  const account = readLoginInfo()?.username;
  const isOwn = tokenOf() !== '' && account !== undefined && readSession(HELD_BY) === account;
  if (!isOwn) clearSession();
  if (tokenOf() === '') return;
  writeSession(HELD_FOR, tokenOf());
  if (account !== undefined) writeSession(HELD_BY, account);
}

dropDataOfOthers();

const endListeners = new Set<() => void>();

/** Called whenever the session's data are cleared. Returns the function that stops it. */
export function onSessionEnd(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

const startListeners = new Set<() => void>();

/** Called when a session begins, once what was kept for it is there. Returns the function that stops it. */
export function onSessionStart(listener: () => void): () => void {
  startListeners.add(listener);
  return () => startListeners.delete(listener);
}

/** Begins a session; nothing is left of one that was still alive in this browser but what is handed on. */
export function startSession(token: string, access: Level, kept: Readonly<Record<string, unknown>> = {}): void {
  forgetSession();
  writeLocal('token', token);
  writeSession(HELD_FOR, token);
  for (const [key, value] of Object.entries(kept)) writeSession(key, value ?? null);
  keepAccess(access);
  for (const listener of startListeners) listener();
}

export function keepAccess(access: Level): void {
  writeLocal('access', String(access));
  globalState.set({ access });
}

export function keepLoginInfo(info: LoginInfo): void {
  writeLocal('loginInfo', JSON.stringify(info));
  writeSession(HELD_BY, info.username);
}

export function readLoginInfo(): LoginInfo | undefined {
  const stored = readLocal('loginInfo');
  if (stored === null) return undefined;
  try {
    const info: unknown = JSON.parse(stored);
    return isLoginInfo(info) ? info : undefined;
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
  const known = JSON.stringify(globalState.get().menuCode) === menuCode;
  writeLocal('menuCode', menuCode);
  globalState.set({
    buttonPermissions: granted.codes,
    viewAs: granted.viewAs,
    ...(known ? {} : { menuCode: granted.menu }),
  });
}

/** What visiting /login clears (specification, section 2); in a view it leads back to the own session. */
export function endSession(): void {
  if (!leaveView()) forgetSession();
}

/** Clears token, access level, login info, menu codes and session data, those of a view as well. */
function forgetSession(): void {
  clearSession();
  for (const key of ['token', 'access', 'loginInfo', 'menuCode'] as const) writeLocal(key, null);
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
