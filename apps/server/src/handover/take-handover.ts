import type { Kysely, Transaction } from 'kysely';
import type { AuditEntry } from '../audit/audit.ts';
import { entryAbout } from '../audit/entry-about.ts';
import type { Database } from '../stores/schema.ts';
import { moveSites } from '../tenancy/moves.ts';
import { type HandoverRow, handoverByCode, holdHandover, noteOpened, noteUsed, stateOf } from './handover.store.ts';
import { hashOfCode } from './handover-code.ts';

type Tx = Transaction<Database>;

/** A code that can be used, as it was found. */
export type OpenHandover = HandoverRow;

/** What a code is: one that was never made, or cannot be used any more, is `unknown`. */
export type FoundHandover = OpenHandover | 'used' | 'unknown';

function judged(row: HandoverRow | undefined): FoundHandover {
  const state = row && stateOf(row);
  if (row && state === 'open') return row;
  return state === 'used' ? 'used' : 'unknown';
}

/** Looks at a code for who opens its link, and notes that somebody has. */
export async function openHandover(db: Kysely<Database>, code: string): Promise<FoundHandover> {
  const found = judged(await handoverByCode(db, hashOfCode(code)));
  if (typeof found !== 'string' && found.opened_at === null) await noteOpened(db, found.site_id);
  return found;
}

/** Finds a code to use it now; it and its plant are held until the transaction ends. */
export const findHandover = async (tx: Tx, code: string): Promise<FoundHandover> =>
  judged(await holdHandover(tx, hashOfCode(code)));

/** Makes the plant of a code that was found in this transaction an account's own; answers what is to be recorded of it. */
export async function completeHandover(
  tx: Tx,
  { site_id: siteId, name, path, giver }: OpenHandover,
  taker: { readonly id: string; readonly username: string; readonly isNew: boolean },
): Promise<AuditEntry> {
  await moveSites(tx, [siteId], { ownerAccountId: taker.id });
  await noteUsed(tx, siteId, taker.id, taker.isNew);
  return {
    ...entryAbout('site', { id: siteId, name, path }),
    action: 'handover.take',
    after: { owner: taker.username, givenBy: giver ?? '' },
    actorName: taker.username,
  };
}
