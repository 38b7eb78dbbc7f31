import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindDeviceClaims } from './device-claims.routes.ts';

/** Serial numbers that two dataloggers claim: who sees them, and who decides. */
export function deviceClaimsFeature(api: Api, stores: { db: Kysely<Database> }): void {
  bindDeviceClaims(api, stores.db);
}
