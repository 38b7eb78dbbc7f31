import {
  clearSky,
  dayOfYear,
  erbsSplit,
  extraterrestrialNormalWm2,
  type Irradiance,
} from '@sonnenwarte/energy/physics/irradiance';
import { SUNRISE_ELEVATION_DEG, sunPosition } from '@sonnenwarte/energy/physics/sun';
import type { Climate } from '../fleet.ts';
import { normalAt, uniformAt, wanderAt } from './noise.ts';

export interface WeatherPlace {
  latitude: number;
  longitude: number;
  altitudeM: number;
  climate: Climate;
  seed: number;
  /** Seed of the weather that a place shares with its neighbours; without it, it has one of its own. */
  region?: number;
}

/** Sky and air at a moment. `clearness` is the share of the clear sky's light that arrives. */
export interface Conditions {
  elevationDeg: number;
  zenithDeg: number;
  azimuthDeg: number;
  /** Hour of the day by the sun's mean course, 0-24. */
  solarHour: number;
  isDay: boolean;
  clearness: number;
  extraterrestrialWm2: number;
  irradiance: Irradiance;
  ambientC: number;
  windMs: number;
}

/** What the clouds carry from minute to minute; plain data. */
export interface CloudState {
  minute: number;
  clearness: number;
  nextClearness: number;
  passageMinutes: number;
  passageShare: number;
}

type DayType = 'clear' | 'mixed' | 'overcast';

interface ClimateData {
  /** Shares of clear and of mixed days in the height of summer and of winter. */
  summer: readonly [clear: number, mixed: number];
  winter: readonly [clear: number, mixed: number];
  meanC: number;
  seasonC: number;
  dayC: number;
  turbidity: readonly [winter: number, summer: number];
}

