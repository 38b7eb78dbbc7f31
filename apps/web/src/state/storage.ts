import { placeOf } from './view-storage.ts';

/** Keys of the browser's local storage, which all tabs of the browser share. */
export const localKeys = [
  'token',
  'access',
  'loginInfo',
  'menuCode',
  'language',
  'colorScheme',
  'collapse',
  'kept',
  'dayLines',
] as const;
export type LocalKey = (typeof localKeys)[number];

function guarded<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    // Storage is refused in some private windows; the app then works until the page is left.
    return otherwise;
  }
}

export const readLocal = (key: LocalKey): string | null =>
  guarded(() => {
    const [place, name] = placeOf(key);
    return place.getItem(name);
  }, null);

export const writeLocal = (key: LocalKey, value: string | null): void =>
  guarded(() => {
    const [place, name] = placeOf(key);
    if (value === null) place.removeItem(name);
    else place.setItem(name, value);
  }, undefined);

export const readSession = (key: string): unknown =>
  guarded(() => JSON.parse(sessionStorage.getItem(key) ?? 'null') as unknown, null);

/** Keeps a value for this browser tab; `null` removes it. */
export const writeSession = (key: string, value: unknown): void =>
  guarded(
    () => (value === null ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, JSON.stringify(value))),
    undefined,
  );

export const clearSession = (): void => guarded(() => sessionStorage.clear(), undefined);
