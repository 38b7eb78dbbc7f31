import { dcForAcW, NOMINAL_EFFICIENCY, partLoadEfficiency } from '../physics/inverter.ts';
import {
  clearSky,
  cosIncidence,
  dayOfYear,
  erbsSplit,
  extraterrestrialNormalWm2,
  type Irradiance,
} from '../physics/irradiance.ts';
import { ageingFactor, faimanTemperatureC, pvWattsDcW } from '../physics/module.ts';
import { sunPosition } from '../physics/sun.ts';
import { AMBIENT_C, GAMMA_PER_K, LINKE_TURBIDITY, LOSS_FRACTION, WIND_MS } from '../physics/usual-plant.ts';
import { BUCKET_MS } from './plant-day.ts';

/** Where a plant stands; an altitude that is not known counts as 0. */
export interface Place {
  latitude: number;
  longitude: number;
  altitudeM: number;
}

export interface ModelArray {
  /** DC rating, W. */
  ratedW: number;
  tiltDeg: number;
  /** Clockwise from north. */
  azimuthDeg: number;
}

/** What is known of a plant of which its expected power follows. */
export interface PlantModel {
  place: Place;
  arrays: readonly ModelArray[];
  /** Sum of the AC ratings of its inverters, W; null = not known, then nothing is clipped. */
  ratedAcW: number | null;
  /** null = not known, then no ageing. */
  commissionedMs: number | null;
}

/** Sun and clear sky over a place, per bucket at its middle. Of use for all plants near the place. */
export interface SkyDay {
  startMs: number;
  /** Buckets of five minutes. */
  count: number;
  altitudeM: number;
  longitude: number;
  /** Apparent zenith, degrees; 90 or more = the sun is down. */
  zenithDeg: Float64Array;
  azimuthDeg: Float64Array;
  clearGhiWm2: Float64Array;
  clearDniWm2: Float64Array;
  clearDhiWm2: Float64Array;
  extraterrestrialWm2: number;
}

/**
 * What a plant could give on a day, by how much light there is. `clearness` is the share of the clear sky's global horizontal
 * irradiance that arrives: 1 = clear, about 0.2 = overcast, up to 1.25 at the edge of clouds.
 */
export interface ExpectedDay {
  model: PlantModel;
  sky: SkyDay;
  /** Size, kWp. */
  kwp: number;
  /** AC power under a clear sky, clipped at the rating, W. */
  clearW: Float64Array;
  /** DC power by array, clearness and bucket; see `powerAtClearness`. */
  tables: readonly Float64Array[];
}

/** Share of the clear sky's light for which the tables of an `ExpectedDay` hold the power. */
const CLEARNESS_STEPS = [0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 1, 1.25] as const;
const CLEAR_STEP = CLEARNESS_STEPS.indexOf(1);

const YEAR_MS = 365.25 * 86_400_000;
const ALBEDO = 0.2;
/** How fast a sky is no longer a clear one as it darkens: at four fifths of its light two fifths are left of that. */
const CLEAR_POWER = 4;
/** Below this share of its rating an array's power says nothing of the light. */
const LEAST_SHARE = 0.02;

/**
 * Sun and clear sky of a day over a place: Ineichen & Perez 2002 with a turbidity, extraterrestrial irradiance after Spencer 1971.
 *
 * @param startMs start of the first bucket.
 * @param count buckets of five minutes.
 */
export function skyDay(place: Place, startMs: number, count: number, turbidity = LINKE_TURBIDITY): SkyDay {
  const series = () => new Float64Array(count);
  const extraterrestrialWm2 = extraterrestrialNormalWm2(dayOfYear(startMs + (count * BUCKET_MS) / 2));
  const sky: SkyDay = {
    startMs,
    count,
    altitudeM: place.altitudeM,
    longitude: place.longitude,
    zenithDeg: series(),
    azimuthDeg: series(),
    clearGhiWm2: series(),
    clearDniWm2: series(),
    clearDhiWm2: series(),
    extraterrestrialWm2,
  };
  for (let at = 0; at < count; at += 1) {
    const sun = sunPosition(startMs + (at + 0.5) * BUCKET_MS, place.latitude, place.longitude);
    const zenithDeg = 90 - sun.apparentElevationDeg;
    sky.zenithDeg[at] = zenithDeg;
    sky.azimuthDeg[at] = sun.azimuthDeg;
    if (zenithDeg >= 90) continue;
    const clear = clearSky(sun.apparentElevationDeg, place.altitudeM, turbidity, extraterrestrialWm2);
    sky.clearGhiWm2[at] = clear.ghiWm2;
    sky.clearDniWm2[at] = clear.dniWm2;
    sky.clearDhiWm2[at] = clear.dhiWm2;
  }
  return sky;
}

