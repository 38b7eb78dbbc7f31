import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { bindOrganisations } from './organisations.routes.ts';

/** The tree of organisations: platform, distributors, agents, installers. */
export function organisationsFeature(api: Api, { db }: { db: Kysely<Database> }): void {
  bindOrganisations(api, db);
}
