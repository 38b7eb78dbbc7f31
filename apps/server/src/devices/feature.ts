import type { ClickHouseClient } from '@clickhouse/client';
import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindDevices } from './devices.routes.ts';

/** Inverters and other devices: list, identity, newest values, history, earnings. */
export function devicesFeature(api: Api, stores: { db: Kysely<Database>; telemetry: ClickHouseClient }): void {
  bindDevices(api, { ...stores, nowMs: api.nowMs });
}
