import { emsEndpoints } from '@sonnenwarte/contract/ems/ems';
import { featureOf } from '../feature.ts';
import type { Api } from '../http/serve.ts';
import type { Services } from '../services.ts';
import { gridLimitOf, releaseGridLimit, setGridLimit, stepList, stepZone } from './ems.service.ts';
import { GridControl } from './grid-control.ts';
import { forgetOrders, forgetSteps } from './steps.store.ts';

const KEPT_MS = 90 * 86_400_000;
const FORGET_AT = '20 3 * * *';

/** Limits at grid points: who holds them, and the portal's own controller. */
export const feature = featureOf(
  emsEndpoints,
  {
    gridLimit: gridLimitOf,
    setGridLimit,
    releaseGridLimit,
    dispatches: stepList,
    exportDispatches: { find: stepList, zoneOf: stepZone, own: {} },
  },
  start,
);

function start(services: Services, { fastify }: Api) {
  const gridControl = new GridControl(services);
  fastify.addHook('onReady', async () => gridControl.start());
  fastify.addHook('preClose', async () => gridControl.stop());
  services.jobs.every('ems.forgetSteps', FORGET_AT, async (ending) => {
    const beforeMs = services.nowMs() - KEPT_MS;
    for (const forget of [forgetSteps, forgetOrders]) {
      while (!ending.aborted && (await forget(services.db, beforeMs)));
    }
  });
  return { gridControl };
}