const CLIMATES: Record<Climate, ClimateData> = {
  temperate: { summer: [0.3, 0.52], winter: [0.14, 0.34], meanC: 12.5, seasonC: 9.5, dayC: 5, turbidity: [2.8, 4.2] },
  mediterranean: { summer: [0.72, 0.23], winter: [0.36, 0.4], meanC: 17.5, seasonC: 8, dayC: 6, turbidity: [2.9, 4] },
  monsoon: { summer: [0.05, 0.5], winter: [0.7, 0.25], meanC: 28, seasonC: 3, dayC: 5.5, turbidity: [4, 5] },
  arid: { summer: [0.7, 0.25], winter: [0.72, 0.22], meanC: 23, seasonC: 7, dayC: 8, turbidity: [2.6, 3.4] },
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const CHAIN_DAYS = 32;
const PERSISTENCE = 0.45;
const CLOUD_TAU_MIN = 60;
const FORGOTTEN_AFTER_MIN = 24 * CLOUD_TAU_MIN;
/** What clouds within 20 km have in common. */
const CLOUD_CORRELATION = 0.9;
const BRIGHTEST = 1.05;
const DARKEST = 0.03;

const STREAM = { dayType: 1, dayLevel: 2, cloud: 3, passage: 4, passageLength: 5, passageShare: 6, air: 7, wind: 8 };

/** The weather of one place: everything but the clouds' state follows from the time alone. */
export class Weather {
  readonly #place: WeatherPlace;
  readonly #climate: ClimateData;
  /** Seed of the kind of day, its brightness and its air. */
  readonly #daySeed: number;
  #chainStart = Number.NaN;
  #chain: DayType[] = [];
  state: CloudState;

  constructor(place: WeatherPlace, startMs: number, state?: CloudState) {
    this.#place = place;
    this.#climate = CLIMATES[place.climate];
    this.#daySeed = place.region ?? place.seed;
    const minute = Math.floor(startMs / MINUTE_MS);
    // Clouds of long ago say nothing of now, and each minute since then would be drawn.
    if (state !== undefined && minute - state.minute <= FORGOTTEN_AFTER_MIN) {
      this.state = { ...state };
      return;
    }
    const clearness = this.#target(startMs);
    this.state = { minute, clearness, nextClearness: clearness, passageMinutes: 0, passageShare: 1 };
  }

  /** Conditions at a time that is never before the one asked for last. */
  at(tsMs: number): Conditions {
    const { latitude, longitude, altitudeM, seed } = this.#place;
    const clearness = this.#clearnessAt(tsMs);
    const sun = sunPosition(tsMs, latitude, longitude);
    const isDay = sun.elevationDeg >= SUNRISE_ELEVATION_DEG;
    const extraterrestrialWm2 = extraterrestrialNormalWm2(dayOfYear(tsMs));
    const zenithDeg = 90 - sun.apparentElevationDeg;
    const season = this.#season(tsMs);
    const [winterTurbidity, summerTurbidity] = this.#climate.turbidity;
    let irradiance: Irradiance = { ghiWm2: 0, dniWm2: 0, dhiWm2: 0 };
    if (isDay) {
      const turbidity = winterTurbidity + ((summerTurbidity - winterTurbidity) * (1 + season)) / 2;
      const clear = clearSky(sun.apparentElevationDeg, altitudeM, turbidity, extraterrestrialWm2);
      irradiance = erbsSplit(clear.ghiWm2 * clearness, zenithDeg, extraterrestrialWm2);
    }
    const solarHour = (((tsMs / 3_600_000 + longitude / 15) % 24) + 24) % 24;
    const { meanC, seasonC, dayC } = this.#climate;
    const ambientC =
      meanC -
      altitudeM * 0.0055 +
      seasonC * season +
      dayC * (0.45 + 0.55 * Math.min(1, clearness)) * Math.cos(((solarHour - 15) * Math.PI) / 12) +
      2.4 * wanderAt(this.#daySeed, STREAM.air, tsMs / DAY_MS) +
      0.4 * wanderAt(this.#daySeed, STREAM.air, tsMs / 1_800_000 + 1e6);
    const spread = 0.5 + 0.5 * Math.tanh(wanderAt(seed, STREAM.wind, tsMs / 900_000));
    const windMs = 2.2 * Math.sqrt(-Math.log(1 - Math.min(0.98, spread)));
    return {
      elevationDeg: sun.elevationDeg,
      zenithDeg,
      azimuthDeg: sun.azimuthDeg,
      solarHour,
      isDay,
      clearness,
      extraterrestrialWm2,
      irradiance,
      ambientC,
      windMs,
    };
  }

  /** Kind of the sky on a day, numbered from 1970-01-01 in UTC shifted by the longitude. */
  dayType(day: number): DayType {
    const start = Math.floor(day / CHAIN_DAYS) * CHAIN_DAYS;
    if (start !== this.#chainStart) {
      this.#chainStart = start;
      this.#chain = [];
      for (let each = start; each < start + CHAIN_DAYS; each += 1) {
        const before = this.#chain.at(-1);
        const stays = before !== undefined && uniformAt(this.#daySeed, STREAM.dayType, each * 2) < PERSISTENCE;
        this.#chain.push(stays ? before : this.#drawDay(each));
      }
    }
    return this.#chain[day - start] ?? 'mixed';
  }

  #drawDay(day: number): DayType {
    const season = this.#season(day * DAY_MS);
    const { summer, winter } = this.#climate;
    const summerShare = (1 + season) / 2;
    const clear = winter[0] + (summer[0] - winter[0]) * summerShare;
    const mixed = winter[1] + (summer[1] - winter[1]) * summerShare;
    const draw = uniformAt(this.#daySeed, STREAM.dayType, day * 2 + 1);
    if (draw < clear) return 'clear';
    return draw < clear + mixed ? 'mixed' : 'overcast';
  }

  /** 1 in the height of summer, -1 in that of winter. */
  #season(tsMs: number): number {
    const season = Math.cos((2 * Math.PI * (dayOfYear(tsMs) - 201)) / 365.25);
    return this.#place.latitude < 0 ? -season : season;
  }

  #solarDay(tsMs: number): number {
    return Math.floor((tsMs + (this.#place.longitude / 360) * DAY_MS) / DAY_MS);
  }

  #target(tsMs: number): number {
    const day = this.#solarDay(tsMs);
    const level = uniformAt(this.#daySeed, STREAM.dayLevel, day);
    switch (this.dayType(day)) {
      case 'clear':
        return 0.93 + 0.07 * level;
      case 'mixed':
        return 0.56 + 0.26 * level;
      case 'overcast':
        return 0.14 + 0.28 * level;
    }
  }

  #clearnessAt(tsMs: number): number {
    const minute = Math.floor(tsMs / MINUTE_MS);
    while (this.state.minute < minute) this.#nextMinute();
    const { clearness, nextClearness } = this.state;
    const part = Math.max(0, tsMs / MINUTE_MS - this.state.minute);
    return Math.min(BRIGHTEST, Math.max(DARKEST, clearness + (nextClearness - clearness) * part));
  }

  /** Ornstein-Uhlenbeck around the day's mean, and on mixed days passages of single clouds. */
  #nextMinute(): void {
    const { state } = this;
    const { seed } = this.#place;
    state.minute += 1;
    const share = state.passageMinutes > 0 ? state.passageShare : 1;
    const unshaded = state.nextClearness / share;
    state.clearness = state.nextClearness;
    const tsMs = state.minute * MINUTE_MS;
    const isMixed = this.dayType(this.#solarDay(tsMs)) === 'mixed';
    const noise = isMixed ? 0.022 : 0.008;
    const drift = (this.#target(tsMs) - unshaded) / CLOUD_TAU_MIN;
    const next = unshaded + drift + noise * this.#cloudNoise(state.minute);
    state.passageMinutes = Math.max(0, state.passageMinutes - 1);
    if (state.passageMinutes === 0 && isMixed && uniformAt(seed, STREAM.passage, state.minute) < 1 / 14) {
      state.passageMinutes = 1 + Math.floor(10 * uniformAt(seed, STREAM.passageLength, state.minute));
      state.passageShare = 0.45 + 0.45 * uniformAt(seed, STREAM.passageShare, state.minute);
    }
    const bounded = Math.min(BRIGHTEST, Math.max(DARKEST, next));
    state.nextClearness = bounded * (state.passageMinutes > 0 ? state.passageShare : 1);
  }
  #cloudNoise(minute: number): number {
    const { seed, region } = this.#place;
    const own = normalAt(seed, STREAM.cloud, minute);
    if (region === undefined) return own;
    return (
      Math.sqrt(CLOUD_CORRELATION) * normalAt(region, STREAM.cloud, minute) + Math.sqrt(1 - CLOUD_CORRELATION) * own
    );
  }
}
