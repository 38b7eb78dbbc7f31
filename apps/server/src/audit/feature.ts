import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindAudit } from './audit.routes.ts';

/** The audit log: who did what, when, from where, to which record. */
export function auditFeature(api: Api, db: Kysely<Database>): void {
  bindAudit(api, db);
}
