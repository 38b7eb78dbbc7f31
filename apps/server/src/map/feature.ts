import { mapEndpoints } from '@sonnenwarte/contract/map/countries';
import { featureOf } from '../feature.ts';
import { countriesIn } from './countries.ts';
import { places } from './places.ts';

/** Countries by their names in the caller's language, places by name or position, and what maps are drawn on. */
export const feature = featureOf(mapEndpoints, {
  countries: async (_, __, { language }) => ({ countries: [...countriesIn(language)] }),
  places: async (_, { search, country }) => ({ places: (await places()).search(search, country) }),
  placeAt: async (_, { latitude, longitude }) => {
    const place = (await places()).nearest(latitude, longitude) ?? null;
    const { country, ianaTimezone, currency } = place ?? { country: '', ianaTimezone: '', currency: '' };
    return { place, country, ianaTimezone, currency };
  },
  tiles: async ({ config }) => config.mapTiles ?? { url: null, attribution: '' },
});
