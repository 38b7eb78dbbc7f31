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

const watchers = new Set<() => void>();

function store(): void {
  writeSession(STORED_AS, kept().size === 0 ? null : Object.fromEntries(kept()));
  for (const watcher of watchers) watcher();
}

/** Calls `watcher` when a draft comes or goes, until what it returns is called. */
export function watchDrafts(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Key of what was typed into a form: the workspace tab, the call, and which record it is about. */
export const draftKey = (tabId: string, path: string, record: string): string => [tabId, path, record].join('|');

/** Something was typed in this tab for a call that makes a new record. */
export const hasDraft = (tabId: string, path: string): boolean => kept().has(draftKey(tabId, path, ''));

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
