import type { Weather } from '@sonnenwarte/energy/physics/plant-power';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { getJson } from '../outgoing/get-json.ts';
import type { OutgoingRules } from '../outgoing/outgoing-address.ts';

/** The weather of an hour; light is its mean. */
export interface WeatherHour extends Weather {
  startMs: number;
}

export interface Place {
  latitude: number;
  longitude: number;
}

const HOUR_MS = 3_600_000;
const BOUNDS = { timeoutMs: 5_000, mostBytes: 262_144 };
/** Who asks for a forecast is given one by the plant's own days rather than kept waiting. */
const WAIT_MS = 2_000;
/** Places that wait to be asked for; with more, what is asked for is old when it comes. */
const MOST_WAITING = 32;
const MOST_HOURS = 24 * 16;
const MOST_PLACES = 2_000;
const MOST_PER_HOUR = 600;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = HOUR_MS;
/** Of a position no more leaves this server than its tenth of a degree, about 11 km. */
const PLACE_DIGITS = 1;

const numbers = (least: number, most: number) =>
  z.array(z.nullable(z.number().check(z.gte(least), z.lte(most)))).check(z.maxLength(MOST_HOURS));

/** The part of Open-Meteo's answer that is asked for, with times in seconds, wind in m/s and zone UTC. */
const answered = z.object({
  hourly: z.object({
    time: z.array(z.int().check(z.gte(0), z.lte(4_102_444_800))).check(z.maxLength(MOST_HOURS)),
    shortwave_radiation: numbers(0, 1_500),
    temperature_2m: numbers(-90, 70),
    wind_speed_10m: numbers(0, 150),
  }),
});

function hoursOf(answer: unknown): WeatherHour[] {
  const { hourly } = z.parse(answered, answer);
  return hourly.time.flatMap((endS, at) => {
    const [ghiWm2, ambientC, windMs] = [
      hourly.shortwave_radiation[at] ?? null,
      hourly.temperature_2m[at] ?? null,
      hourly.wind_speed_10m[at] ?? null,
    ];
    if (ghiWm2 === null || ambientC === null || windMs === null) return [];
    // Light is told as the mean of the hour before the time.
    return [{ startMs: endS * 1_000 - HOUR_MS, ghiWm2, ambientC, windMs }];
  });
}

interface Kept {
  readonly hour: number;
  readonly hours: Promise<WeatherHour[] | null>;
}

interface SourceParts {
  readonly url: string;
  readonly rules: OutgoingRules;
  readonly nowMs: () => number;
  readonly logger: Logger;
  /** How long whoever asks waits at most, ms. */
  readonly waitMs?: number;
}

/**
 * A forecast of the weather from a service that speaks like Open-Meteo: asked once an hour for a place that is rounded, one after another, at most
 * so often in an hour; after a failure not at all for a pause that grows. Nobody waits for it for long: what comes later is there for the next.
 */
export class WeatherSource {
  readonly #parts: SourceParts;
  readonly #kept = new Map<string, Kept>();
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #asked = { hour: 0, times: 0 };
  #pauseMs = 0;
  #quietUntilMs = 0;

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  /** The hours from yesterday on, null where they cannot be had now or do not come soon. */
  async hoursAt(place: Place): Promise<WeatherHour[] | null> {
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(resolve, this.#parts.waitMs ?? WAIT_MS, null);
    try {
      return await Promise.race([this.#hoursOf(place), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #hoursOf({ latitude, longitude }: Place): Promise<WeatherHour[] | null> {
    const hour = Math.floor(this.#parts.nowMs() / HOUR_MS);
    const place = `${latitude.toFixed(PLACE_DIGITS)},${longitude.toFixed(PLACE_DIGITS)}`;
    const known = this.#kept.get(place);
    if (known?.hour === hour) return known.hours;
    const isQuiet = this.#parts.nowMs() < this.#quietUntilMs;
    if (isQuiet || this.#waiting >= MOST_WAITING || !this.#mayAsk(hour)) return Promise.resolve(null);
    this.#waiting += 1;
    const hours = this.#last.then(() => this.#ask(latitude, longitude));
    this.#last = hours;
    this.#kept.delete(place);
    this.#kept.set(place, { hour, hours });
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > MOST_PLACES && oldest !== undefined) this.#kept.delete(oldest);
    hours.then((found) => {
      this.#waiting -= 1;
      if (found === null && this.#kept.get(place)?.hours === hours) this.#kept.delete(place);
    });
    return hours;
  }

  #mayAsk(hour: number): boolean {
    if (this.#asked.hour !== hour) this.#asked = { hour, times: 0 };
    this.#asked.times += 1;
    return this.#asked.times <= MOST_PER_HOUR;
  }

  async #ask(latitude: number, longitude: number): Promise<WeatherHour[] | null> {
    const { url, rules, nowMs, logger } = this.#parts;
    // Those that waited for one that failed do not try the same.
    if (nowMs() < this.#quietUntilMs) return null;
    try {
      const hours = hoursOf(await getJson(askedUrl(url, latitude, longitude), rules, BOUNDS));
      this.#pauseMs = 0;
      return hours;
    } catch (error) {
      this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
      this.#quietUntilMs = nowMs() + this.#pauseMs;
      const reason = error instanceof z.core.$ZodError ? 'its answer has another shape' : (error as Error).message;
      logger.warn({ reason, pauseS: this.#pauseMs / 1_000 }, 'the forecast of the weather cannot be had');
      return null;
    }
  }
}

function askedUrl(base: string, latitude: number, longitude: number): URL {
  const url = new URL(base);
  const asked = {
    latitude: latitude.toFixed(PLACE_DIGITS),
    longitude: longitude.toFixed(PLACE_DIGITS),
    hourly: 'shortwave_radiation,temperature_2m,wind_speed_10m',
    wind_speed_unit: 'ms',
    timeformat: 'unixtime',
    timezone: 'UTC',
    past_days: '1',
    forecast_days: '3',
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return url;
}
