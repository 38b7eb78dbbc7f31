import type { Result } from '@sonnenwarte/contract/endpoint';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '@sonnenwarte/contract/languages';
import { isLevel, type Level, NOT_SIGNED_IN } from '@sonnenwarte/contract/levels';
import { DEFAULT_PAGE_SIZE } from '@sonnenwarte/contract/limits';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import type { ownPermissions } from '@sonnenwarte/contract/permissions/permissions';
import type { MenuEntry } from '../menu/menu.ts';
import { readLocal, writeLocal } from './storage.ts';
import { createStore, useStore } from './store.ts';

/** Texts of error numbers by language. */
export type ErrorTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type ViewAs = NonNullable<Result<typeof ownPermissions>['viewAs']>;

/** The global state of the specification, section 3. */
export interface GlobalState {
  language: Language;
  access: Level | typeof NOT_SIGNED_IN;
  collapse: boolean;
  /** Running requests; never below 0. */
  loading: number;
  /** The whole window waits, for example while somebody signs in. */
  globalLoading: boolean;
  pagination: { pageSize: number; currentPage: number; total: number };
  navigation: readonly MenuEntry[];
  /** Names of the routes that the session's permission codes leave open; unknown until the server has said it. */
  menuCode: readonly string[] | undefined;
  buttonPermissions: readonly PermissionCode[];
  /** An administrator sees the portal, read-only, as this level or group would. */
  viewAs: ViewAs | null;
  /** Signature and timestamp of the newest request. */
  signature: string;
  timestamp: string;
  errorMessages: ErrorTable;
  /** Work mode. */
  modelId: string;
}

export function accessOf(stored: string | null): GlobalState['access'] {
  const level = stored === null ? Number.NaN : Number(stored);
  return isLevel(level) ? level : NOT_SIGNED_IN;
}

/** The list that is kept under `menuCode`; anything else counts as none. */
export function menuCodeOf(stored: string | null): readonly string[] | undefined {
  if (stored === null) return undefined;
  try {
    const list: unknown = JSON.parse(stored);
    return Array.isArray(list) && list.every((name) => typeof name === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

const storedLanguage = readLocal('language');

export const initialState: GlobalState = {
  language: isLanguage(storedLanguage) ? storedLanguage : DEFAULT_LANGUAGE,
  access: accessOf(readLocal('access')),
  collapse: readLocal('collapse') === 'yes',
  loading: 0,
  globalLoading: false,
  pagination: { pageSize: DEFAULT_PAGE_SIZE, currentPage: 1, total: 0 },
  navigation: [],
  menuCode: menuCodeOf(readLocal('menuCode')),
  buttonPermissions: [],
  viewAs: null,
  signature: '',
  timestamp: '',
  errorMessages: {},
  modelId: '',
};

export const globalState = createStore<GlobalState>(initialState);

export function setCollapse(collapse: boolean): void {
  writeLocal('collapse', collapse ? 'yes' : null);
  globalState.set({ collapse });
}

export const useGlobalState = <S>(select: (state: GlobalState) => S): S => useStore(globalState, select);
