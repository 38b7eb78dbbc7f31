import { mapEndpoints } from '@sonnenwarte/contract/map/countries';
import { featureOf } from '../feature.ts';
import { countriesIn } from './countries.ts';

/** Countries by their names in the caller's language. */
export const feature = featureOf(mapEndpoints, {
  countries: async (_, __, { language }) => ({ countries: [...countriesIn(language)] }),
});
