import type { dataloggerEndpoints } from '@sonnenwarte/contract/dataloggers/dataloggers';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { Transaction } from 'kysely';
import { mayEdit } from '../access/scope.ts';
import { type AuditEntry, recordAudit } from '../audit/audit.ts';
import { entryWithin } from '../audit/entry-about.ts';
import { hashToken } from '../broker/credentials.ts';
import { judgeModules, linkModules, refusedRows } from '../datalogger-keys/claims.service.ts';
import { newToken } from '../datalogger-keys/tokens.ts';
import { recordDeletion } from '../deletions/deletions.service.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { noteBefore } from '../tenancy/images.ts';
import { holdOrganisation, tenancyChanged } from '../tenancy/moves.ts';
import { sightOf } from './dataloggers.service.ts';
import {
  countDevicesBehind,
  givePassword,
  type HeldDatalogger,
  holdDatalogger,
  holdSite,
  letIn,
  organisationInScope,
  plantsToChoose,
  shutOut,
  siteInScope,
  takeOff,
} from './managed.store.ts';

type Calls = typeof dataloggerEndpoints;
type Tx = Transaction<Database>;

const entryOf = async (
  tx: Tx,
  action: AuditEntry['action'],
  { id, sn }: Pick<HeldDatalogger, 'id' | 'sn'>,
  organisationID: string | null,
): Promise<AuditEntry> => ({ ...(await entryWithin(tx, 'datalogger', { id, name: sn }, organisationID)), action });

const held = async (tx: Tx, context: CallContext, id: string): Promise<HeldDatalogger> =>
  found(await holdDatalogger(tx, sightOf(context), id), 'dataloggerNotFound');

/** Plants to which somebody can link one. */
export const plantChoices = async (
  { db }: Uses<'db'>,
  input: Parsed<Calls['plants']>,
  { scope }: CallContext,
): Promise<Result<Calls['plants']>> => ({ choices: await plantsToChoose(db, scope, input) });

/** Links one to a plant, with what it has recorded. */
export async function bindDatalogger(
  { db }: Uses<'db'>,
  { stationID, sn, key }: Parsed<Calls['bind']>,
  context: CallContext,
): Promise<Result<Calls['bind']>> {
  const { scope } = context;
  if (!mayEdit(scope, found(await siteInScope(db, scope, stationID), 'siteNotFound')))
    throw new CallError('noPermission');
  const judged = await judgeModules(db, scope, [{ sn: sn.trim(), key }]);
  const fields = refusedRows(judged).map((field) => ({ ...field, path: pathOf(field.reason) }));
  if (fields.length > 0) throw new CallError('refusedInput', { fields });
  return inTransaction(db, async (tx) => {
    const site = found(await holdSite(tx, scope, stationID), 'siteNotFound');
    if (!mayEdit(scope, site)) throw new CallError('noPermission');
    const [linked] = await linkModules(tx, judged, { id: site.id, organisationID: site.organisation_id });
    if (linked === undefined) throw new CallError('dataloggerNotFound');
    const devices = await countDevicesBehind(tx, linked.id);
    await tenancyChanged(tx);
    await recordAudit(tx, context, {
      ...(await entryOf(tx, 'dataloggers.link', linked, site.organisation_id)),
      before: { plant: null },
      after: { plant: site.name },
    });
    return { moduleID: linked.id, moduleSN: linked.sn, plantName: site.name, devices };
  });
}

const pathOf = (reason: string): string => (['keyNeeded', 'keyWrong', 'locked'].includes(reason) ? 'key' : 'sn');

/** Takes one off its plant. */
export function unbindDatalogger(
  { db }: Uses<'db'>,
  { moduleID }: Parsed<Calls['unbind']>,
  context: CallContext,
): Promise<Result<Calls['unbind']>> {
  return inTransaction(db, async (tx) => {
    const datalogger = await held(tx, context, moduleID);
    if (datalogger.site_id === null) throw new CallError('dataloggerNotLinked');
    await takeOff(tx, datalogger.id);
    await tenancyChanged(tx);
    await recordAudit(tx, context, {
      ...(await entryOf(tx, 'dataloggers.unbind', datalogger, datalogger.organisation_id)),
      before: { plant: datalogger.site_name ?? '' },
      after: { plant: null },
    });
    return {};
  });
}

