/** A city as the library of place names has it. */
export interface NamedCity {
  readonly name: string;
  readonly country: string;
  /** Of the state or province, without its name. */
  readonly adminCode: string;
  readonly population: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** A larger city of which the zone and the name of the province are known. */
export interface ZonedCity {
  readonly country: string;
  readonly province: string;
  readonly timeZone: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** Cities by columns, the largest first; as texts and arrays that pass from one thread to another at once. */
export interface PlaceTable {
  readonly count: number;
  /** Names, one behind the other; each begins at its start and ends at the next one's. */
  readonly names: string;
  readonly nameStarts: Uint32Array;
  /** Two letters each. */
  readonly countries: string;
  readonly latitudes: Float32Array;
  readonly longitudes: Float32Array;
  readonly regionNames: readonly string[];
  readonly regions: Uint16Array;
  readonly zoneNames: readonly string[];
  readonly zones: Uint16Array;
  /** What is searched, plain, each with a new line before it; a city may have several. */
  readonly keys: string;
  /** Where each begins in `keys`, and the city that it is of. */
  readonly keyStarts: Uint32Array;
  readonly keyRows: Uint32Array;
}

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ð: 'd', æ: 'ae', œ: 'oe', ı: 'i' };
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/** A name as it is searched: in small letters without accents, its words parted by blanks. */
export const plainName = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[ßøłđðæœı]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .normalize('NFC');

const withoutUmlauts = (name: string): string =>
  plainName(name.normalize('NFC').replaceAll(/[äöü]/gi, (letter) => UMLAUTS[letter.toLowerCase()] ?? letter));

/** Squares of the distances from a place, good for near ones, in degrees of latitude. */
export function nearnessTo(latitude: number, longitude: number): (latitude: number, longitude: number) => number {
  const narrowed = Math.cos((latitude * Math.PI) / 180);
  return (otherLatitude, otherLongitude) => {
    const north = latitude - otherLatitude;
    const turned = Math.abs(longitude - otherLongitude);
    const east = Math.min(turned, 360 - turned) * narrowed;
    return north * north + east * east;
  };
}

/** `localNames` names cities as their people do: `country:name of the library` to the local name. */
export function placeTable(
  cities: readonly NamedCity[],
  zoned: readonly ZonedCity[],
  localNames: ReadonlyMap<string, string>,
): PlaceTable {
  const sorted = cities.filter(({ country }) => country.length === 2).toSorted((a, b) => b.population - a.population);
  const zonesOf = Map.groupBy(zoned, ({ country }) => country);
  const known = sorted.map((city) => ({
    ...city,
    names: namesOf(city, localNames),
    zone: zoneOf(city, zonesOf.get(city.country) ?? zoned),
  }));
  const placed = known.filter(({ zone }) => zone !== undefined);
  const provinces = provincesOf(placed, zoned);
  const regions = new Numbers();
  const zones = new Numbers();
  const keys: string[] = [];
  const keyStarts: number[] = [];
  const keyRows: number[] = [];
  let length = 0;
  for (const [row, { names }] of placed.entries()) {
    for (const key of new Set([...names.map(plainName), ...names.map(withoutUmlauts)])) {
      keys.push(`\n${key}`);
      keyStarts.push(length);
      keyRows.push(row);
      length += key.length + 1;
    }
  }
  return {
    count: placed.length,
    names: placed.map(({ names: [name] }) => name).join(''),
    nameStarts: startsOf(placed.map(({ names: [name = ''] }) => name)),
    countries: placed.map(({ country }) => country).join(''),
    latitudes: Float32Array.from(placed, ({ latitude }) => latitude),
    longitudes: Float32Array.from(placed, ({ longitude }) => longitude),
    regions: Uint16Array.from(placed, (city) => regions.of(provinces.get(provinceKey(city)) ?? '')),
    regionNames: regions.names,
    zones: Uint16Array.from(placed, ({ zone = '' }) => zones.of(zone)),
    zoneNames: zones.names,
    keys: `${keys.join('')}\n`,
    keyStarts: Uint32Array.from(keyStarts),
    keyRows: Uint32Array.from(keyRows),
  };
}

/** Where texts begin that stand one behind the other, and where the last ends. */
function startsOf(texts: readonly string[]): Uint32Array {
  const starts = new Uint32Array(texts.length + 1);
  for (const [index, text] of texts.entries()) starts[index + 1] = (starts[index] ?? 0) + text.length;
  return starts;
}

/** Numbers names in the order in which they come. */
class Numbers {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

/** The local name first, then the library's. */
function namesOf({ country, name }: NamedCity, localNames: ReadonlyMap<string, string>): string[] {
  const local = localNames.get(`${country}:${name}`);
  return local === undefined ? [name] : [local, name];
}

function nearestOf<C extends { latitude: number; longitude: number }>(
  { latitude, longitude }: { latitude: number; longitude: number },
  cities: readonly C[],
): C | undefined {
  const nearness = nearnessTo(latitude, longitude);
  let nearest: C | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const city of cities) {
    const distance = nearness(city.latitude, city.longitude);
    if (distance >= least) continue;
    least = distance;
    nearest = city;
  }
  return nearest;
}

/** The zone of the nearest city of the same country; of a country of one zone that one. */
function zoneOf(city: NamedCity, cities: readonly ZonedCity[]): string | undefined {
  const [first] = cities;
  if (first === undefined || cities.every(({ timeZone }) => timeZone === first.timeZone)) return first?.timeZone;
  return nearestOf(city, cities)?.timeZone;
}

const provinceKey = ({ country, adminCode }: Pick<NamedCity, 'country' | 'adminCode'>): string =>
  `${country}.${adminCode}`;

/** Names of provinces by their codes: as more than half of the larger cities that lie there tell, since codes may be of greater parts. */
function provincesOf(cities: readonly NamedCity[], zoned: readonly ZonedCity[]): Map<string, string> {
  const byCountry = Map.groupBy(cities, ({ country }) => country);
  const told = zoned.flatMap((city) => {
    const nearest = nearestOf(city, byCountry.get(city.country) ?? []);
    return nearest === undefined || nearest.adminCode === ''
      ? []
      : [{ key: provinceKey(nearest), name: city.province }];
  });
  const names = new Map<string, string>();
  for (const [key, votes] of Map.groupBy(told, (vote) => vote.key)) {
    for (const [name, same] of Map.groupBy(votes, (vote) => vote.name)) {
      if (2 * same.length > votes.length) names.set(key, name);
    }
  }
  return names;
}
