import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { levels } from '../levels.ts';
import { placeAt, places } from './places.ts';

export const countries = endpoint({
  method: 'GET',
  path: '/c/v1/map/countries',
  feature: 'map',
  summary:
    'Countries by ISO 3166-1 alpha-2 code with their currencies by ISO 4217, named in Chinese or English by the language header.',
  callers: 'public',
  input: z.object({}),
  result: z.object({
    /** `currency` is empty where a country has none of its own (Antarctica). */
    countries: z.array(z.object({ code: z.string(), name: z.string(), currency: z.string() })),
  }),
});

export const tiles = endpoint({
  method: 'GET',
  path: '/c/v0/map/tiles',
  feature: 'map',
  summary: 'Where pictures of streets for the background of maps come from, if the operator named a source.',
  callers: levels,
  input: z.object({}),
  result: z.object({ url: z.nullable(z.string()), attribution: z.string() }),
});

export const mapEndpoints = { countries, tiles, places, placeAt };
