import { randomUUID } from 'node:crypto';
import type { FollowCause, FollowDetail } from '@sonnenwarte/contract/work-modes/follow';
import { LEAST_SOC, type Plan, type ToldPlan } from '@sonnenwarte/contract/work-modes/plan';
import { roundMoney, tariffAt, tariffSpans } from '@sonnenwarte/energy/accounting/money';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { type DayChoice, dayPlanSteps } from '@sonnenwarte/energy/plan/day-plan';
import { bucketPrices } from '@sonnenwarte/energy/plan/plan-money';
import { selfUseOf } from '@sonnenwarte/energy/plan/proposals';
import type { Logger } from 'pino';
import { systemScope } from '../access/scope.ts';
import type { CommandChannel } from '../commands/orders.ts';
import { inSteps } from '../in-slices.ts';
import { decimalsOf } from '../sites/currency-decimals.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { extremePrices } from './extreme-prices.ts';
import {
  type Expectation,
  followedPlan,
  holdFollowed,
  lastStepOf,
  noteFollowed,
  noteStep,
  othersAt,
  pricesKnownOf,
  stepsOf,
} from './follow.store.ts';
import { aheadOf, QUARTER_MS, WH_OF_QUARTER } from './follow-ahead.ts';
import { endFollowing } from './follow-end.ts';
import { type PlanValue, planValue } from './follow-value.ts';
import { ordersFor, takenOrders } from './plan-orders.ts';
import { batteryPlan, changesTo, valuesOf } from './plan-settings.ts';
import { modelOf, type SiteGround, siteGround } from './site-ground.ts';
import { takersOf } from './takers.ts';
import { type PlanParts, toldOf } from './what-if.service.ts';
import { holdPlanSites, type PlanDevice, planDevices } from './work-modes.store.ts';

export type Planning = PlanParts & { readonly commands: CommandChannel; readonly logger: Pick<Logger, 'warn'> };
type Tx = Parameters<CommandChannel['order']>[0];

const DAY_MS = 24 * 3_600_000;
/** A plan is looked at again so long after it was made or looked at; and as long as a day cannot be planned, or somebody writes to its devices. */
export const LOOKED_AGAIN_MS = 3_600_000;
export const TRIED_AGAIN_MS = 10 * 60_000;
/** What another plan must save against the running one to be written, in units of the currency. */
const LEAST_SAVED = 0.05;
const STEPS_LOOKED_THROUGH = 30;

/** What a plan leaves to the device is not written either. */
export const planFrom = ({ mode, minSoc, periods }: ToldPlan): Plan => ({
  mode,
  minSoc,
  backupSoc: null,
  gridCharge: null,
  peakLimitW: null,
  periods,
  pricePeriods: null,
});

/** Plans of the portal that were not sent yet. */
export async function unsentPlans(tx: Tx, devices: readonly PlanDevice[]): Promise<string[]> {
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
  /** What is expected under it; null where it is not known. */
  readonly expected: Expectation | null;
  /** The running plan of the day, where there is one: what is expected under it, and what the other one saves against it. */
  readonly running?: { readonly expected: Expectation; readonly isWorse: boolean };
}

interface Asked {
  readonly tradesWithGrid: boolean;
  /** The plan that was written for this day. */
  readonly running: Plan | null;
  /** Which prices are known. */
  readonly prices: string;
}

const energyOf = (powers: readonly number[]): number =>
  Math.round(powers.reduce((sum, watts) => sum + watts * WH_OF_QUARTER, 0));

/** The prices to plan with: of a whole day from now on where all of them are known, else of what is left of today. */
function pricesAhead({ tariffs, site }: SiteGround, startMs: number, dayEndMs: number) {
  const until = (endMs: number) => {
    const bounds = { startMs, endMs };
    return { endMs, prices: bucketPrices(tariffSpans(tariffs, bounds, site.timeZone), bounds) };
  };
  const whole = until(Math.max(dayEndMs, startMs + DAY_MS));
  return whole.prices.prices.every(({ purchasePricePerKwh }) => purchasePricePerKwh !== null) ? whole : until(dayEndMs);
}

