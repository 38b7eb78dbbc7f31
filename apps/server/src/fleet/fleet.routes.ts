import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import type { Kysely } from 'kysely';
import { type Api, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { fleetSummaryOf } from './fleet.service.ts';

export function bindFleet(api: Api, db: Kysely<Database>): void {
  serve(api, fleetEndpoints.summary, (_, { scope }) => fleetSummaryOf(db, scope, api.nowMs()));
}