/** Skies by place, rounded to a tenth of a degree and a hundred metres: plants of one town share one. The oldest are forgotten. */
export class SkyCache {
  readonly #skies = new Map<string, SkyDay>();
  readonly #size: number;

  constructor(size = 512) {
    this.#size = size;
  }

  of(place: Place, startMs: number, count: number): SkyDay {
    const latitude = Math.round(place.latitude * 10) / 10;
    const longitude = Math.round(place.longitude * 10) / 10;
    const altitudeM = Math.round(place.altitudeM / 100) * 100;
    const key = `${latitude} ${longitude} ${altitudeM} ${startMs} ${count}`;
    const known = this.#skies.get(key);
    if (known !== undefined) return known;
    const made = skyDay({ latitude, longitude, altitudeM }, startMs, count);
    const [oldest] = this.#skies.keys();
    if (oldest !== undefined && this.#skies.size >= this.#size) this.#skies.delete(oldest);
    this.#skies.set(key, made);
    return made;
  }
}

/**
 * What a plant could give on a day by how much light there is. Plane irradiance after Hay & Davies 1980, of the clear sky's own direct and
 * diffuse light, the darker it is the more of a division after Erbs et al. 1982. Modules: Faiman 2008 and PVWatts v5
 * with 10 % loss and 0.5 % ageing a year. null where the plant has no array of any size.
 */
export function expectedDay(model: PlantModel, sky: SkyDay): ExpectedDay | null {
  const kwp = model.arrays.reduce((sum, { ratedW }) => sum + ratedW / 1000, 0);
  if (!(kwp > 0)) return null;
  const lossFraction = lossOf(model, sky);
  const tables = model.arrays.map((array) => powerTable(array, sky, lossFraction));
  const expected: ExpectedDay = { model, sky, kwp, clearW: new Float64Array(sky.count), tables };
  for (let at = 0; at < sky.count; at += 1) {
    const acW = acOfDcW(model, kwp, dcAtStepW(expected, at, CLEAR_STEP));
    expected.clearW[at] = model.ratedAcW === null ? acW : Math.min(acW, model.ratedAcW);
  }
  return expected;
}

/** Power of one array, W DC, by clearness step and bucket. */
function powerTable({ ratedW, tiltDeg, azimuthDeg }: ModelArray, sky: SkyDay, lossFraction: number): Float64Array {
  const { count, extraterrestrialWm2 } = sky;
  const table = new Float64Array(CLEARNESS_STEPS.length * count);
  const plane = { tiltDeg, azimuthDeg };
  const cosTilt = Math.cos((tiltDeg * Math.PI) / 180);
  const rating = { ratedW, gammaPerK: GAMMA_PER_K, lossFraction };
  for (let at = 0; at < count; at += 1) {
    const zenithDeg = sky.zenithDeg[at] as number;
    if (zenithDeg >= 90) continue;
    const ghiWm2 = sky.clearGhiWm2[at] as number;
    const cosZenith = Math.cos((zenithDeg * Math.PI) / 180);
    const cosSun = Math.max(0, cosIncidence(zenithDeg, sky.azimuthDeg[at] as number, plane));
    const inPlane = (ghi: number, dni: number, dhi: number): number => {
      const anisotropy = dni / extraterrestrialWm2;
      const ratio = cosSun / Math.max(cosZenith, 0.01745);
      const skyWm2 = dhi * (anisotropy * ratio + ((1 - anisotropy) * (1 + cosTilt)) / 2);
      return dni * cosSun + Math.max(0, skyWm2) + ghi * ALBEDO * ((1 - cosTilt) / 2);
    };
    const clear = { ghiWm2, dniWm2: sky.clearDniWm2[at] as number, dhiWm2: sky.clearDhiWm2[at] as number };
    for (let step = 1; step < CLEARNESS_STEPS.length; step += 1) {
      const { dniWm2, dhiWm2 } = splitLight(clear, CLEARNESS_STEPS[step] as number, zenithDeg, extraterrestrialWm2);
      const planeWm2 = inPlane(ghiWm2 * (CLEARNESS_STEPS[step] as number), dniWm2, dhiWm2);
      table[step * count + at] = pvWattsDcW(rating, planeWm2, faimanTemperatureC(planeWm2, AMBIENT_C, WIND_MS));
    }
  }
  return table;
}

/**
 * Direct and diffuse light at a clearness: after Erbs et al. 1982, who have skies of any kind in the mean, and the nearer to clear the more
 * as the clear sky has it, which is more direct than that mean. A dull sky has nothing of it: what a plane has of it does not depend on where the sun is.
 */
function splitLight(clear: Irradiance, clearness: number, zenithDeg: number, extraterrestrialWm2: number): Irradiance {
  const light = erbsSplit(clear.ghiWm2 * clearness, zenithDeg, extraterrestrialWm2);
  const ofMean = erbsSplit(clear.ghiWm2, zenithDeg, extraterrestrialWm2);
  const weight = Math.min(1, clearness) ** CLEAR_POWER;
  const dhiWm2 = light.dhiWm2 + weight * clearness * (clear.dhiWm2 - ofMean.dhiWm2);
  const dniWm2 = light.dniWm2 + weight * clearness * (clear.dniWm2 - ofMean.dniWm2);
  return { ghiWm2: light.ghiWm2, dniWm2: Math.max(0, dniWm2), dhiWm2: Math.max(0, dhiWm2) };
}

function dcAtStepW({ tables, sky }: ExpectedDay, at: number, step: number): number {
  let dcW = 0;
  for (const table of tables) dcW += table[step * sky.count + at] as number;
  return dcW;
}

function ratedDcW({ ratedAcW }: PlantModel, kwp: number): number {
  return (ratedAcW ?? kwp * 1000) / NOMINAL_EFFICIENCY;
}

/** AC power of a DC power without the inverters' limit: beyond it, of inverters that would be large enough. */
function acOfDcW(model: PlantModel, kwp: number, dcW: number): number {
  return dcW * partLoadEfficiency(Math.min(1, dcW / ratedDcW(model, kwp)));
}

/**
 * Power of one array at a clearness, W DC.
 *
 * @param at bucket.
 */
export function arrayPowerW(expected: ExpectedDay, array: number, at: number, clearness: number): number {
  const table = expected.tables[array];
  if (table === undefined || Number.isNaN(clearness)) return Number.NaN;
  const step = stepBelow(clearness);
  const low = table[step * expected.sky.count + at] as number;
  const high = table[(step + 1) * expected.sky.count + at] as number;
  return Math.max(0, low + (high - low) * partOfStep(clearness, step));
}

/** AC power of a plant at a clearness of each bucket, W; NaN where the clearness is. */
export interface ExpectedPower {
  /** What the inverters can give: clipped at their rating. */
  expectedW: Float64Array;
  /** What the arrays could give at the AC bus if the inverters were large enough. */
  potentialW: Float64Array;
}

export interface PowerOptions {
  /** What this plant usually gives of what the model says (its profile's `level`). */
  level?: number;
  /** Measured module temperature per bucket, degC; NaN or null = by the model's air. */
  moduleC?: Float64Array | null;
}

/**
 * AC power of a plant by the light of each bucket.
 *
 * @param clearness per bucket, 0 to about 1.25; by night it does not matter.
 */
export function powerAtClearness(
  expected: ExpectedDay,
  clearness: Float64Array,
  { level = 1, moduleC = null }: PowerOptions = {},
): ExpectedPower {
  const { model, kwp, sky } = expected;
  const potentialW = new Float64Array(sky.count);
  const expectedW = new Float64Array(sky.count);
  for (let at = 0; at < sky.count; at += 1) {
    if ((sky.zenithDeg[at] as number) >= 90) continue;
    let dcW = 0;
    for (let array = 0; array < expected.tables.length; array += 1) {
      dcW += arrayPowerW(expected, array, at, clearness[at] as number);
    }
    const measuredC = moduleC?.[at] ?? Number.NaN;
    if (!Number.isNaN(measuredC)) dcW *= warmthFactor(expected, dcW, measuredC);
    const acW = acOfDcW(model, kwp, dcW * level);
    potentialW[at] = acW;
    expectedW[at] = model.ratedAcW === null ? acW : Math.min(acW, model.ratedAcW);
  }
  return { expectedW, potentialW };
}

/** By how much a measured module temperature moves the power against the one that the model took. */
function warmthFactor({ kwp }: ExpectedDay, dcW: number, measuredC: number): number {
  const planeWm2 = (1000 * dcW) / (kwp * 1000 * (1 - LOSS_FRACTION));
  const modelC = faimanTemperatureC(planeWm2, AMBIENT_C, WIND_MS);
  return Math.max(0, 1 + GAMMA_PER_K * (measuredC - 25)) / (1 + GAMMA_PER_K * (modelC - 25));
}

/**
 * The light that explains what a plant gave: the clearness at which it would give that AC power. NaN where nothing is known, where the
 * sun is too low to tell, or where the inverters are at their limit.
 *
 * @param level how much this plant usually gives of what the model says (its profile's `level`).
 */
export function clearnessOf(expected: ExpectedDay, acW: Float64Array, level = 1): Float64Array {
  const { model, kwp, sky } = expected;
  const clearness = new Float64Array(sky.count).fill(Number.NaN);
  const leastW = LEAST_SHARE * kwp * 1000;
  const limitW = (model.ratedAcW ?? Number.POSITIVE_INFINITY) * 0.985;
  const ratedW = ratedDcW(model, kwp) * NOMINAL_EFFICIENCY;
  for (let at = 0; at < sky.count; at += 1) {
    const powerW = acW[at] as number;
    if (!(dcAtStepW(expected, at, CLEAR_STEP) > leastW) || !(powerW < limitW)) continue;
    clearness[at] = inverse(expected, at, dcForAcW(Math.max(0, powerW / level), ratedW));
  }
  return clearness;
}

function inverse(expected: ExpectedDay, at: number, dcW: number): number {
  let belowW = 0;
  for (let step = 1; step < CLEARNESS_STEPS.length; step += 1) {
    const aboveW = dcAtStepW(expected, at, step);
    const from = CLEARNESS_STEPS[step - 1] as number;
    const to = CLEARNESS_STEPS[step] as number;
    if (dcW <= aboveW) return from + ((to - from) * (dcW - belowW)) / Math.max(1e-9, aboveW - belowW);
    // A plane that faces away from the sun has less of a clear sky than of a bright cloud: not to be told apart.
    if (aboveW <= belowW) return Number.NaN;
    belowW = aboveW;
  }
  return CLEARNESS_STEPS.at(-1) as number;
}

/**
 * The light that a sensor in the plane of an array measured, as clearness.
 *
 * @param planeWm2 per bucket; NaN = not known.
 */
export function clearnessOfPlane(expected: ExpectedDay, planeWm2: Float64Array, array: number): Float64Array {
  const { sky, model } = expected;
  const clearness = new Float64Array(sky.count).fill(Number.NaN);
  const ratedW = model.arrays[array]?.ratedW ?? 0;
  const rating = { ratedW, gammaPerK: GAMMA_PER_K, lossFraction: lossOf(model, sky) };
  for (let at = 0; at < sky.count; at += 1) {
    const lightWm2 = planeWm2[at] as number;
    if ((sky.zenithDeg[at] as number) >= 90 || Number.isNaN(lightWm2)) continue;
    const dcW = pvWattsDcW(rating, lightWm2, faimanTemperatureC(lightWm2, AMBIENT_C, WIND_MS));
    clearness[at] = inverseOfArray(expected, array, at, dcW);
  }
  return clearness;
}

function inverseOfArray(expected: ExpectedDay, array: number, at: number, dcW: number): number {
  const table = expected.tables[array];
  if (table === undefined) return Number.NaN;
  return inverse({ ...expected, tables: [table] }, at, dcW);
}

function stepBelow(clearness: number): number {
  let step = 0;
  while (step < CLEARNESS_STEPS.length - 2 && clearness >= (CLEARNESS_STEPS[step + 1] as number)) step += 1;
  return step;
}

function partOfStep(clearness: number, step: number): number {
  const from = CLEARNESS_STEPS[step] as number;
  const to = CLEARNESS_STEPS[step + 1] as number;
  return Math.min(1, (Math.max(0, clearness) - from) / (to - from));
}

/** Irradiance, W/m2, in the plane of an array in which the model's modules give a DC power; inverse of `expectedDay`'s modules. */
export function planeOfDcWm2({ model, sky }: ExpectedDay, array: number, dcW: number): number {
  const ratedW = (model.arrays[array]?.ratedW ?? 0) * (1 - lossOf(model, sky));
  // dcW = ratedW / 1000 * g * (1 + gamma * (ambient + g * warmth - 25)), with g the irradiance.
  const warmthK = faimanTemperatureC(1, 0, WIND_MS);
  const linear = 1 + GAMMA_PER_K * (AMBIENT_C - 25);
  const square = GAMMA_PER_K * warmthK;
  const constant = (-1000 * dcW) / ratedW;
  const discriminant = Math.max(0, linear ** 2 - 4 * square * constant);
  return (-linear + Math.sqrt(discriminant)) / (2 * square);
}

function lossOf({ commissionedMs }: PlantModel, { startMs, count }: SkyDay): number {
  const middleMs = startMs + (count * BUCKET_MS) / 2;
  const ageYears = commissionedMs === null ? 0 : Math.max(0, (middleMs - commissionedMs) / YEAR_MS);
  return 1 - (1 - LOSS_FRACTION) * ageingFactor(ageYears);
}
