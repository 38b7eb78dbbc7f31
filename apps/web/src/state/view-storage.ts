/** Items of the session, of which a view has its own. */
const viewed: readonly string[] = ['token', 'access', 'loginInfo', 'menuCode'];
const VIEW = 'view:';
const ASIDE = 'view:aside';

/** Whether this browser tab shows a read-only view: other tabs of the browser never see its token. */
export function isView(): boolean {
  try {
    return sessionStorage.getItem(`${VIEW}token`) !== null;
  } catch {
    return false;
  }
}

/** Where an item is kept: a view's in its browser tab, all others in what the tabs of the browser share. */
export const placeOf = (key: string): [Storage, string] =>
  viewed.includes(key) && isView() ? [sessionStorage, VIEW + key] : [localStorage, key];

/** Puts what the browser tab held aside and begins a view. */
export function startView({ token, access, cameFrom }: { token: string; access: number; cameFrom: string }): void {
  const aside = { items: { ...sessionStorage }, cameFrom };
  sessionStorage.clear();
  sessionStorage.setItem(ASIDE, JSON.stringify(aside));
  sessionStorage.setItem(`${VIEW}token`, token);
  sessionStorage.setItem(`${VIEW}access`, String(access));
}

/** Leaves a view, if this is one: the own session goes on where the view was begun. */
export function leaveView(): boolean {
  if (!isView()) return false;
  const { items, cameFrom } = JSON.parse(sessionStorage.getItem(ASIDE) ?? '{"items":{},"cameFrom":"/"}') as {
    items: Record<string, string>;
    cameFrom: string;
  };
  sessionStorage.clear();
  for (const [key, value] of Object.entries(items)) sessionStorage.setItem(key, value);
  location.replace(cameFrom);
  return true;
}
