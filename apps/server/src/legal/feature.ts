import { legalEndpoints } from '@sonnenwarte/contract/legal/legal';
import { featureOf } from '../feature.ts';

/** Who operates this installation. */
export const feature = featureOf(legalEndpoints, {
  operator: async ({ config }) => ({ name: config.operatorName, contact: config.operatorContact }),
});
