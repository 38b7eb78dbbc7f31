import { apiKeyEndpoints } from '@sonnenwarte/contract/api-keys/api-keys';
import type { Kysely } from 'kysely';
import { type Api, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { createKey, keyList, revokeKeyOf } from './api-keys.service.ts';

export function bindApiKeys(api: Api, db: Kysely<Database>): void {
  serve(api, apiKeyEndpoints.list, (_, context) => keyList(db, api.nowMs(), context));
  serve(api, apiKeyEndpoints.create, (input, context) => createKey(db, input, context));
  serve(api, apiKeyEndpoints.revoke, (input, context) => revokeKeyOf(db, input, context));
}
