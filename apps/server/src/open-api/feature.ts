import type { ClickHouseClient } from '@clickhouse/client';
import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindOpenApi } from './open-api.routes.ts';

/** The calls that existing clients of this API family make with an API key. */
export const openApiFeature = (api: Api, stores: { db: Kysely<Database>; telemetry: ClickHouseClient }): void =>
  bindOpenApi(api, { ...stores, nowMs: api.nowMs });
