import { deviceClaimEndpoints } from '@sonnenwarte/contract/device-claims/device-claims';
import type { Kysely } from 'kysely';
import { type Api, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { claimList, decideClaim } from './device-claims.service.ts';

export function bindDeviceClaims(api: Api, db: Kysely<Database>): void {
  serve(api, deviceClaimEndpoints.list, (input, { scope }) => claimList(db, scope, input));
  serve(api, deviceClaimEndpoints.decide, (input, context) => decideClaim(db, input, context));
}