/** Seeks the plan of what is left of the day, and of the next one as far as a day from now its prices are known; undefined where nothing is left of it. */
async function soughtPlan(used: Planning, ground: SiteGround, asked: Asked): Promise<Planned | undefined> {
  const { site, tariffs, reported } = ground;
  const now = used.nowMs();
  const zone = site.timeZone;
  const { endMs: dayEndMs } = dayBounds(localDay(now, zone), zone);
  if (dayEndMs - now < QUARTER_MS || ground.plan === null) return undefined;
  const startMs = Math.ceil(now / QUARTER_MS) * QUARTER_MS;
  const { endMs, prices } = pricesAhead(ground, startMs, dayEndMs);
  const [month, { quarters, socPercent }] = await Promise.all([
    used.records.of(site, 'month'),
    aheadOf(used, ground, { nowMs: now, untilMs: endMs }),
  ]);
  const model = modelOf(ground, month);
  const ratedW = model?.ratedAcW ?? Number.POSITIVE_INFINITY;
  const like = { ...ground.plan, minSoc: Math.max(LEAST_SOC, Math.round(ground.plan.minSoc)) };
  const own = selfUseOf(batteryPlan(like, reported, ratedW));
  const selfUse = planFrom(toldOf(own, like));
  if (model === null || quarters.length === 0 || socPercent === null)
    return { reason: 'noForecast', plan: selfUse, detail: {}, expected: null };
  const ofToday = quarters.filter(({ tsMs }) => tsMs < dayEndMs);
  const told = {
    currency: tariffAt(tariffs, now).currency,
    generationWh: energyOf(ofToday.map(({ generationW }) => generationW)),
    demandWh: energyOf(ofToday.map(({ demandW }) => demandW)),
    ...(extremePrices(
      tariffs,
      quarters.map(({ tsMs }) => tsMs),
      zone,
    ) ?? {}),
  };
  const dayGround = {
    quarters,
    timeZone: zone,
    tradesWithGrid: asked.tradesWithGrid,
    plan: own,
    model,
    opening: { socPercent, isHeld: false },
    prices,
  };
  const choice = await inSteps(dayPlanSteps(dayGround));
  if (choice === undefined) return { reason: 'noPrices', plan: selfUse, detail: told, expected: null };
  const expectedUnder = ({ socPercent: charges }: PlanValue): Expectation => ({
    fromMs: startMs,
    prices: asked.prices,
    socPercent: charges.map((percent) => Math.round(10 * percent) / 10),
    generationWh: quarters.map(({ generationW }) => Math.round(generationW * WH_OF_QUARTER)),
    demandWh: quarters.map(({ demandW }) => Math.round(demandW * WH_OF_QUARTER)),
  });
  const chosen = planValue(dayGround, choice.plan);
  const running = asked.running && planValue(dayGround, batteryPlan(asked.running, reported, ratedW));
  return {
    reason: choice.reason,
    plan: planFrom(toldOf(choice.plan, like)),
    detail: { ...told, saved: roundMoney(choice.saved.toFixed(6), decimalsOf(told.currency)) },
    expected: expectedUnder(chosen),
    ...(running && {
      running: { expected: expectedUnder(running), isWorse: running.cost - chosen.cost >= LEAST_SAVED },
    }),
  };
}

/** Whether a device has another plan than it had confirmed. */
async function isChangedElsewhere(
  tx: Tx,
  siteId: string,
  written: Plan,
  devices: readonly PlanDevice[],
): Promise<boolean> {
  const last = (await stepsOf(tx, siteId, STEPS_LOOKED_THROUGH)).find(({ state }) => state !== null);
  if (last?.state !== 'confirmed') return false;
  return devices.some(({ reported }) => reported.size > 0 && Object.keys(changesTo(written, reported)).length > 0);
}

/**
 * Plans the battery of a plant from now on, and writes that; self-use as long as prices or expectations are missing. A day that is planned is planned anew
 * only where that saves enough against the running plan. Who has set or is setting the devices otherwise is left to it.
 *
 * @param cause why it is done within a day that is planned
 */
export async function planDay(used: Planning, siteId: string, cause: FollowCause | null = null): Promise<void> {
  const { db, nowMs, commands } = used;
  const followed = await followedPlan(db, siteId);
  if (followed === undefined) return;
  const prices = await pricesKnownOf(db, siteId);
  const ground = await siteGround(used, systemScope, siteId);
  const now = nowMs();
  const day = localDay(now, ground.site.timeZone);
  const { endMs } = dayBounds(day, ground.site.timeZone);
  const running = followed.planned_day === day ? followed.written : null;
  const sought = await soughtPlan(used, ground, { tradesWithGrid: followed.trades_with_grid, running, prices });
  const lookIn = (ms: number) => new Date(Math.min(nowMs() + ms, endMs));
  await inTransaction(db, async (tx) => {
    await holdPlanSites(tx, systemScope, [siteId]);
    const held = await holdFollowed(tx, siteId);
    // Somebody else has looked, or switched it on anew, since it was read.
    if (held === undefined || held.look_at.getTime() !== followed.look_at.getTime()) return;
    const { devices } = takersOf(await planDevices(tx, systemScope, [siteId], now));
    if (held.written !== null) {
      const ids = devices.map(({ id }) => id);
      const others = await othersAt(tx, ids, Object.fromEntries(valuesOf(held.written)), held.started_at);
      if (others === 'have set' || (await isChangedElsewhere(tx, siteId, held.written, devices))) {
        return endFollowing(tx, siteId, 'changedElsewhere', { nowMs: now });
      }
      if (others === 'are setting') return void (await noteFollowed(tx, siteId, { lookAt: lookIn(TRIED_AGAIN_MS) }));
    }
    if (sought === undefined) return void (await noteFollowed(tx, siteId, { lookAt: lookIn(TRIED_AGAIN_MS) }));
    const { reason, plan, detail, expected } = sought;
    const isPlanned = expected !== null;
    if (running !== null && sought.running?.isWorse !== true) {
      const goesOn = sought.running && { expected: sought.running.expected };
      return void (await noteFollowed(tx, siteId, { ...goesOn, lookAt: lookIn(LOOKED_AGAIN_MS) }));
    }
    if (!isPlanned && (await lastStepOf(tx, siteId, day))?.reason === reason) {
      return void (await noteFollowed(tx, siteId, { lookAt: lookIn(TRIED_AGAIN_MS) }));
    }
    const batchId = randomUUID();
    const given = { source: 'plan', orderedBy: null, batchID: batchId, expiresMs: endMs } as const;
    const orders = await takenOrders(tx, ordersFor(devices, plan, given), now);
    const again = running === null || cause === null ? {} : { cause };
    await noteStep({ siteId, at: new Date(now), day, reason, detail: { ...detail, ...again, plan }, batchId }, tx);
    await noteFollowed(tx, siteId, {
      written: plan,
      expected,
      lookAt: lookIn(isPlanned ? LOOKED_AGAIN_MS : TRIED_AGAIN_MS),
      ...(isPlanned && { plannedDay: day }),
    });
    await commands.cancel(tx, await unsentPlans(tx, devices));
    if (orders.length > 0) await commands.order(tx, orders);
  });
}
