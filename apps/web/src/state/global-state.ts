import { DEFAULT_LANGUAGE, isLanguage, type Language } from '@sonnenwarte/contract/languages';
import { isLevel, type Level, NOT_SIGNED_IN } from '@sonnenwarte/contract/levels';
import { DEFAULT_PAGE_SIZE } from '@sonnenwarte/contract/limits';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import type { MenuEntry } from '../shell/menu.ts';
import { readLocal, writeLocal } from './storage.ts';
import { createStore, useStore } from './store.ts';

/** Texts of error numbers by language. */
export type ErrorTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

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
  buttonPermissions: readonly PermissionCode[];
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

const storedLanguage = readLocal('language');

export const initialState: GlobalState = {
  language: isLanguage(storedLanguage) ? storedLanguage : DEFAULT_LANGUAGE,
  access: accessOf(readLocal('access')),
  collapse: readLocal('collapse') === 'yes',
  loading: 0,
  globalLoading: false,
  pagination: { pageSize: DEFAULT_PAGE_SIZE, currentPage: 1, total: 0 },
  navigation: [],
  buttonPermissions: [],
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
