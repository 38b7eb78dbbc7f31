import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindDataloggers } from './dataloggers.routes.ts';

/** Dataloggers: the list. */
export function dataloggersFeature(api: Api, stores: { db: Kysely<Database> }): void {
  bindDataloggers(api, stores.db);
}
