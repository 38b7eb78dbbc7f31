import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindBatteries } from './batteries.routes.ts';

/** Batteries: state of one. */
export function batteriesFeature(api: Api, stores: { db: Kysely<Database> }): void {
  bindBatteries(api, stores.db);
}