/** Deletes one, so that it can be given back. */
export const deleteDatalogger = (
  stores: Uses<'db' | 'nowMs'>,
  { moduleID }: Parsed<Calls['remove']>,
  context: CallContext,
): Promise<Result<Calls['remove']>> =>
  shutOutForGood(stores, moduleID, context, 'dataloggers.delete', (datalogger) => {
    if (datalogger.quarantined) throw new CallError('dataloggerQuarantined');
  });

/** Shuts out one that nobody wants. */
export const refuseDatalogger = (
  stores: Uses<'db' | 'nowMs'>,
  { moduleID }: Parsed<Calls['refuse']>,
  context: CallContext,
): Promise<Result<Calls['refuse']>> =>
  shutOutForGood(stores, moduleID, context, 'dataloggers.refuse', (datalogger) => {
    if (!datalogger.quarantined) throw new CallError('dataloggerNotQuarantined');
  });

function shutOutForGood(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  moduleID: string,
  context: CallContext,
  action: AuditEntry['action'],
  judge: (datalogger: HeldDatalogger) => void,
): Promise<{ undoUntilMs: number }> {
  const now = nowMs();
  return inTransaction(db, async (tx) => {
    const datalogger = await held(tx, context, moduleID);
    judge(datalogger);
    const change = await noteBefore(tx, { loggers: [datalogger.id] });
    await shutOut(tx, datalogger.id, new Date(now));
    const entry = await entryOf(tx, action, datalogger, datalogger.organisation_id);
    const { undoUntilMs } = await recordDeletion(
      tx,
      context,
      {
        kind: 'datalogger',
        recordId: datalogger.id,
        recordName: datalogger.sn,
        organisationPath: entry.organisationPath,
        change,
      },
      now,
    );
    await tenancyChanged(tx);
    await recordAudit(tx, context, { ...entry, before: { plant: datalogger.site_name ?? '' } });
    return { undoUntilMs };
  });
}

/** Lets one out of quarantine. */
export function adoptDatalogger(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { moduleID, organisationID, stationID, newPassword }: Parsed<Calls['adopt']>,
  context: CallContext,
): Promise<Result<Calls['adopt']>> {
  const now = nowMs();
  return inTransaction(db, async (tx) => {
    const organisation = found(await organisationInScope(tx, context.scope, organisationID), 'organisationNotFound');
    await holdOrganisation(tx, organisation.id);
    const site =
      stationID === undefined ? undefined : found(await holdSite(tx, context.scope, stationID), 'siteNotFound');
    if (site !== undefined && site.organisation_id !== organisation.id) {
      throw new CallError('refusedInput', { fields: [{ path: 'stationID', reason: 'unknown', params: {} }] });
    }
    const datalogger = await held(tx, context, moduleID);
    if (!datalogger.quarantined) throw new CallError('dataloggerNotQuarantined');
    await letIn(tx, datalogger, organisation.id, site?.id ?? null);
    const password = newPassword ? newToken() : null;
    const until = password === null ? null : await givePassword(tx, datalogger.id, hashToken(password), now);
    await tenancyChanged(tx);
    await recordAudit(tx, context, {
      ...(await entryOf(tx, 'dataloggers.adopt', datalogger, organisation.id)),
      after: { organisation: organisation.name, ...(site && { plant: site.name }) },
    });
    return { sn: datalogger.sn, password, formerUntilMs: until?.getTime() ?? null };
  });
}

/** A new password, this once. */
export function renewPassword(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { moduleID }: Parsed<Calls['renewPassword']>,
  context: CallContext,
): Promise<Result<Calls['renewPassword']>> {
  const now = nowMs();
  return inTransaction(db, async (tx) => {
    const datalogger = await held(tx, context, moduleID);
    if (datalogger.quarantined) throw new CallError('dataloggerQuarantined');
    const password = newToken();
    const until = await givePassword(tx, datalogger.id, hashToken(password), now);
    await recordAudit(
      tx,
      context,
      await entryOf(tx, 'dataloggers.renewPassword', datalogger, datalogger.organisation_id),
    );
    return { sn: datalogger.sn, password, formerUntilMs: until?.getTime() ?? null };
  });
}
