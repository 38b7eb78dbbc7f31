import { type Kysely, sql, type Transaction } from 'kysely';
import { type AuditEntry, recordInParts } from '../audit/audit.ts';
import { entryAbout } from '../audit/entry-about.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { tenancyChanged } from '../tenancy/moves.ts';
import { release } from './device-claims.store.ts';
import { pathsOfSites } from './paths.store.ts';

interface GivenUp {
  readonly id: string;
  readonly sn: string;
  readonly holder_id: string;
  readonly holder_logger_sn: string;
  readonly claimant_id: string;
  readonly claimant_site_id: string | null;
}

/** Claims on what was burnt in, is in no run any more and in no plant; nobody puts it into one meanwhile. */
async function claimsOnBurntIn(tx: Transaction<Database>, claimantIds: readonly string[]): Promise<readonly GivenUp[]> {
  const { rows } = await sql<GivenUp>`
    select c.id, c.sn, c.holder_id, hl.sn as holder_logger_sn, c.claimant_id, cl.site_id as claimant_site_id
    from device_claims c
    join devices holder on holder.id = c.holder_id
    join loggers hl on hl.id = holder.logger_id
    join devices claimant on claimant.id = c.claimant_id
    join loggers cl on cl.id = claimant.logger_id
    where c.claimant_id = any(${claimantIds}::uuid[]) and c.state = 'open' and holder.sn = c.sn
      and holder.burn_in = 'over' and holder.site_id is null and holder.deleted_at is null
    order by holder.sn for update of holder, c`.execute(tx);
  return rows;
}

/**
 * Who names a unit that was burnt in has got it: it gets the number at once, as if somebody had released it, with a history of its own.
 * What the factory recorded stays with the device of the rack, under another number. Answers the claimants that have one.
 */
export async function giveUpBurntIn(
  db: Kysely<Database>,
  claimantIds: readonly string[],
): Promise<ReadonlySet<string>> {
  // Births of what somebody has to decide are many; they wait for nobody.
  if (!(await someBurntIn(db, claimantIds))) return new Set();
  return inTransaction(db, async (tx) => {
    const claimants = new Set<string>();
    const sns = new Set<string>();
    const entries: AuditEntry[] = [];
    for (const claim of await claimsOnBurntIn(tx, claimantIds)) {
      const { sn, holder_id: holderId, claimant_id: claimantId, holder_logger_sn: holderDataloggerSn } = claim;
      // Of two who name it at once one has it; between them somebody decides.
      if (sns.has(sn)) continue;
      sns.add(sn);
      await release(tx, { holderId, claimantId, sn, holderDataloggerSn });
      await tx
        .updateTable('device_claims')
        .set({ state: 'released', decided_at: new Date() })
        .where('id', '=', claim.id)
        .execute();
      const paths = await pathsOfSites(tx, [null, claim.claimant_site_id]);
      for (const path of paths) {
        const about = entryAbout('device', { id: holderId, name: sn, path });
        entries.push({
          ...about,
          action: 'device-claims.release',
          before: { state: 'open' },
          after: { state: 'released' },
        });
      }
      claimants.add(claimantId);
    }
    if (claimants.size > 0) await tenancyChanged(tx);
    await recordInParts(tx, {}, entries);
    return claimants;
  });
}

/** Of claims that were made while a run was open, so many are looked at in a round. */
const AT_ONCE = 500;

/** Claimants of what is in no run any more and that are online, one of each number: the one that was heard last. */
async function claimantsOnline(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ claimant_id: string }>`
    select distinct on (c.sn) c.claimant_id
    from device_claims c
    join devices holder on holder.id = c.holder_id
    join devices claimant on claimant.id = c.claimant_id
    join loggers on loggers.id = claimant.logger_id
    where c.state = 'open' and holder.sn = c.sn and holder.burn_in = 'over' and holder.site_id is null
      and holder.deleted_at is null and loggers.online
    order by c.sn, claimant.last_seen_at desc nulls last, c.claimant_id limit ${AT_ONCE}`.execute(db);
  return rows.map(({ claimant_id }) => claimant_id);
}

/** What was claimed while its run was open goes once that is over, where who claims it is there; answers how many did. */
export async function giveUpClaimed(db: Kysely<Database>): Promise<number> {
  const claimants = await claimantsOnline(db);
  return claimants.length === 0 ? 0 : (await giveUpBurntIn(db, claimants)).size;
}

const someBurntIn = async (db: Kysely<Database>, claimantIds: readonly string[]): Promise<boolean> =>
  (await db
    .selectFrom('device_claims')
    .innerJoin('devices', 'devices.id', 'device_claims.holder_id')
    .select('device_claims.id')
    .where(sql<boolean>`device_claims.claimant_id = any(${claimantIds}::uuid[])`)
    .where('device_claims.state', '=', 'open')
    .where('devices.burn_in', '=', 'over')
    .where('devices.site_id', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;
