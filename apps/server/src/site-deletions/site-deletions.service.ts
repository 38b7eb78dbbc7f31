import { UNDO_DAYS } from '@sonnenwarte/contract/deletions/deletions';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import {
  DELETION_WINDOW_MS,
  DELETIONS_UNASKED,
  type siteDeletionEndpoints,
} from '@sonnenwarte/contract/site-deletions/site-deletions';
import type { Transaction } from 'kysely';
import { type AuditEntry, recordInParts } from '../audit/audit.ts';
import { entryAbout } from '../audit/entry-about.ts';
import { recordDeletion, undoOwnDeletion } from '../deletions/deletions.service.ts';
import { CallError } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { noteBefore } from '../tenancy/images.ts';
import { tenancyChanged } from '../tenancy/moves.ts';
import {
  type ChosenSite,
  chosenSites,
  deletedLately,
  hangingOn,
  holdChosenSites,
  markDeleted,
} from './site-deletions.store.ts';

type Tx = Transaction<Database>;
type Calls = typeof siteDeletionEndpoints;

const LONGEST_NAME = 120;

/** Refuses all where one of them is not there: none is left out in silence. */
function allFound(sites: ChosenSite[], ids: readonly string[]): ChosenSite[] {
  if (sites.length !== ids.length) throw new CallError('siteNotFound');
  return sites;
}

const idsOf = (sites: readonly ChosenSite[]): string[] => sites.map(({ id }) => id);

/** What deleting plants takes with it. */
export async function previewOf(
  { db }: Uses<'db'>,
  { stationIDs }: Parsed<Calls['preview']>,
  { scope }: Scoped,
): Promise<Result<Calls['preview']>> {
  const sites = allFound(await chosenSites(db, scope, stationIDs), stationIDs);
  return {
    sites: sites
      .map(({ id, name, city }) => ({ stationID: id, name, city }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
    ...(await hangingOn(db, idsOf(sites))),
    undoDays: UNDO_DAYS,
  };
}

/** Deletes plants as they were counted. Whoever deletes more than five within ten minutes is asked before. */
export function deleteSites(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationIDs, expected, confirmed }: Parsed<Calls['remove']>,
  context: CallContext,
): Promise<Result<Calls['remove']>> {
  const now = nowMs();
  return inTransaction(db, async (tx) => {
    const lately = await deletedLately(tx, context.actor.accountId, new Date(now - DELETION_WINDOW_MS));
    const sites = allFound(await holdChosenSites(tx, context.scope, stationIDs), stationIDs);
    const ids = idsOf(sites);
    const { devices, dataloggers } = await hangingOn(tx, ids);
    if (devices !== expected.devices || dataloggers !== expected.dataloggers)
      throw new CallError('consequencesChanged');
    if (!confirmed && lately + sites.length > DELETIONS_UNASKED) throw new CallError('siteDeletedTooOften');
    return removeSites(tx, sites, context, now);
  });
}

async function removeSites(
  tx: Tx,
  sites: readonly ChosenSite[],
  context: CallContext,
  nowMs: number,
): Promise<Result<Calls['remove']>> {
  const change = await noteBefore(tx, { sites: idsOf(sites) });
  await markDeleted(tx, idsOf(sites), new Date(nowMs));
  const names = sites.map(({ name }) => name).join(', ');
  const { undoUntilMs } = await recordDeletion(
    tx,
    context,
    {
      kind: 'site',
      recordId: sites[0]?.id ?? change,
      recordName: names.length <= LONGEST_NAME ? names : `${names.slice(0, LONGEST_NAME)} …`,
      organisationPath: pathOfAll(sites),
      change,
    },
    nowMs,
  );
  await tenancyChanged(tx);
  await recordInParts(
    tx,
    context,
    sites.map(
      (site): AuditEntry => ({
        ...entryAbout('site', site),
        action: 'sites.delete',
        before: { name: site.name },
      }),
    ),
  );
  return { deletionID: change, sites: sites.length, undoUntilMs };
}

/** The organisations above all of them. */
function pathOfAll(sites: readonly ChosenSite[]): readonly string[] {
  const [first, ...others] = sites;
  const path = first?.path ?? [];
  return path.filter((id, depth) => others.every((other) => other.path[depth] === id));
}

/** Gives back what the caller has deleted. */
export async function undoSites(
  stores: Uses<'db' | 'nowMs'>,
  { deletionID }: Parsed<Calls['undo']>,
  context: CallContext,
): Promise<Result<Calls['undo']>> {
  const { summary, takenDataloggers } = await undoOwnDeletion(stores, deletionID, context);
  return { sites: summary.sites, takenDataloggers };
}
