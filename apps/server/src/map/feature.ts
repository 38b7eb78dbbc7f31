import { mapEndpoints } from '@sonnenwarte/contract/map/countries';
import { type Api, serve } from '../http/serve.ts';
import { countriesIn } from './countries.ts';

export function mapFeature(api: Api): void {
  serve(api, mapEndpoints.countries, async (_, { language }) => ({ countries: [...countriesIn(language)] }));
}
