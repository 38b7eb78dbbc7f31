import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { plantMigrationEndpoints } from '@sonnenwarte/contract/migrations-of-accounts/plants';
import type { Transaction } from 'kysely';
import { recordInParts } from '../audit/audit.ts';
import { UNDO_MS } from '../deletions/deletions.service.ts';
import { CallError } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { noteAfter, noteBefore } from '../tenancy/images.ts';
import { dataloggersOf, moveSites } from '../tenancy/moves.ts';
import { countTransfers, type SiteToMove } from './migrations-of-accounts.store.ts';
import { type PlantMove, planPlantMove } from './plants.service.ts';
import { agentsAbove, holdPlants } from './plants.store.ts';
import { plantMoveEntries } from './transfer-entries.ts';

type Calls = typeof plantMigrationEndpoints;

const MOST_NAMED = 3;

/** Moves plants as they were shown, in one transaction. */
export const movePlants = (
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { seen, ...wanted }: Parsed<Calls['movePlants']>,
  context: CallContext,
): Promise<Result<Calls['movePlants']>> =>
  inTransaction(db, async (tx) => {
    await holdPlants(tx, wanted.stationIDs, wanted);
    const plan = await planPlantMove(tx, context.scope, wanted);
    if (plan.seen !== seen) throw new CallError('migrationSitesChanged');
    const ids = plan.sites.map(({ id }) => id);
    const change = await noteBefore(tx, { sites: ids, loggers: dataloggersOf(ids) });
    await moveSites(tx, ids, {
      ...(plan.place !== undefined && { organisationID: plan.place.id }),
      ...(plan.owner !== undefined && { ownerAccountId: plan.owner.id }),
      change,
    });
    await noteAfter(tx, change);
    await insertMigration(tx, change, plan, context, new Date(nowMs()));
    await recordInParts(tx, context, await plantMoveEntries(tx, change, plan, namesOf(plan)));
    return { migrationID: change, sites: ids.length };
  });

/** From whom plants move, and to whom, in a few words. */
function namesOf({ sites, owner, place }: PlantMove): { from: string; to: string } {
  const left = (nameOf: (site: SiteToMove) => string) => [...new Set(sites.map(nameOf))].map((name) => name || '–');
  const leaving = [
    ...(owner === undefined ? [] : left((site) => site.owner)),
    ...(place === undefined ? [] : left((site) => site.organisation)),
  ];
  const more = leaving.length > MOST_NAMED ? ' …' : '';
  return {
    from: leaving.slice(0, MOST_NAMED).join(', ') + more,
    to: [owner?.username, place?.name].filter((name) => name !== undefined).join(', '),
  };
}

async function insertMigration(
  tx: Transaction<Database>,
  id: string,
  plan: PlantMove,
  { actor }: CallContext,
  at: Date,
): Promise<void> {
  const owners = new Set(plan.sites.map((site) => site.owner_account_id));
  const [only = null] = plan.owner !== undefined && owners.size === 1 ? owners : [];
  const { from, to } = namesOf(plan);
  await tx
    .insertInto('account_migrations')
    .values({
      id,
      kind: 'plants',
      source_account_id: only,
      target_account_id: plan.owner?.id ?? null,
      source_account: from,
      target_account: to,
      parent_agents: await agentsAbove(tx, plan.sites[0]?.organisation_id ?? ''),
      sites: plan.sites.length,
      transfer_count: only === null ? 1 : (await countTransfers(tx, only)) + 1,
      operated_by: actor.accountId,
      operated_by_name: actor.username,
      transferred_at: at,
      undo_until: new Date(at.getTime() + UNDO_MS),
      undone_at: null,
    })
    .execute();
}
