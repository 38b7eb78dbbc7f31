import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { type insightEndpoints, LONGEST_PAUSE_DAYS } from '@sonnenwarte/contract/insight/insight';
import { localDay } from '@sonnenwarte/energy/calendar';
import { mayEdit } from '../access/scope.ts';
import { recordAudit } from '../audit/audit.ts';
import { entryAboutSite } from '../audit/entry-about.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { daysBefore } from './due.store.ts';
import { dropPause, isForOwner, putPause, siteToPause } from './pauses.store.ts';

type Calls = typeof insightEndpoints;

const refusedDay = (reason: string) =>
  new CallError('refusedInput', { fields: [{ path: 'until', reason, params: {} }] });

/** Puts a plant off. Who has it shared only decides nothing for others. */
export const pausePlant = (
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationID, reason, until }: Parsed<Calls['pause']>,
  context: CallContext,
): Promise<Result<Calls['pause']>> =>
  inTransaction(db, async (tx) => {
    const { scope, actor } = context;
    const site = found(await siteToPause(tx, scope, stationID), 'siteNotFound');
    if (!mayEdit(scope, site)) throw new CallError('noPermission');
    const today = localDay(nowMs(), site.timeZone);
    if (until <= today) throw refusedDay('too_small');
    if (daysBefore(until, LONGEST_PAUSE_DAYS) > today) throw refusedDay('too_big');
    const forOwner = isForOwner(scope);
    await putPause(tx, {
      siteId: site.id,
      forOwner,
      reason,
      until,
      lossWh: site.loss_wh,
      by: actor.username,
      at: new Date(nowMs()),
    });
    await recordAudit(tx, context, {
      ...(await entryAboutSite(tx, site)),
      action: 'insight.pause',
      after: { reason, until },
    });
    return {};
  });

/** Shows a plant again. */
export const resumePlant = (
  { db }: Uses<'db'>,
  { stationID }: Parsed<Calls['resume']>,
  context: CallContext,
): Promise<Result<Calls['resume']>> =>
  inTransaction(db, async (tx) => {
    const { scope } = context;
    const site = found(await siteToPause(tx, scope, stationID), 'siteNotFound');
    if (!mayEdit(scope, site)) throw new CallError('noPermission');
    const former = await dropPause(tx, site.id, isForOwner(scope));
    if (former === undefined) return {};
    await recordAudit(tx, context, { ...(await entryAboutSite(tx, site)), action: 'insight.resume', before: former });
    return {};
  });
