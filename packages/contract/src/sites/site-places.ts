import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import type { Level } from '../levels.ts';
import { state } from '../status.ts';
import { siteRow } from './site.ts';
import { siteCondition } from './site-condition.ts';

const plantLevels = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const condition = z._default(siteCondition, { status: 0, contentType: 0, content: '' });

/** Plants that one answer places. */
export const MAX_PLACES = 100_000;
/** Places are told in steps of this many degrees: 1.1 m. */
export const PLACE_STEP = 1e-5;
/** The states by the digit that stands for them, the worst first. */
export const placedStates = [
  'fault',
  'alarm',
  'offline',
  'normal',
] as const satisfies readonly (typeof state.options)[number][];
/** Characters of an id among `ids`: its 16 bytes in base64 without padding. */
export const PLACE_ID_LENGTH = 22;

/** Columns of texts, since a hundred thousand plants are told at once. */
export const sitePlaces = z.object({
  /** Plants that the filter lets through. */
  total: z.int(),
  /** Those of them that have no position. */
  unplaced: z.int(),
  /** Those that are told: at most `MAX_PLACES`. */
  count: z.int(),
  ids: z.string().check(z.describe('22 characters each: the 16 bytes of the id in base64 without padding.')),
  latitudes: z.string().check(z.describe('Steps of 0.00001 degrees, separated by commas; north +.')),
  longitudes: z.string().check(z.describe('Steps of 0.00001 degrees, separated by commas; east +.')),
  states: z.string().check(z.describe('A digit each: 0 fault, 1 alarm, 2 offline, 3 normal.')),
});
export type SitePlaces = z.infer<typeof sitePlaces>;

export const positions = endpoint({
  method: 'POST',
  path: '/c/v0/plant/positions',
  feature: 'sites',
  summary: 'Places and states of the plants in scope by filter, compactly; at most 100,000.',
  callers: plantLevels,
  reads: true,
  large: true,
  input: z.object({ condition }),
  result: sitePlaces,
});

/** Plants that one answer tells of. */
export const MAX_ROWS_BY_ID = 50;

export const rows = endpoint({
  method: 'POST',
  path: '/c/v0/plant/rows',
  feature: 'sites',
  summary: 'Some plants by their ids, as the list tells of them; those out of scope are left out.',
  callers: plantLevels,
  reads: true,
  input: z.object({ stationIDs: z.array(z.uuid()).check(z.minLength(1), z.maxLength(MAX_ROWS_BY_ID)) }),
  result: z.object({ plants: z.array(siteRow) }),
});

/** Side of a cell in degrees. */
export const CELL_DEGREES = 0.5;
export const MAX_CELLS = 4_000;

export const cells = endpoint({
  method: 'GET',
  path: '/c/v0/plant/cells',
  feature: 'sites',
  summary: 'Plants in scope by cells of half a degree with their number and worst state, the fullest first.',
  callers: plantLevels,
  input: z.object({}),
  result: z.object({
    placed: z.int(),
    unplaced: z.int(),
    cells: z.array(z.object({ latitude: z.number(), longitude: z.number(), count: z.int(), state })),
  }),
});
export type PlaceCell = { latitude: number; longitude: number; count: number; state: z.infer<typeof state> };

export const countriesOfSites = endpoint({
  method: 'GET',
  path: '/c/v0/plant/countries',
  feature: 'sites',
  summary: 'Countries by ISO 3166-1 alpha-2 code in which plants in scope are.',
  callers: plantLevels,
  input: z.object({}),
  result: z.object({ countries: z.array(z.string()) }),
});

export const sitePlaceEndpoints = { positions, rows, cells, countriesOfSites };
