import * as z from 'zod/mini';
import { onSessionEnd, readLoginInfo, tokenOf } from './session.ts';
import { readSession, writeSession } from './storage.ts';
import { isView } from './view-storage.ts';

const KEY = 'kept';

const keptPlace = z.object({
  /** By which the account may sign in again. */
  names: z.array(z.string()),
  address: z.string(),
  tabs: z.unknown(),
  drafts: z.unknown(),
});
export type KeptPlace = z.infer<typeof keptPlace>;

const stored = (): KeptPlace | undefined => z.safeParse(keptPlace, readSession(KEY)).data;

/** A page that is loaded anew before anybody signs in knows it still. */
let keeping = tokenOf() === '' ? stored() : undefined;

onSessionEnd(() => {
  // The session's data have just been cleared; what is kept of them is this alone.
  if (keeping) writeSession(KEY, keeping);
});

/** Keeps, in this browser tab, where somebody is whose session has ended without their asking. */
export function keepPlace(): void {
  const info = readLoginInfo();
  if (!info || isView()) return;
  keeping = {
    names: [info.username, info.email].filter((name) => name !== ''),
    address: `${location.pathname}${location.search}`,
    tabs: readSession('tabs'),
    drafts: readSession('drafts'),
  };
}

/** Where an account was when its session ended; whoever signs in, it is forgotten then. */
export function keptPlaceOf(user: string): KeptPlace | undefined {
  const kept = keeping;
  keeping = undefined;
  return kept?.names.some((name) => name.toLowerCase() === user.toLowerCase()) ? kept : undefined;
}
