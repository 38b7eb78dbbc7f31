import { searchEndpoints } from '@sonnenwarte/contract/search/search';
import { featureOf } from '../feature.ts';
import { find } from './search.service.ts';

/** The search over plants, devices, dataloggers and people. */
export const feature = featureOf(searchEndpoints, {
  find,
});
