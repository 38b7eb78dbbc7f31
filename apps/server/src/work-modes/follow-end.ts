import { localDay } from '@sonnenwarte/energy/calendar';
import type { Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { dropFollowed, noteStep } from './follow.store.ts';

/** The portal plans the battery of a plant no more, because somebody else does. Does nothing where it did not. */
export async function endFollowing(
  tx: Transaction<Database>,
  siteId: string,
  reason: 'byHand' | 'changedElsewhere',
  { nowMs, accountId = null }: { readonly nowMs: number; readonly accountId?: string | null },
): Promise<void> {
  if ((await dropFollowed(tx, [siteId])).length === 0) return;
  const { zone } = await tx
    .selectFrom('sites')
    .select('time_zone as zone')
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow();
  await noteStep({ siteId, at: new Date(nowMs), day: localDay(nowMs, zone), reason, accountId }, tx);
}
