import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { country, line } from '../fields.ts';
import type { Level } from '../levels.ts';

const plantLevels = [1, 2, 3, 4, 255] as const satisfies readonly Level[];

export const MOST_PLACES = 10;

/** A city or town. */
export const place = z.object({
  name: z.string(),
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
  /** State, province or the like; may be empty. */
  region: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  ianaTimezone: z.string(),
  /** Of the country, ISO 4217. */
  currency: z.string(),
});
export type Place = z.infer<typeof place>;

export const places = endpoint({
  method: 'GET',
  path: '/c/v0/map/places',
  feature: 'map',
  summary: 'Cities whose name begins with a text or has it at the beginning of a word, the largest first.',
  callers: plantLevels,
  input: z.object({ search: line(64, 2), country: z.optional(country) }),
  result: z.object({ places: z.array(place) }),
});

const degrees = (most: number) => z.coerce.number().check(z.gte(-most), z.lte(most));

export const placeAt = endpoint({
  method: 'GET',
  path: '/c/v0/map/place',
  feature: 'map',
  summary: 'The nearest city of a position, with country, time zone and currency; none far from all cities.',
  callers: plantLevels,
  input: z.object({ latitude: degrees(90), longitude: degrees(180) }),
  result: z.object({
    place: z.nullable(place),
    /** Empty, as the others, where there is no place. */
    country: z.string(),
    ianaTimezone: z.string(),
    /** ISO 4217. */
    currency: z.string(),
  }),
});
