import type { ClickHouseClient } from '@clickhouse/client';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindLive } from './live.routes.ts';
import { liveReads } from './live.store.ts';
import type { LiveBus } from './live-bus.ts';
import { type LiveClock, systemClock } from './live-clock.ts';
import { createLiveHub } from './live-hub.ts';

export interface LiveParts {
  db: Kysely<Database>;
  telemetry: ClickHouseClient;
  bus: LiveBus;
  metrics: Registry;
  logger: Pick<Logger, 'warn' | 'error'>;
  clock?: LiveClock;
}

/** The live stream. Its streams end when the HTTP server begins to close. */
export function liveFeature(api: Api, parts: LiveParts): void {
  const { db, telemetry, bus, metrics, logger, clock = systemClock(api.nowMs) } = parts;
  const hub = createLiveHub({ reads: liveReads(db, telemetry), bus, findActor: api.findActor, clock, logger });
  new Gauge({
    name: 'sonnenwarte_live_streams',
    help: 'Open live streams',
    registers: [metrics],
    collect() {
      this.set(hub.streams);
    },
  });
  api.fastify.addHook('preClose', async () => hub.close());
  bindLive(api, hub);
}
