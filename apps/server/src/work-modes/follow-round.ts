import type { FollowCause } from '@sonnenwarte/contract/work-modes/follow';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { systemScope } from '../access/scope.ts';
import { siteFrame } from '../sites/sites.store.ts';
import { type DuePlan, duePlans, type Expectation, lookLater, noteFollowed } from './follow.store.ts';
import { causeOf, isFarOff, sunBetween } from './follow-causes.ts';
import { type Come, energiesSince } from './follow-energies.store.ts';
import { LOOKED_AGAIN_MS, type Planning, planDay, TRIED_AGAIN_MS } from './follow-planning.ts';
import { restOfSun } from './rest-of-sun.ts';

const MOST_AT_ONCE = 100;
/** What is older says nothing of what the battery holds now. */
const OLDEST_SOC_MS = 15 * 60_000;
/** How often the weather is asked whether the rest of the day is another. */
const WEATHER_MS = 3 * LOOKED_AGAIN_MS;

/** Whether the forecast gives the rest of today another sun than the plan went by. */
async function isSunOther(
  used: Planning,
  { id, zone }: DuePlan,
  expected: Expectation,
  nowMs: number,
): Promise<boolean> {
  const ageMs = nowMs - expected.fromMs;
  const isTurn = Math.floor(ageMs / WEATHER_MS) > Math.floor((ageMs - LOOKED_AGAIN_MS) / WEATHER_MS);
  if (used.forecast.weather === null || !isTurn || ageMs < WEATHER_MS) return false;
  const site = await siteFrame(used.db, systemScope, id);
  const rest = site && (await restOfSun(used.forecast, site, systemScope));
  if (!rest) return false;
  const { endMs } = dayBounds(localDay(nowMs, zone), zone);
  return isFarOff(rest.p50Wh, sunBetween(expected, nowMs, endMs));
}

/** What makes a running plan worth another look; undefined where all is as it went by. */
async function causeFor(
  used: Planning,
  plan: DuePlan,
  expected: Expectation,
  come: Come | undefined,
): Promise<FollowCause | undefined> {
  const nowMs = used.nowMs();
  const { heardAt, socPercent, prices } = plan;
  const isFresh = heardAt !== null && nowMs - heardAt.getTime() <= OLDEST_SOC_MS;
  const cause = causeOf(expected, { nowMs, prices, socPercent: isFresh ? socPercent : null, come });
  return cause ?? ((await isSunOther(used, plan, expected, nowMs)) ? 'sun' : undefined);
}

/**
 * Looks at the plans that are due: plans the day where it has begun, and again within it where prices, sun, consumption or charge are otherwise than the
 * plan went by. Plans of which all is as expected cost a row and a part of two queries.
 */
export async function planDays(used: Planning, ending: AbortSignal): Promise<void> {
  const { db, nowMs, telemetry, logger } = used;
  while (!ending.aborted) {
    const now = nowMs();
    const due = await duePlans(db, new Date(now), MOST_AT_ONCE);
    if (due.length === 0) return;
    const running = due.flatMap((plan) =>
      plan.plannedDay === localDay(now, plan.zone) && plan.expected !== null
        ? [{ ...plan, expected: plan.expected }]
        : [],
    );
    const come = await energiesSince(
      telemetry,
      running.map(({ key, expected }) => ({ key, fromMs: expected.fromMs })),
    );
    const expectedOf = new Map(running.map(({ id, expected }) => [id, expected]));
    const quiet: DuePlan[] = [];
    for (const plan of due) {
      if (ending.aborted) return;
      const expected = expectedOf.get(plan.id);
      try {
        const cause = expected && (await causeFor(used, plan, expected, come.get(plan.key)));
        if (plan.deletedAt !== null || (expected && cause === undefined)) quiet.push(plan);
        else await planDay(used, plan.id, cause);
      } catch (error) {
        logger.warn({ err: error, site: plan.id }, 'a day could not be planned');
        await noteFollowed(db, plan.id, { lookAt: new Date(now + TRIED_AGAIN_MS) });
      }
    }
    await lookLater(
      db,
      quiet.map(({ id, zone }) => ({
        id,
        atMs: Math.min(nowMs() + LOOKED_AGAIN_MS, dayBounds(localDay(nowMs(), zone), zone).endMs),
      })),
    );
  }
}
