import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindViewAs } from './view-as.routes.ts';

/** An administrator sees the portal as others do, read-only. */
export function viewAsFeature(api: Api, db: Kysely<Database>): void {
  bindViewAs(api, db);
}
