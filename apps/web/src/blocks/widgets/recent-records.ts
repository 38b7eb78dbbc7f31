import * as z from 'zod/mini';
import { onSessionEnd } from '../../state/session.ts';
import { readSession, writeSession } from '../../state/storage.ts';

const MOST = 5;
const KEY = 'records';

const stored = z.record(z.string(), z.array(z.string()));

let recent: Readonly<Record<string, readonly string[]>> = z.safeParse(stored, readSession(KEY)).data ?? {};

/** Ids of the records that were chosen last of a kind, the newest first. */
export const recentRecords = (kind: string): readonly string[] => recent[kind] ?? [];

/** Notes what was chosen, as long as the browser tab lives and the session lasts. */
export function noteRecord(kind: string, id: string): void {
  recent = { ...recent, [kind]: [id, ...recentRecords(kind).filter((each) => each !== id)].slice(0, MOST) };
  writeSession(KEY, recent);
}

onSessionEnd(() => {
  recent = {};
});
