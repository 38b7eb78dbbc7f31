import { searchEndpoints } from '@sonnenwarte/contract/search/search';
import type { Kysely } from 'kysely';
import { type Api, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { find } from './search.service.ts';

export function bindSearch(api: Api, db: Kysely<Database>): void {
  serve(api, searchEndpoints.find, (input, { actor, scope }) => find(db, actor, scope, input, api.nowMs()));
}
