import type { ClickHouseClient } from '@clickhouse/client';
import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindSites } from './sites.routes.ts';

/** Plants: lists, one plant, its live flow, figures, curves, reports and devices. */
export function sitesFeature(api: Api, stores: { db: Kysely<Database>; telemetry: ClickHouseClient }): void {
  bindSites(api, { ...stores, nowMs: api.nowMs });
}
