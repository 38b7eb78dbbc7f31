import { incidentEndpoints } from '@sonnenwarte/contract/incidents/incidents';
import { alarmName } from '../exports/alarm-name.ts';
import { featureOf } from '../feature.ts';
import type { Api } from '../http/serve.ts';
import type { Services } from '../services.ts';
import {
  acknowledgeIncidents,
  assigneeChoices,
  assignIncidents,
  closeIncidents,
  commentIncident,
  muteIncidents,
  unmuteIncidents,
} from './acts.service.ts';
import { incidentDetail } from './detail.service.ts';
import { incidentList, incidentSummary } from './incidents.service.ts';
import { IncidentKeeper } from './keeper.ts';
import { reckonLosses } from './reckon-losses.ts';
import { forgetIncidents } from './watch.store.ts';
import { closeWhatIsDone, watchFleet } from './watch.ts';

/** What is wrong, once: alarms of devices and of the portal as incidents that people work on. */
export const feature = featureOf(
  incidentEndpoints,
  {
    list: incidentList,
    exportList: {
      find: incidentList,
      own: {
        code: ({ code }, { language }) => `${code} ${alarmName(code, language)}`,
        lostMoney: ({ lostMoney, currency }) => (lostMoney === null ? '' : `${lostMoney} ${currency}`),
      },
    },
    summary: incidentSummary,
    detail: incidentDetail,
    acknowledge: acknowledgeIncidents,
    close: closeIncidents,
    mute: muteIncidents,
    unmute: unmuteIncidents,
    assign: assignIncidents,
    assignees: assigneeChoices,
    note: commentIncident,
  },
  start,
);

/** So long at a time, so that other work has its turn. */
const RECKON_FOR_MS = 15_000;
const EVERY_MINUTE = '* * * * *';
/** Closed incidents are kept for two years. */
const KEPT_MS = 731 * 86_400_000;
const FORGET_AT = '50 3 * * *';
const FORGOTTEN_AT_ONCE = 1_000;

function start(services: Services, { fastify }: Api) {
  const { db, jobs, nowMs } = services;
  const incidents = new IncidentKeeper(services);
  const listensSinceMs = nowMs();
  fastify.addHook('onReady', async () => incidents.start());
  fastify.addHook('preClose', async () => incidents.stop());
  jobs.every('incidents.watch', EVERY_MINUTE, async () => {
    await watchFleet(db, nowMs(), listensSinceMs);
    await closeWhatIsDone(db, nowMs());
  });
  jobs.every('incidents.losses', EVERY_MINUTE, async (ending) => {
    const untilMs = performance.now() + RECKON_FOR_MS;
    while (!ending.aborted && performance.now() < untilMs && (await reckonLosses(services, nowMs())) > 0);
  });
  jobs.every('incidents.forget', FORGET_AT, async (ending) => {
    const before = new Date(nowMs() - KEPT_MS);
    while (!ending.aborted && (await forgetIncidents(db, before, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
  });
  return { incidents };
}
