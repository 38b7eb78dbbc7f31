import { settingValue } from '@sonnenwarte/contract/commands/setting-value';
import { use, useMemo, useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { draftKey, dropDraft, keepDraft, NO_TAB, readDraft, watchDrafts } from '../blocks/form/drafts.ts';
import { TabContext } from '../tabs/tab-context.ts';

/** What somebody wants to write and has not written yet. */
const edit = z.object({
  /** Null: what was typed is no value. */
  value: z.nullable(settingValue),
  /** As it was typed, where it is a number. */
  typed: z.optional(z.string()),
  /** What the device said of it when it was edited. */
  basedOn: z.nullable(settingValue),
  /** The command that took it along and did not bring it through. */
  returnedBy: z.optional(z.string()),
});
export type Edit = z.infer<typeof edit>;

/** By the name of the setting, in the order in which they were begun. */
export type Edits = Readonly<Record<string, Edit>>;

const nothing: Edits = {};
const stored = z.record(z.string(), edit);

/** What a draft holds of edits; one from before that cannot be read is none. */
export function editsOf(draft: object): Edits {
  if (Object.keys(draft).length === 0) return nothing;
  return z.safeParse(stored, draft).data ?? nothing;
}

export const withEdit = (edits: Edits, name: string, changed: Edit | undefined): Edits => {
  const { [name]: before, ...others } = edits;
  if (changed === undefined) return others;
  return before === undefined ? { ...others, [name]: changed } : { ...edits, [name]: changed };
};

export interface OwnEdits {
  readonly edits: Edits;
  readonly set: (name: string, changed: Edit | undefined) => void;
  readonly replace: (edits: Edits) => void;
  readonly drop: (names: readonly string[]) => void;
  readonly clear: () => void;
}

const PATH = '/c/v0/device/setting/write';

/** Own edits of a device's settings, kept as a draft until they are written or dropped, however the screen is left. */
export function useEdits(subjectID: string): OwnEdits {
  const tabId = use(TabContext)?.id ?? NO_TAB;
  const key = draftKey(tabId, PATH, subjectID);
  const draft = useSyncExternalStore(watchDrafts, () => textOf(key));
  return useMemo(() => {
    const now = (): Edits => editsOf(readDraft(key));
    const replace = (edits: Edits) => keepDraft(key, edits);
    return {
      edits: editsOf(JSON.parse(draft) as object),
      replace,
      set: (name, changed) => replace(withEdit(now(), name, changed)),
      drop: (names) => replace(Object.fromEntries(Object.entries(now()).filter(([name]) => !names.includes(name)))),
      clear: () => dropDraft(key),
    };
  }, [key, draft]);
}

/** The draft as one text, which stays the same while nothing changes. */
const textOf = (key: string): string => JSON.stringify(readDraft(key));
