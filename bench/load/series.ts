import { type Point, pointsOf } from '@sonnenwarte/device-protocol/points/points';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';

export const VALUES = 60;

/** The sixty points of a benchmark's inverter: its counters, then quantities of the catalogue. */
export const points: readonly Point[] = [
  ...pointsOf.inverter.filter((point) => point.accumulates !== false),
  ...pointsOf.inverter.filter((point) => point.accumulates === false),
]
  .filter(({ datatype }) => datatype === DataType.Float || datatype === DataType.Double)
  .slice(0, VALUES);

const DAY_MS = 86_400_000;
const MINUTES = 1_440;
const NOISES = 65_536;
const CLOUDS = 4_096;
const CLOUD_MS = 300_000;

/** Share of the rated power under a clear sky, by minute of the UTC day, and the hours at full power until then. */
const clearSky = new Float64Array(MINUTES + 1);
const fullHours = new Float64Array(MINUTES + 1);
for (let minute = 0; minute <= MINUTES; minute += 1) {
  clearSky[minute] = Math.max(0, Math.sin(((minute / 60 - 5.5) / 13) * Math.PI)) ** 1.3;
  if (minute > 0) fullHours[minute] = (fullHours[minute - 1] ?? 0) + (clearSky[minute] ?? 0) / 60;
}
const dayHours = fullHours[MINUTES] ?? 0;

/** The same pseudo-random numbers in every run and every process. */
let seed = 20_241_121;
function random(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 4_294_967_296;
}
const noises = Float64Array.from({ length: NOISES }, () => random() + random() + random() - 1.5);
const clouds = Float64Array.from({ length: CLOUDS }, () => 0.35 + 0.65 * Math.sqrt(random()));

/** What a point is made of: a base, a share of the momentary power, noise, and the step that the device resolves. */
interface Recipe {
  kind: 'quantity' | 'today' | 'lifetime' | 'hours';
  base: number;
  perPower: number;
  noise: number;
  resolution: number;
  /** Dead without sun. */
  isDc: boolean;
  /** Only there on large inverters. */
  isOfLarge: boolean;
}

/** Every fourth inverter is a large one with four trackers and sixteen strings; the others use two and four of them. */
const LARGE_EVERY = 4;
const FEW_TRACKERS = 2;
const FEW_STRINGS = 4;

const RATED_W = 10_000;

function recipeOf(point: Point, index: number): Recipe {
  const [, kind, number = '0'] = /^DC\/(Mppt|String)(\d+)\//.exec(point.name) ?? [];
  const isOfLarge = Number(number) > (kind === 'Mppt' ? FEW_TRACKERS : FEW_STRINGS);
  return { ...valueRecipe(point, index), isDc: point.name.startsWith('DC/'), isOfLarge };
}

function valueRecipe({ name, unit, accumulates }: Point, index: number): Omit<Recipe, 'isDc' | 'isOfLarge'> {
  const quantity = (
    base: number,
    perPower: number,
    noise: number,
    resolution: number,
  ): ReturnType<typeof valueRecipe> => ({
    kind: 'quantity',
    base,
    perPower,
    noise,
    resolution,
  });
  if (accumulates === 'today')
    return { kind: 'today', base: 0, perPower: 0.9 + index / 100, noise: 0, resolution: 100 };
  if (unit === 'h') return { kind: 'hours', base: 0, perPower: 0, noise: 0, resolution: 1 };
  if (accumulates === 'lifetime') {
    return { kind: 'lifetime', base: 1_000, perPower: 0.9 + index / 100, noise: 0, resolution: 100 };
  }
  if (name === 'AC/PowerFactor') return quantity(0.99, 0, 0.01, 1_000);
  switch (unit) {
    case 'W':
    case 'VA':
      return quantity(name === 'Load/Power' ? 450 : 0, shareOf(name) * RATED_W, name === 'Load/Power' ? 80 : 3, 1);
    case 'var':
      return quantity(0, 0.03 * RATED_W, 5, 1);
    case 'V':
      return name.startsWith('DC/') ? quantity(180 + index, 410, 2, 10) : quantity(231 + (index % 3), 3, 1.2, 10);
    case 'A':
      return quantity(0, name.includes('String') ? 8 : 15, 0.03, 100);
    case 'Hz':
      return quantity(50, 0, 0.02, 100);
    case 'kOhm':
      return quantity(2_000, -300, 20, 1);
    case 'mA':
      return quantity(6, 20, 0.5, 10);
    default:
      return quantity(25, 20, 0.3, 10);
  }
}

const shareOf = (name: string): number => (/L\d|Mppt/.test(name) ? 0.33 : 1);

const recipes = points.map(recipeOf);

/** Writes the sixty values of an inverter at a time into `into`: power of a cloudy day, counters that never fall. */
export function fillValues(device: number, tsMs: number, into: Float64Array): void {
  const dayMs = tsMs % DAY_MS;
  const at = dayMs / 60_000;
  const minute = Math.floor(at);
  const part = at - minute;
  const low = clearSky[minute] ?? 0;
  const sky = low + part * ((clearSky[minute + 1] ?? 0) - low);
  const cloudAt = tsMs / CLOUD_MS + device * 13;
  const cloudStep = Math.floor(cloudAt);
  const cloudLow = clouds[cloudStep & (CLOUDS - 1)] ?? 1;
  const cloud = cloudLow + (cloudAt - cloudStep) * ((clouds[(cloudStep + 1) & (CLOUDS - 1)] ?? 1) - cloudLow);
  const power = sky * cloud;
  const hoursLow = fullHours[minute] ?? 0;
  const hours = hoursLow + part * ((fullHours[minute + 1] ?? 0) - hoursLow);
  const days = Math.floor(tsMs / DAY_MS) - 19_000;
  const noiseAt = device * 7_919 + Math.floor(tsMs / 1_000) * 31;
  for (let index = 0; index < recipes.length; index += 1) {
    const recipe = recipes[index] as Recipe;
    let value: number;
    if ((recipe.isDc && power <= 0) || (recipe.isOfLarge && device % LARGE_EVERY !== 0)) value = 0;
    else if (recipe.kind === 'quantity') {
      const swing = recipe.perPower === 0 || power > 0 || recipe.base !== 0 ? recipe.noise : 0;
      value = recipe.base + power * recipe.perPower + swing * (noises[(noiseAt + index * 101) & (NOISES - 1)] ?? 0);
    } else if (recipe.kind === 'today') value = hours * recipe.perPower * (RATED_W / 1_000);
    else if (recipe.kind === 'lifetime') {
      value = recipe.base + device + (days * dayHours + hours) * recipe.perPower * (RATED_W / 1_000);
    } else value = Math.floor(tsMs / 3_600_000) - 450_000 + device;
    into[index] = Math.round(value * recipe.resolution) / recipe.resolution;
  }
}
