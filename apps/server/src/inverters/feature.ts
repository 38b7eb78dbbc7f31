import type { ClickHouseClient } from '@clickhouse/client';
import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindInverters } from './inverters.routes.ts';

/** Inverters and other devices: list, identity, newest values, history, earnings. */
export function invertersFeature(api: Api, stores: { db: Kysely<Database>; telemetry: ClickHouseClient }): void {
  bindInverters(api, { ...stores, nowMs: api.nowMs });
}
