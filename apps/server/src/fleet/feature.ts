import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindFleet } from './fleet.routes.ts';

/** The overview of all plants in scope. */
export function fleetFeature(api: Api, stores: { db: Kysely<Database> }): void {
  bindFleet(api, stores.db);
}
