import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindMembers } from './members.routes.ts';

/** Members: further accounts of an organisation, narrowed by permission groups. */
export function membersFeature(api: Api, db: Kysely<Database>): void {
  bindMembers(api, db);
}
