import type { Parsed } from '@sonnenwarte/contract/endpoint';
import {
  type ForecastHit,
  type forecast,
  HIT_DAYS,
  type SiteForecast,
  type YieldRange,
} from '@sonnenwarte/contract/forecast/forecast';
import { dayBounds, hoursOfDay, localDay } from '@sonnenwarte/energy/calendar';
import {
  clearnessOf,
  dayRange,
  LEAST_DAYS,
  PAST_DAYS,
  restRange,
  type SkyDay,
  splitAt,
} from '@sonnenwarte/energy/forecast/own-sky';
import { weatherEnergyWh } from '@sonnenwarte/energy/forecast/weather-energy';
import { type ForecastPair, weatherRange } from '@sonnenwarte/energy/forecast/weather-range';
import type { Range } from '@sonnenwarte/energy/forecast/weighted-range';
import { type PvPlant, pvPlantOf } from '@sonnenwarte/energy/physics/plant-power';
import { type Scope, systemScope } from '../access/scope.ts';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { newestBucketEnd } from '../sites/site-comparison.store.ts';
import { type SiteFrame, siteFrame } from '../sites/sites.store.ts';
import { type KeptForecast, keepForecast, keptForecasts, noteLook } from './forecast.store.ts';
import { type ClearDays, recordedDays } from './recorded-days.ts';
import type { WeatherHour, WeatherSource } from './weather-source.ts';

export type ForecastParts = Uses<'db' | 'telemetry' | 'nowMs'> & {
  readonly clearDays: ClearDays;
  /** Null without a source of forecasts of the weather. */
  readonly weather: WeatherSource | null;
};

const DAY_MS = 86_400_000;
/** With less of the clear day's energy still to come, the day is over. */
const OVER_SHARE = 0.005;
/** Nothing was heard while the sun had so much of the clear day's energy: what came meanwhile is not known. */
const SILENT_SHARE = 0.12;

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
const sum = (values: readonly (number | null)[]): number => values.reduce<number>((all, each) => all + (each ?? 0), 0);
const rounded = (wh: number): number => Math.round(wh * 1_000) / 1_000;

/** Hours of a day that have passed at a time, the last of them as a part. */
function hoursPassed(day: string, timeZone: string, tsMs: number): number {
  const hours = hoursOfDay(day, timeZone);
  const at = hours.findIndex(({ endMs }) => tsMs < endMs);
  const hour = hours[at];
  return hour === undefined ? hours.length : at + Math.max(0, (tsMs - hour.startMs) / (hour.endMs - hour.startMs));
}

/** What is told of a span, by the weather where its forecast is there, else by the plant's own days. */
interface Told extends YieldRange {
  readonly expectedWh: number | null;
}

const told = (range: Range, addedWh: number, of: Pick<Told, 'source' | 'isLearned' | 'expectedWh'>): Told => ({
  p10Wh: rounded(addedWh + range.p10),
  p50Wh: rounded(addedWh + range.p50),
  p90Wh: rounded(addedWh + range.p90),
  ...of,
});

const OWN = { source: 'ownSky', isLearned: true, expectedWh: null } as const;

/** A plant as it is forecast: its days up to tomorrow, what was told of them, and the weather that is foretold. */
class Outlook {
  readonly #site: SiteFrame;
  readonly #plant: PvPlant;
  readonly #today: string;
  /** Those before today, the oldest first, then today and tomorrow. */
  readonly #days: readonly SkyDay[];
  readonly #kept: ReadonlyMap<string, KeptForecast>;
  readonly #weather: readonly WeatherHour[] | null;
  readonly #clearness: readonly (number | null)[];

  constructor(
    site: SiteFrame,
    plant: PvPlant,
    today: string,
    days: readonly SkyDay[],
    kept: readonly KeptForecast[],
    weather: readonly WeatherHour[] | null,
  ) {
    this.#site = site;
    this.#plant = plant;
    this.#today = today;
    this.#days = days;
    this.#kept = new Map(kept.map((row) => [row.day, row]));
    this.#weather = weather;
    this.#clearness = days.slice(0, -2).map(clearnessOf);
  }

  get daysMissing(): number {
    const known = this.#clearness.slice(-PAST_DAYS).filter((each) => each !== null).length;
    return Math.max(0, LEAST_DAYS - known);
  }

