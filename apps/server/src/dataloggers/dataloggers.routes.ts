import { dataloggerEndpoints } from '@sonnenwarte/contract/dataloggers/dataloggers';
import type { Kysely } from 'kysely';
import { type Api, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { dataloggerList } from './dataloggers.service.ts';

export function bindDataloggers(api: Api, db: Kysely<Database>): void {
  serve(api, dataloggerEndpoints.list, (input, { scope }) => dataloggerList(db, scope, input, api.nowMs()));
}
