import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { migrationEndpoints } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { sql, type Transaction } from 'kysely';
import { recordInParts } from '../audit/audit.ts';
import { UNDO_MS } from '../deletions/deletions.service.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { changedSince, imagesOf, noteAfter, noteBefore } from '../tenancy/images.ts';
import { dataloggersOf, moveSites, restore } from '../tenancy/moves.ts';
import { planTransfer } from './migrations-of-accounts.service.ts';
import {
  countTransfers,
  holdMigration,
  holdParties,
  partyById,
  setUndone,
  takeCode,
  useCode,
} from './migrations-of-accounts.store.ts';
import { transferEntries, undoEntries } from './transfer-entries.ts';

type Tx = Transaction<Database>;
type Migrations = typeof migrationEndpoints;

/** Moves all plants that were shown, in one transaction, if they and both accounts are still as they were shown. */
export const transferPlants = (
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { codeID, code }: Parsed<Migrations['transfer']>,
  context: CallContext,
): Promise<Result<Migrations['transfer']>> =>
  inTransaction(db, async (tx) => {
    const { scope, actor } = context;
    const now = new Date(nowMs());
    const shown = found(await takeCode(tx, codeID, actor.accountId, now), 'migrationCodeInvalid');
    if (shown.code !== code.toUpperCase()) throw new CallError('migrationCodeInvalid');
    const held = found(await partyById(tx, scope, shown.source_account_id), 'accountNotFound');
    await holdParties(tx, held, shown.target_account_id);
    const plan = await planTransfer(tx, scope, shown.source_account_id, shown.target_account_id);
    if (plan.seen !== shown.seen) throw new CallError('migrationSitesChanged');
    const siteIds = plan.sites.map((site) => site.id);
    const id = await noteBefore(tx, { sites: siteIds, loggers: dataloggersOf(siteIds) });
    await moveSites(tx, siteIds, {
      ...(plan.organisationID !== undefined && { organisationID: plan.organisationID }),
      ...(plan.ownerAccountId !== undefined && { ownerAccountId: plan.ownerAccountId }),
      change: id,
    });
    await noteAfter(tx, id);
    const transferCount = (await countTransfers(tx, plan.source.id)) + 1;
    await tx
      .insertInto('account_migrations')
      .values({
        id,
        source_account_id: plan.source.id,
        target_account_id: plan.target.id,
        source_account: plan.source.username,
        target_account: plan.target.username,
        parent_agents: plan.source.parent_agents,
        sites: plan.sites.length,
        transfer_count: transferCount,
        operated_by: actor.accountId,
        operated_by_name: actor.username,
        transferred_at: now,
        undo_until: new Date(now.getTime() + UNDO_MS),
        undone_at: null,
      })
      .execute();
    await useCode(tx, codeID, now);
    await recordInParts(tx, context, await transferEntries(tx, id, plan, transferCount));
    return { migrationID: id, sites: plan.sites.length, transferCount };
  });

/** Makes the rows of a transfer what they were, or refuses and says which of them changed since, and in what. */
export const undoTransfer = (
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { migrationID: migrationId }: Parsed<Migrations['undo']>,
  context: CallContext,
): Promise<Result<Migrations['undo']>> =>
  inTransaction(db, async (tx) => {
    const { scope, actor } = context;
    const now = new Date(nowMs());
    const row = found(await holdMigration(tx, scope, migrationId), 'migrationNotFound');
    if (row.undone_at !== null) throw new CallError('migrationAlreadyUndone');
    if (row.undo_until <= now) throw new CallError('migrationUndoTooLate');
    await refuseChanged(tx, migrationId);
    await restore(tx, migrationId);
    await setUndone(tx, migrationId, now, actor.username);
    await recordInParts(tx, context, await undoEntries(tx, row, await imagesOf(tx, migrationId, 'sites')));
    return { sites: row.sites };
  });

const MOST_NAMED = 20;

/** What people call the columns by which a row counts as changed. */
const columnNames: Readonly<Record<string, string>> = {
  organisation_id: 'organisation',
  owner_account_id: 'owner',
  site_id: 'plant',
  deleted_at: 'deleted',
  revoked_at: 'revoked',
  system_size_kwp: 'systemCapacity',
  feed_in_price: 'price',
  purchase_price: 'purchasePrice',
  feed_in_periods: 'feedInPeriods',
  purchase_periods: 'purchasePeriods',
  purchase_market: 'purchaseMarket',
  rated_power_w: 'ratedPowerW',
  time_zone: 'ianaTimezone',
  place_zone: 'ianaTimezone',
  installer_contact: 'installerContact',
  user_contact: 'userContact',
  commissioned_on: 'commissionedOn',
  grid_connected_on: 'gridConnectedOn',
  latitude: 'position',
  longitude: 'position',
  altitude_m: 'position',
};

const tableKinds = {
  sites: 'site',
  loggers: 'datalogger',
  accounts: 'account',
  organisations: 'organisation',
} as const;

async function refuseChanged(tx: Tx, migrationId: string): Promise<void> {
  const changed = await changedSince(tx, migrationId, MOST_NAMED);
  if (changed.length === 0) return;
  const { rows: serials } = await sql<{ id: string; sn: string }>`
    select id, sn from loggers where id = any(${changed.map(({ id }) => id)}::uuid[])`.execute(tx);
  throw new CallError('changedSince', {
    obstacles: changed.map(({ table, id, after, now }) => {
      const fields = Object.keys(after)
        .filter((column) => JSON.stringify(after[column]) !== JSON.stringify(now?.[column]))
        .map((column) => columnNames[column] ?? column);
      const name =
        table === 'loggers' ? serials.find((datalogger) => datalogger.id === id)?.sn : (now?.name ?? after.name);
      return { kind: tableKinds[table], id, name: String(name ?? ''), fields: [...new Set(fields)].sort() };
    }),
  });
}
