import * as z from 'zod/mini';
import { readSession, writeSession } from '../../state/storage.ts';

type Draft = Readonly<Record<string, unknown>>;

const STORED_AS = 'drafts';
const storedDrafts = z.record(z.string(), z.record(z.string(), z.unknown()));

/** Stands for the tab where a form lives outside the workspace. */
export const NO_TAB = 'page';

let drafts: Map<string, Draft> | undefined;

function kept(): Map<string, Draft> {
  drafts ??= new Map(Object.entries(z.safeParse(storedDrafts, readSession(STORED_AS)).data ?? {}));
  return drafts;
}

const store = (): void => writeSession(STORED_AS, kept().size === 0 ? null : Object.fromEntries(kept()));

/** Key of what was typed into a form: the workspace tab, the call, and which record it is about. */
export const draftKey = (tabId: string, path: string, record: string): string => [tabId, path, record].join('|');

export const readDraft = (key: string): Draft => kept().get(key) ?? {};

export function dropDraft(key: string): void {
  if (kept().delete(key)) store();
}

export function keepDraft(key: string, changed: Draft): void {
  if (Object.keys(changed).length === 0) {
    dropDraft(key);
    return;
  }
  kept().set(key, changed);
  store();
}

/** Forgets the drafts of tabs that were closed. */
export function keepDraftsOf(tabIds: ReadonlySet<string>): void {
  for (const key of kept().keys()) {
    const tabId = key.slice(0, key.indexOf('|'));
    if (tabId !== NO_TAB && !tabIds.has(tabId)) dropDraft(key);
  }
}

export function forgetDrafts(): void {
  drafts = new Map();
  store();
  drafts = undefined;
}
