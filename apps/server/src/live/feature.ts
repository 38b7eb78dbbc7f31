import { liveEndpoints } from '@sonnenwarte/contract/live/live';
import { Gauge } from 'prom-client';
import { featureOf } from '../feature.ts';
import type { Api } from '../http/serve.ts';
import type { Services } from '../services.ts';
import { liveReads } from './live.store.ts';
import { createLiveHub } from './live-hub.ts';

/** The live stream. Its streams end when the HTTP server begins to close. */
export const feature = featureOf(
  liveEndpoints,
  { stream: ({ hub }, { subjects }, context, stream) => hub.open(context, subjects, stream) },
  start,
);

function start({ db, telemetry, bus, liveClock: clock, metrics, logger }: Services, { fastify, findActor }: Api) {
  const hub = createLiveHub({ reads: liveReads(db, telemetry), bus, findActor, clock, logger });
  new Gauge({
    name: 'sonnenwarte_live_streams',
    help: 'Open live streams',
    registers: [metrics],
    collect() {
      this.set(hub.streams);
    },
  });
  fastify.addHook('preClose', async () => hub.close());
  return { hub };
}
