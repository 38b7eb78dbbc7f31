import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { plantLevels } from '../sites/sites.ts';

/** By the clear sky and the last weeks of the plant itself, or by a forecast of the weather. */
export const forecastSources = ['ownSky', 'weather'] as const;

/** What a day will likely yield, Wh: eight of ten such days end between the first and the last. */
export const yieldRange = z.object({
  source: z.enum(forecastSources),
  p10Wh: z.number(),
  p50Wh: z.number(),
  p90Wh: z.number(),
  /** Of a forecast of the weather: the range comes from its own past errors, and is not yet the wide one for all plants. */
  isLearned: z.boolean(),
});
export type YieldRange = z.infer<typeof yieldRange>;

/** Why nothing is told: no position or size, too few days, or nothing heard for hours. */
export const forecastGaps = ['noPlace', 'fewDays', 'silent'] as const;

/** A day that is over: what was told of it and what came. */
export const forecastHit = z.object({
  day: z.string(),
  p10Wh: z.number(),
  p50Wh: z.number(),
  p90Wh: z.number(),
  cameWh: z.number(),
  source: z.enum(forecastSources),
  /** Kept when it was told on the day before; else worked out afterwards, of what was recorded until then. */
  isKept: z.boolean(),
});
export type ForecastHit = z.infer<typeof forecastHit>;

/** Days that are looked back at. */
export const HIT_DAYS = 30;

export const siteForecast = z.object({
  today: z.object({
    day: z.string(),
    /** Until when today's yield is counted; `null` where nothing of today is known. */
    untilMs: z.nullable(z.int()),
    soFarWh: z.nullable(z.number()),
    /** Of the whole day; `null` where none can be told, or nothing more is to come. */
    range: z.nullable(yieldRange),
    /** The sun has given all that it will. */
    isOver: z.boolean(),
  }),
  tomorrow: z.object({ day: z.string(), range: z.nullable(yieldRange) }),
  gap: z.nullable(z.enum(forecastGaps)),
  /** Of `fewDays`: how many more days must be recorded. */
  daysMissing: z.int(),
  /** The last days of which both are known, the newest first. */
  hits: z.array(forecastHit),
  /** How many of `hits` ended within their range. */
  held: z.int(),
});
export type SiteForecast = z.infer<typeof siteForecast>;

export const forecast = endpoint({
  method: 'GET',
  path: '/c/v0/plant/forecast',
  feature: 'forecast',
  summary: 'What a plant will likely yield today and tomorrow, as ranges, and how the ranges of the last days held.',
  callers: plantLevels,
  input: z.object({ stationID: z.uuid() }),
  result: siteForecast,
  names: { stationID: 'site' },
});

export const forecastEndpoints = { forecast };
