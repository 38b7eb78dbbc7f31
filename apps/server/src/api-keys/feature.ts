import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../stores/schema.ts';
import { bindApiKeys } from './api-keys.routes.ts';
import { dayOf, forgetCallsBefore } from './api-keys.store.ts';

const KEEP_CALLS_MS = 30 * 86_400_000;

/** Keys by which programs of a user call the open API, and what they have called. */
export function apiKeysFeature(api: Api, { db, jobs }: { db: Kysely<Database>; jobs: Jobs }): void {
  bindApiKeys(api, db);
  jobs.every('api-keys.forget', '17 2 * * *', async () => {
    await forgetCallsBefore(db, dayOf(api.nowMs() - KEEP_CALLS_MS));
  });
}
