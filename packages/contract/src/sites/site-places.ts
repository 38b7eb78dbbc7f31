import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import type { Level } from '../levels.ts';
import { toldWeek } from '../losses/told-week.ts';
import { state } from '../status.ts';
import { siteRow } from './site.ts';
import { siteAlarm, siteSilence } from './site-alarms.ts';
import { siteCondition } from './site-condition.ts';

const plantLevels = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const condition = z._default(siteCondition, { status: 0, contentType: 0, content: '' });

/** Places are told in steps of this many degrees: 1.1 m. */
export const PLACE_STEP = 1e-5;
/** The states by the digit that stands for them, the worst first. */
export const placedStates = [
  'fault',
  'alarm',
  'offline',
  'normal',
] as const satisfies readonly (typeof state.options)[number][];
/** From this loss within seven days on it is a large one, Wh. */
export const LARGE_LOSS_WH = 50_000;
/**
 * What a plant lost within its newest seven whole days, by the digit that stands for it, the greatest first: so much that somebody should
 * look at it, of which `large` is `LARGE_LOSS_WH` or more; not known; or nothing that needs attention.
 */
export const placedLosses = ['large', 'small', 'unknown', 'none'] as const;
/** By what a plant of the map is ranked and coloured. */
export const ranking = z.enum(['state', 'loss']);
export type Ranking = z.infer<typeof ranking>;
/** Characters of an id among `ids`: its 16 bytes in base64 without padding. */
export const PLACE_ID_LENGTH = 22;

/** Degrees; from `west` to `east` as one travels east, so that `west` is the greater one where they lie across the antimeridian. */
export const placeBounds = z.object({
  south: z.number().check(z.gte(-90), z.lte(90)),
  west: z.number().check(z.gte(-180), z.lte(180)),
  north: z.number().check(z.gte(-90), z.lte(90)),
  east: z.number().check(z.gte(-180), z.lte(180)),
});
export type PlaceBounds = z.infer<typeof placeBounds>;

/** Columns of texts, since thousands of plants are told at once. */
export const placeColumns = z.object({
  /** Plants that the columns tell of. */
  count: z.int(),
  ids: z.string().check(z.describe('22 characters each: the 16 bytes of the id in base64 without padding.')),
  latitudes: z.string().check(z.describe('Steps of 0.00001 degrees, separated by commas; north +.')),
  longitudes: z.string().check(z.describe('Steps of 0.00001 degrees, separated by commas; east +.')),
  states: z.string().check(z.describe('A digit each: 0 fault, 1 alarm, 2 offline, 3 normal.')),
  losses: z
    .string()
    .check(z.describe('A digit each: 0 a large loss, 1 a smaller one, 2 not known, 3 none that needs attention.')),
});
export type PlaceColumns = z.infer<typeof placeColumns>;

export const sitePlaces = z.extend(placeColumns, {
  /** Plants that the filter lets through. */
  total: z.int(),
  /** Those of them that have no position. */
  unplaced: z.int(),
  /** The least that hold all with a position, never across the antimeridian; `null` where there are none. */
  bounds: z.nullable(placeBounds),
  /** There are so many that they are told by part of the map (`mapView`): the columns are empty. */
  grouped: z.boolean(),
});
export type SitePlaces = z.infer<typeof sitePlaces>;

export const positions = endpoint({
  method: 'POST',
  path: '/c/v0/plant/positions',
  feature: 'sites',
  summary: 'Places, states and losses of the plants in scope by filter, compactly; of too many how many there are.',
  callers: plantLevels,
  reads: true,
  large: true,
  input: z.object({ condition }),
  result: sitePlaces,
});

/** The nearest that a map is looked at. */
export const MAX_MAP_ZOOM = 18;
/** Groups that one answer tells of at most. */
export const MAX_GROUPS = 2_000;
/** Plants of a part of the map that are named, the worst first. */
export const MAX_FIRST = 20;

const ranks = z.tuple([z.int(), z.int(), z.int(), z.int()]);

/** Plants that stand near to each other as a map of this zoom shows it. */
export const placeGroup = z.object({
  count: z.int(),
  /** The plant, where it is one. */
  stationID: z.nullable(z.uuid()),
  /** The middle of them. */
  latitude: z.number(),
  longitude: z.number(),
  bounds: placeBounds,
  /** How many there are of each of `placedStates`, and of each of `placedLosses`. */
  states: ranks,
  losses: ranks,
});
export type PlaceGroup = z.infer<typeof placeGroup>;

export const mapView = endpoint({
  method: 'POST',
  path: '/c/v0/plant/positions/view',
  feature: 'sites',
  summary:
    'Plants in scope by filter within a part of a map and somewhat around it: each of them, or groups by squares of the map where they are many.',
  callers: plantLevels,
  reads: true,
  large: true,
  input: z.object({
    condition,
    view: placeBounds.check(z.refine(({ south, north }) => south <= north, 'invalid')),
    /** As maps of the web count it: at 0 the world is 256 pixels wide, at each further one twice as many. */
    zoom: z.int().check(z.gte(0), z.lte(MAX_MAP_ZOOM)),
    /** The order of `first`. */
    by: z._default(ranking, 'state'),
  }),
  result: z.object({
    /** Plants within the part itself. */
    inView: z.int(),
    /** The first of these, the worst first. */
    first: z.array(z.uuid()).check(z.maxLength(MAX_FIRST)),
    /** All of them and of those around it; `null` where there are `groups` instead. */
    places: z.nullable(placeColumns),
    groups: z.array(placeGroup).check(z.maxLength(MAX_GROUPS)),
  }),
});
export type MapView = z.infer<typeof mapView.result>;

/** Plants that one answer tells of. */
export const MAX_ROWS_BY_ID = 50;

/** A plant as lists tell of it, and why it needs attention. */
export const placedSite = z.extend(siteRow, {
  /** The worst alarm that stands; `null` where none does. */
  alarm: z.nullable(siteAlarm),
  /** Why it is offline; `null` while it is not. */
  silence: z.nullable(siteSilence),
  /** Its newest seven whole days, where it lost so much within them that somebody should look at it. */
  week: z.nullable(toldWeek),
});
export type PlacedSite = z.infer<typeof placedSite>;

export const rows = endpoint({
  method: 'POST',
  path: '/c/v0/plant/rows',
  feature: 'sites',
  summary: 'Some plants by their ids with what is wrong with them; those out of scope are left out.',
  callers: plantLevels,
  reads: true,
  input: z.object({ stationIDs: z.array(z.uuid()).check(z.minLength(1), z.maxLength(MAX_ROWS_BY_ID)) }),
  result: z.object({ plants: z.array(placedSite) }),
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

export const sitePlaceEndpoints = { positions, mapView, rows, cells, countriesOfSites };
