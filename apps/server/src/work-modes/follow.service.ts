import { randomUUID } from 'node:crypto';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { FollowDetail, FollowObstacle, FollowStep } from '@sonnenwarte/contract/work-modes/follow';
import { LEAST_SOC, type Plan, type ToldPlan } from '@sonnenwarte/contract/work-modes/plan';
import type { workModeEndpoints } from '@sonnenwarte/contract/work-modes/work-modes';
import { pricesOf, roundMoney, tariffAt, tariffSpans } from '@sonnenwarte/energy/accounting/money';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { type DayChoice, dayPlanSteps } from '@sonnenwarte/energy/plan/day-plan';
import { bucketPrices } from '@sonnenwarte/energy/plan/plan-money';
import { selfUseOf } from '@sonnenwarte/energy/plan/proposals';
import type { Logger } from 'pino';
import { systemScope } from '../access/scope.ts';
import { pathOfOrganisation, recordAudit } from '../audit/audit.ts';
import type { CommandChannel } from '../commands/orders.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import { inSteps } from '../in-slices.ts';
import { decimalsOf } from '../sites/currency-decimals.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { extremePrices } from './extreme-prices.ts';
import {
  dropFollowed,
  followedPlan,
  holdFollowed,
  lastStepOf,
  noteLooked,
  notePlanned,
  noteStep,
  putFollowed,
  stepsOf,
  unplannedSites,
} from './follow.store.ts';
import { endFollowing } from './follow-end.ts';
import { ordersFor } from './plan-orders.ts';
import { batteryPlan, changesTo } from './plan-settings.ts';
import { modelOf, type SiteGround, siteGround } from './site-ground.ts';
import { takersOf } from './takers.ts';
import { expectedOf, type PlanParts, toldOf } from './what-if.service.ts';
import { mayWrite } from './work-modes.service.ts';
import { holdPlanSites, type PlanDevice, type PlanSite, planDevices, planSites } from './work-modes.store.ts';

type Calls = typeof workModeEndpoints;
type Used = PlanParts & { readonly commands: CommandChannel; readonly logger: Pick<Logger, 'warn'> };
type Tx = Parameters<CommandChannel['order']>[0];

const MOST_SHOWN = 30;
const QUARTER_MS = 900_000;
/** The plan from before is still wanted when a device that is away comes back. */
const KEPT_MS = 12 * 3_600_000;
const LOOKED_AGAIN_MS = 10 * 60_000;
const MOST_AT_ONCE = 50;

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

const entryOf = async (tx: Tx, site: PlanSite) => ({
  log: 'operation' as const,
  recordKind: 'site' as const,
  recordId: site.id,
  recordName: site.name,
  organisationPath: await pathOfOrganisation(tx, site.organisation_id),
});

/** Lets the portal plan the battery of a plant; the rest of today is planned at once. */
export async function startFollowing(
  used: Used,
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
      ...(await entryOf(tx, site)),
      action: 'work-modes.follow',
      after: { tradesWithGrid },
    });
  });
  await planDay(used, stationID).catch((error: unknown) =>
    used.logger.warn({ err: error, site: stationID }, 'a day could not be planned'),
  );
  return {};
}

/** What a plan leaves to the device is not written either. */
const planFrom = ({ mode, minSoc, periods }: ToldPlan): Plan => ({
  mode,
  minSoc,
  backupSoc: null,
  gridCharge: null,
  peakLimitW: null,
  periods,
  pricePeriods: null,
});

/** The portal plans the battery of a plant no more; the plan from before is written again. */
export async function stopFollowing(
  { db, nowMs, commands }: Used,
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
    const orders = dropped.written === null ? [] : ordersFor(devices, planFrom(dropped.former), given);
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
    await recordAudit(tx, context, { ...(await entryOf(tx, site)), action: 'work-modes.unfollow', after: null });
    await commands.cancel(tx, await unsentPlans(tx, devices), context);
    if (orders.length > 0) await commands.order(tx, orders, context);
  });
  return {};
}

const zoneOf = (tx: Tx, siteId: string) =>
  tx.selectFrom('sites').select('time_zone as zone').where('id', '=', siteId).executeTakeFirstOrThrow();

/** Plans of the portal that were not sent yet. */
async function unsentPlans(tx: Tx, devices: readonly PlanDevice[]): Promise<string[]> {
  if (devices.length === 0) return [];
  const rows = await tx
    .selectFrom('commands')
    .select('id')
    .where(
      'device_id',
      'in',
      devices.map(({ id }) => id),
    )
    .where('state', '=', 'queued')
    .where('source', '=', 'plan')
    .execute();
  return rows.map(({ id }) => id);
}

interface Planned {
  readonly reason: DayChoice['reason'] | 'noPrices' | 'noForecast';
  readonly plan: Plan;
  readonly detail: FollowDetail;
}

const energyOf = (powers: readonly number[]): number =>
  Math.round(powers.reduce((sum, watts) => sum + (watts * QUARTER_MS) / 3_600_000, 0));