  #dayAt(place: number): SkyDay {
    return this.#days.at(place) ?? { clearWh: [], yieldWh: [] };
  }

  #pairs(): ForecastPair[] {
    return this.#clearness.flatMap((clearness, place) => {
      const kept = this.#kept.get(addDays(this.#today, place - this.#clearness.length));
      if (clearness === null || kept === undefined || kept.expected_wh === null) return [];
      return [{ expectedWh: kept.expected_wh, cameWh: sum(this.#dayAt(place).yieldWh) }];
    });
  }

  #byWeather(span: { startMs: number; endMs: number }, addedWh: number): Told | null {
    const expectedWh = this.#weather && weatherEnergyWh(this.#plant, this.#weather, span);
    if (expectedWh === null) return null;
    const { isLearned, ...range } = weatherRange(this.#pairs(), expectedWh);
    return told(range, addedWh, { source: 'weather', isLearned, expectedWh: rounded(expectedWh) });
  }

  /** Today as far as it is known until a time, and its range. */
  today(untilMs: number | null, nowMs: number): SiteForecast['today'] & { isSilent: boolean } {
    const { timeZone } = this.#site;
    const day = this.#dayAt(-2);
    const bounds = dayBounds(this.#today, timeZone);
    const countedMs = Math.min(untilMs ?? bounds.startMs, bounds.endMs);
    const split = splitAt(day, hoursPassed(this.#today, timeZone, countedMs));
    const soFarWh = sum(day.yieldWh);
    const now = splitAt(day, hoursPassed(this.#today, timeZone, nowMs));
    const clearWh = sum(day.clearWh);
    const isSilent = now.clearSoFarWh - split.clearSoFarWh > SILENT_SHARE * clearWh;
    const isOver = now.clearRestWh <= OVER_SHARE * clearWh;
    const own = restRange(this.#days.slice(0, -2), { ...split, soFarWh }, this.#clearness.at(-1) ?? null);
    const range =
      isSilent || isOver
        ? null
        : (this.#byWeather({ startMs: countedMs, endMs: bounds.endMs }, soFarWh) ?? (own && told(own, soFarWh, OWN)));
    return {
      day: this.#today,
      untilMs,
      soFarWh: untilMs === null ? null : rounded(soFarWh),
      range: range && shown(range),
      isOver,
      isSilent,
    };
  }

  tomorrow(today: SiteForecast['today']): { day: string; told: Told | null } {
    const day = addDays(this.#today, 1);
    const clearWh = sum(this.#dayAt(-1).clearWh);
    const clearToday = sum(this.#dayAt(-2).clearWh);
    const todayWh = today.range?.p50Wh ?? (today.isOver ? today.soFarWh : null);
    const before = todayWh === null || !(clearToday > 0) ? null : todayWh / clearToday;
    const own = dayRange(this.#clearness, before, clearWh);
    return {
      day,
      told: this.#byWeather(dayBounds(day, this.#site.timeZone), 0) ?? (own && told(own, 0, OWN)),
    };
  }

  /** The last days with what was told of them on the day before, or would have been by what was recorded until then. */
  hits(): ForecastHit[] {
    return Array.from({ length: HIT_DAYS }, (_, back) => this.#clearness.length - 1 - back).flatMap(
      (place): ForecastHit[] => {
        if (place < 0 || (this.#clearness[place] ?? null) === null) return [];
        const day = addDays(this.#today, place - this.#clearness.length);
        const { clearWh, yieldWh } = this.#dayAt(place);
        const kept = this.#kept.get(day);
        const cameWh = rounded(sum(yieldWh));
        if (kept !== undefined) {
          const { p10_wh: p10Wh, p50_wh: p50Wh, p90_wh: p90Wh, source } = kept;
          return [{ day, p10Wh, p50Wh, p90Wh, source, cameWh, isKept: true }];
        }
        const before = this.#clearness.slice(0, place);
        const range = dayRange(before, before.at(-1) ?? null, sum(clearWh));
        if (range === null) return [];
        const { p10Wh, p50Wh, p90Wh, source } = told(range, 0, OWN);
        return [{ day, p10Wh, p50Wh, p90Wh, source, cameWh, isKept: false }];
      },
    );
  }
}

const shown = ({ expectedWh: _, ...range }: Told): YieldRange => range;

/** What is told of a plant now; tomorrow's range is kept, so that it can be held against what comes. */
export async function tellForecast(
  { db, telemetry, nowMs, clearDays, weather }: ForecastParts,
  site: SiteFrame,
  scope: Scope,
): Promise<SiteForecast> {
  const now = nowMs();
  const today = localDay(now, site.timeZone);
  const plant = pvPlantOf(site);
  if (plant === null) {
    return {
      today: { day: today, untilMs: null, soFarWh: null, range: null, isOver: false },
      tomorrow: { day: addDays(today, 1), range: null },
      gap: 'noPlace',
      daysMissing: 0,
      hits: [],
      held: 0,
    };
  }
  const first = -(HIT_DAYS + PAST_DAYS);
  const names = Array.from({ length: 2 - first }, (_, place) => addDays(today, first + place));
  const [days, kept, untilMs, hours] = await Promise.all([
    recordedDays({ telemetry, clearDays }, site, plant, names),
    keptForecasts(db, scope, site.id, names[0] ?? today),
    newestBucketEnd(telemetry, site, dayBounds(today, site.timeZone)),
    weather?.hoursAt(plant) ?? null,
  ]);
  const outlook = new Outlook(site, plant, today, days, kept, hours);
  const { isSilent, ...ofToday } = outlook.today(untilMs, now);
  const next = outlook.tomorrow(ofToday);
  if (next.told !== null) {
    const { source, p10Wh, p50Wh, p90Wh, expectedWh } = next.told;
    const row = { day: next.day, source, p10_wh: p10Wh, p50_wh: p50Wh, p90_wh: p90Wh, expected_wh: expectedWh };
    if (!kept.some(({ day }) => day === next.day)) await keepForecast(db, site.id, row, now);
  }
  const hits = outlook.hits();
  return {
    today: ofToday,
    tomorrow: { day: next.day, range: next.told && shown(next.told) },
    gap: next.told === null ? 'fewDays' : isSilent ? 'silent' : null,
    daysMissing: next.told === null ? outlook.daysMissing : 0,
    hits,
    held: hits.filter(({ p10Wh, cameWh, p90Wh }) => p10Wh <= cameWh && cameWh <= p90Wh).length,
  };
}

/** The forecast of a plant; that somebody looked is noted. */
export async function siteForecastOf(
  parts: ForecastParts,
  { stationID }: Parsed<typeof forecast>,
  { scope }: Scoped,
): Promise<SiteForecast> {
  const site = found(await siteFrame(parts.db, scope, stationID), 'siteNotFound');
  const answer = await tellForecast(parts, site, scope);
  await noteLook(parts.db, site.id, localDay(parts.nowMs(), site.timeZone));
  return answer;
}

/** Keeps what is told of tomorrow of a plant that nobody looks at just now. */
export async function keepOf(parts: ForecastParts, siteId: string): Promise<void> {
  const site = await siteFrame(parts.db, systemScope, siteId);
  if (site) await tellForecast(parts, site, systemScope);
}
