import { deletionEndpoints } from '@sonnenwarte/contract/deletions/deletions';
import type { Kysely } from 'kysely';
import { type Api, serve } from '../http/serve.ts';
import { serveList } from '../http/serve-list.ts';
import type { Database } from '../stores/schema.ts';
import { deletionList, undoDeletion } from './deletions.service.ts';

export function bindDeletions(api: Api, db: Kysely<Database>): void {
  serveList(api, deletionEndpoints.list, (input, context) => deletionList(db, input, context, api.nowMs()));
  serve(api, deletionEndpoints.undo, ({ id }, context) => undoDeletion(db, id, context, api.nowMs()));
}
