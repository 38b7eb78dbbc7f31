import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindMigrations } from './migrations-of-accounts.routes.ts';

/** Account migration: all plants of one account move to another, and back again. */
export function migrationsFeature(api: Api, db: Kysely<Database>): void {
  bindMigrations(api, { db, nowMs: api.nowMs });
}
