import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindSearch } from './search.routes.ts';

/** The search over plants, devices, dataloggers and people. */
export function searchFeature(api: Api, stores: { db: Kysely<Database> }): void {
  bindSearch(api, stores.db);
}
