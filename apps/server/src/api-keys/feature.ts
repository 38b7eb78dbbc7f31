import { apiKeyEndpoints } from '@sonnenwarte/contract/api-keys/api-keys';
import { featureOf } from '../feature.ts';
import type { Services } from '../services.ts';
import { createKey, keyList, revokeKeyOf } from './api-keys.service.ts';
import { dayOf, forgetCallsBefore } from './api-keys.store.ts';

const KEEP_CALLS_MS = 30 * 86_400_000;

/** Keys by which programs of a user call the open API, and what they have called. */
export const feature = featureOf(apiKeyEndpoints, { list: keyList, create: createKey, revoke: revokeKeyOf }, start);

function start({ db, jobs, nowMs }: Services): void {
  jobs.every('api-keys.forget', '17 2 * * *', async () => {
    await forgetCallsBefore(db, dayOf(nowMs() - KEEP_CALLS_MS));
  });
}
