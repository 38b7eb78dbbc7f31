import { workModeEndpoints } from '@sonnenwarte/contract/work-modes/work-modes';
import { featureOf } from '../feature.ts';
import { forecastParts } from '../forecast/forecast-parts.ts';
import type { Services } from '../services.ts';
import { followedOf, startFollowing, stopFollowing } from './follow.service.ts';
import { forgetFollowed } from './follow.store.ts';
import { planDays } from './follow-round.ts';
import { PlanRecords } from './plan-records.ts';
import { addTemplate, removeTemplate, templateList } from './templates.service.ts';
import { proposalsOf, whatIfOf } from './what-if.service.ts';
import { workModeOf } from './work-modes.service.ts';
import { chargePeriodsOf, writeChargePeriods, writePlan } from './write-plan.service.ts';

/** Plans of batteries: what they do and why, what another plan would have brought, and writing one. */
export const feature = featureOf(
  workModeEndpoints,
  {
    view: workModeOf,
    whatIf: whatIfOf,
    proposals: proposalsOf,
    write: writePlan,
    templates: templateList,
    addTemplate,
    removeTemplate,
    charge: chargePeriodsOf,
    writeCharge: writeChargePeriods,
    followed: followedOf,
    follow: startFollowing,
    unfollow: stopFollowing,
  },
  start,
);

/** Steps are kept as long as forecasts are compared, and longer. */
const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;

function start(services: Services) {
  const { db, telemetry, nowMs, commands, jobs, logger } = services;
  const parts = {
    db,
    telemetry,
    nowMs,
    commands,
    logger,
    records: new PlanRecords(db, telemetry, nowMs),
    forecast: forecastParts(services),
  };
  let isPlanning = false;
  jobs.every('work-modes.follow', '*/15 * * * *', async (ending) => {
    // A round of many plants may last longer than a quarter of an hour: the next one would keep other jobs waiting.
    if (isPlanning) return;
    isPlanning = true;
    try {
      await planDays(parts, ending);
    } finally {
      isPlanning = false;
    }
  });
  jobs.every('work-modes.forgetSteps', '23 3 * * *', async (ending) => {
    while (!ending.aborted && (await forgetFollowed(db, new Date(nowMs() - KEPT_DAYS * DAY_MS))));
  });
  return parts;
}