/** Seeks the plan of what is left of the day; undefined where nothing is left of it. */
async function soughtPlan(used: Used, ground: SiteGround, tradesWithGrid: boolean): Promise<Planned | undefined> {
  const { site, tariffs, reported } = ground;
  const now = used.nowMs();
  const zone = site.timeZone;
  const { endMs } = dayBounds(localDay(now, zone), zone);
  if (endMs - now < QUARTER_MS || ground.plan === null) return undefined;
  const [month, expected] = await Promise.all([used.records.of(site, 'month'), expectedOf(used, ground, systemScope)]);
  const model = modelOf(ground, month);
  const like = { ...ground.plan, minSoc: Math.max(LEAST_SOC, Math.round(ground.plan.minSoc)) };
  const own = selfUseOf(batteryPlan(like, reported, model?.ratedAcW ?? Number.POSITIVE_INFINITY));
  const selfUse = planFrom(toldOf(own, like));
  const [first] = expected.quarters;
  if (model === null || first === undefined || expected.socPercent === null)
    return { reason: 'noForecast', plan: selfUse, detail: {} };
  const bounds = { startMs: first.tsMs, endMs };
  const told = {
    currency: tariffAt(tariffs, now).currency,
    generationWh: energyOf(expected.quarters.map(({ generationW }) => generationW)),
    demandWh: energyOf(expected.quarters.map(({ demandW }) => demandW)),
    ...(extremePrices(
      tariffs,
      expected.quarters.map(({ tsMs }) => tsMs),
      zone,
    ) ?? {}),
  };
  const steps = dayPlanSteps({
    quarters: expected.quarters,
    timeZone: zone,
    tradesWithGrid,
    plan: own,
    model,
    opening: { socPercent: expected.socPercent, isHeld: false },
    prices: bucketPrices(tariffSpans(tariffs, bounds, zone), bounds),
  });
  const choice = await inSteps(steps);
  if (choice === undefined) return { reason: 'noPrices', plan: selfUse, detail: told };
  return {
    reason: choice.reason,
    plan: planFrom(toldOf(choice.plan, like)),
    detail: { ...told, saved: roundMoney(choice.saved.toFixed(6), decimalsOf(told.currency)) },
  };
}

/** Whether a device has another plan than it had confirmed. */
async function isChangedElsewhere(
  tx: Tx,
  siteId: string,
  written: Plan,
  devices: readonly PlanDevice[],
): Promise<boolean> {
  const last = (await stepsOf(tx, siteId, MOST_SHOWN)).find(({ state }) => state !== null);
  if (last?.state !== 'confirmed') return false;
  return devices.some(({ reported }) => reported.size > 0 && Object.keys(changesTo(written, reported)).length > 0);
}

/** Plans what is left of the local day of a plant, and writes that; self-use as long as prices or expectations are missing. */
export async function planDay(used: Used, siteId: string): Promise<void> {
  const { db, nowMs, commands } = used;
  const followed = await followedPlan(db, siteId);
  if (followed === undefined) return;
  const ground = await siteGround(used, systemScope, siteId);
  const sought = await soughtPlan(used, ground, followed.trades_with_grid);
  const now = nowMs();
  const at = new Date(now);
  if (sought === undefined) return void (await noteLooked(db, siteId, at));
  const { reason, plan, detail } = sought;
  const day = localDay(now, ground.site.timeZone);
  const isPlanned = reason !== 'noPrices' && reason !== 'noForecast';
  await inTransaction(db, async (tx) => {
    await holdPlanSites(tx, systemScope, [siteId]);
    const held = await holdFollowed(tx, siteId);
    if (held === undefined || held.planned_day === day) return;
    const { devices } = takersOf(await planDevices(tx, systemScope, [siteId], now));
    if (held.written !== null && (await isChangedElsewhere(tx, siteId, held.written, devices))) {
      return endFollowing(tx, siteId, 'changedElsewhere', { nowMs: now });
    }
    if (!isPlanned && (await lastStepOf(tx, siteId, day))?.reason === reason) {
      return void (await noteLooked(tx, siteId, at));
    }
    const batchId = randomUUID();
    const { endMs } = dayBounds(day, ground.site.timeZone);
    const orders = ordersFor(devices, plan, { source: 'plan', orderedBy: null, batchID: batchId, expiresMs: endMs });
    await noteStep({ siteId, at, day, reason, detail: { ...detail, plan }, batchId }, tx);
    if (isPlanned) await notePlanned(tx, siteId, { day, written: plan, at });
    else {
      await tx
        .updateTable('followed_plans')
        .set({ looked_at: at, written: JSON.stringify(plan) })
        .where('site_id', '=', siteId)
        .execute();
    }
    await commands.cancel(tx, await unsentPlans(tx, devices));
    if (orders.length > 0) await commands.order(tx, orders);
  });
}

/** Plans the day of those plants whose day has begun, a few at a time. */
export async function planDays(used: Used, ending: AbortSignal): Promise<void> {
  const { db, nowMs, logger } = used;
  for (;;) {
    const now = nowMs();
    const sites = await unplannedSites(db, new Date(now), new Date(now - LOOKED_AGAIN_MS), MOST_AT_ONCE);
    if (sites.length === 0) return;
    for (const id of sites) {
      if (ending.aborted) return;
      try {
        await planDay(used, id);
      } catch (error) {
        logger.warn({ err: error, site: id }, 'a day could not be planned');
        await noteLooked(db, id, new Date(now));
      }
    }
  }
}
