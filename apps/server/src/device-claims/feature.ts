import { deviceClaimEndpoints } from '@sonnenwarte/contract/device-claims/device-claims';
import { featureOf } from '../feature.ts';
import { claimList, decideClaim } from './device-claims.service.ts';

/** Serial numbers that two dataloggers claim: who sees them, and who decides. */
export const feature = featureOf(deviceClaimEndpoints, {
  list: claimList,
  decide: decideClaim,
});
