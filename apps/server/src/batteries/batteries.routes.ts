import { batteryEndpoints } from '@sonnenwarte/contract/batteries/batteries';
import type { Kysely } from 'kysely';
import { type Api, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { batteryInfoOf } from './batteries.service.ts';

export function bindBatteries(api: Api, db: Kysely<Database>): void {
  serve(api, batteryEndpoints.batteryInfo, ({ id }, { scope }) => batteryInfoOf(db, scope, id));
}
