import { randomUUID } from 'node:crypto';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { FollowObstacle, FollowStep } from '@sonnenwarte/contract/work-modes/follow';
import type { workModeEndpoints } from '@sonnenwarte/contract/work-modes/work-modes';
import { pricesOf, tariffAt } from '@sonnenwarte/energy/accounting/money';
import { localDay } from '@sonnenwarte/energy/calendar';
import { recordAudit } from '../audit/audit.ts';
import { entryAboutSite } from '../audit/entry-about.ts';
import type { CommandChannel } from '../commands/orders.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { dropFollowed, followedPlan, noteStep, putFollowed, stepsOf } from './follow.store.ts';
import { type Planning, planDay, planFrom, unsentPlans } from './follow-planning.ts';
import { ordersFor, takenOrders } from './plan-orders.ts';
import { modelOf, type SiteGround, siteGround } from './site-ground.ts';
import { takersOf } from './takers.ts';
import type { PlanParts } from './what-if.service.ts';
import { mayWrite } from './work-modes.service.ts';
import { holdPlanSites, type PlanSite, planDevices, planSites } from './work-modes.store.ts';

type Calls = typeof workModeEndpoints;
type Tx = Parameters<CommandChannel['order']>[0];

const MOST_SHOWN = 30;
/** The plan from before is still wanted when a device that is away comes back. */
const KEPT_MS = 12 * 3_600_000;

function obstacleOf(ground: SiteGround, hasBattery: boolean, nowMs: number): FollowObstacle | null {
  const { takers, plan, tariffs, site } = ground;
  if (takers.devices.length === 0) return 'noTaker';
  if (plan === null) return 'planUntold';
  if (!hasBattery) return 'noBattery';
  const price = pricesOf(tariffAt(tariffs, nowMs), nowMs, site.timeZone);
  return price.purchasePricePerKwh === null && price.isPurchaseUnknown === undefined ? 'noPrice' : null;
}

async function groundOf(parts: PlanParts, scope: Scoped['scope'], stationID: string) {
  const ground = await siteGround(parts, scope, stationID);
  const model = modelOf(ground, await parts.records.of(ground.site, 'month'));
  return { ground, model, obstacle: obstacleOf(ground, model !== null, parts.nowMs()) };
}

/** Whether the portal plans the battery of a plant, and what it did. */
export async function followedOf(
  parts: PlanParts,
  { stationID }: Parsed<Calls['followed']>,
  { scope }: Scoped,
): Promise<Result<Calls['followed']>> {
  const { db } = parts;
  const { ground, obstacle } = await groundOf(parts, scope, stationID);
  const [[site], followed, steps] = await Promise.all([
    planSites(db, scope, [stationID]),
    followedPlan(db, stationID),
    stepsOf(db, stationID, MOST_SHOWN),
  ]);
  return {
    ianaTimezone: ground.site.timeZone,
    since:
      followed === undefined
        ? null
        : { atMs: followed.started_at.getTime(), by: followed.by, tradesWithGrid: followed.trades_with_grid },
    obstacle,
    steps: steps.map(
      ({ id, at, day, reason, by, detail, state }): FollowStep => ({
        stepID: String(id),
        atMs: at.getTime(),
        day: day ?? '',
        reason,
        cause: detail.cause ?? null,
        by,
        saved: detail.saved ?? null,
        currency: detail.currency ?? '',
        generationWh: detail.generationWh ?? null,
        demandWh: detail.demandWh ?? null,
        cheapest: detail.cheapest ?? null,
        dearest: detail.dearest ?? null,
        plan: detail.plan ?? null,
        state,
      }),
    ),
    can: { write: mayWrite(scope, found(site, 'siteNotFound')) },
  };
}

async function siteToWrite(tx: Tx, scope: Scoped['scope'], stationID: string): Promise<PlanSite> {
  const [held] = await holdPlanSites(tx, scope, [stationID]);
  const site = found(held, 'siteNotFound');
  if (!mayWrite(scope, site)) throw new CallError('noPermission');
  return site;
}

/** Lets the portal plan the battery of a plant; the rest of today is planned at once. */
export async function startFollowing(
  used: Planning,
  { stationID, tradesWithGrid }: Parsed<Calls['follow']>,
  context: CallContext,
): Promise<Result<Calls['follow']>> {
  const { scope, actor } = context;
  const { ground, obstacle } = await groundOf(used, scope, stationID);
  const former = ground.plan;
  await inTransaction(used.db, async (tx) => {
    const site = await siteToWrite(tx, scope, stationID);
    if (obstacle !== null || former === null) throw new CallError('planCannotFollow');
    const at = new Date(used.nowMs());
    await putFollowed(tx, { siteId: site.id, tradesWithGrid, by: actor.accountId, at, former });
    const day = localDay(at.getTime(), ground.site.timeZone);
    await noteStep({ siteId: site.id, at, day, reason: 'started', accountId: actor.accountId }, tx);
    await recordAudit(tx, context, {
      ...(await entryAboutSite(tx, site)),
      action: 'work-modes.follow',
      after: { tradesWithGrid },
    });
  });
  await planDay(used, stationID).catch((error: unknown) =>
    used.logger.warn({ err: error, site: stationID }, 'a day could not be planned'),
  );
  return {};
}

/** The portal plans the battery of a plant no more; the plan from before is written again. */
export async function stopFollowing(
  { db, nowMs, commands }: Planning,
  { stationID }: Parsed<Calls['unfollow']>,
  context: CallContext,
): Promise<Result<Calls['unfollow']>> {
  const { scope, actor } = context;
  await inTransaction(db, async (tx) => {
    const site = await siteToWrite(tx, scope, stationID);
    const [dropped] = await dropFollowed(tx, [site.id]);
    if (dropped === undefined) return;
    const now = nowMs();
    const devices = takersOf(await planDevices(tx, scope, [site.id], now)).devices;
    const { zone } = await zoneOf(tx, site.id);
    const batchId = randomUUID();
    const given = { source: 'plan', orderedBy: actor.accountId, batchID: batchId, expiresMs: now + KEPT_MS } as const;
    const wanted = dropped.written === null ? [] : ordersFor(devices, planFrom(dropped.former), given);
    const orders = await takenOrders(tx, wanted, now);
    await noteStep(
      {
        siteId: site.id,
        at: new Date(now),
        day: localDay(now, zone),
        reason: 'stopped',
        accountId: actor.accountId,
        detail: orders.length === 0 ? {} : { plan: dropped.former },
        batchId,
      },
      tx,
    );
    await recordAudit(tx, context, { ...(await entryAboutSite(tx, site)), action: 'work-modes.unfollow', after: null });
    await commands.cancel(tx, await unsentPlans(tx, devices), context);
    if (orders.length > 0) await commands.order(tx, orders, context);
  });
  return {};
}

const zoneOf = (tx: Tx, siteId: string) =>
  tx.selectFrom('sites').select('time_zone as zone').where('id', '=', siteId).executeTakeFirstOrThrow();
