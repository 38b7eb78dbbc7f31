import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { MOST_PLACES, type Place } from '@sonnenwarte/contract/map/places';
import { currencyOfCountry } from './currencies.ts';
import { PLACE_FILE, readPlaceFile } from './place-file.ts';
import { nearnessTo, type PlaceTable, plainName } from './place-table.ts';

/** A pin farther from every city is on no land that people live on. */
const FARTHEST_KM = 300;
const KM_PER_DEGREE = 111.2;

/** Names, positions and zones of cities, searched without leaving the machine. */
export class Places {
  readonly #table: PlaceTable;

  constructor(table: PlaceTable) {
    this.#table = table;
  }

  /** Those whose name begins with the text, the largest first, then those with a word that does. */
  search(text: string, country?: string): Place[] {
    const wanted = plainName(text);
    if (wanted === '') return [];
    const rows = new Set<number>();
    for (const before of ['\n', ' ']) this.#collect(rows, before + wanted, country);
    return [...rows].map((row) => this.#placeOf(row));
  }

  /** Adds rows with a key that holds the text, until there are enough. */
  #collect(rows: Set<number>, text: string, country: string | undefined): void {
    const { keys, keyStarts, keyRows, countries } = this.#table;
    let key = 0;
    for (let at = keys.indexOf(text); at !== -1 && rows.size < MOST_PLACES; at = keys.indexOf(text, at + 1)) {
      key = lastAtMost(keyStarts, at, key);
      const row = keyRows[key] ?? 0;
      if (country === undefined || countries.startsWith(country, 2 * row)) rows.add(row);
    }
  }

  /** The nearest city of a position. */
  nearest(latitude: number, longitude: number): Place | undefined {
    const { latitudes, longitudes, count } = this.#table;
    const nearness = nearnessTo(latitude, longitude);
    let nearest = -1;
    let least = (FARTHEST_KM / KM_PER_DEGREE) ** 2;
    for (let row = 0; row < count; row += 1) {
      const distance = nearness(latitudes[row] ?? 0, longitudes[row] ?? 0);
      if (distance >= least) continue;
      least = distance;
      nearest = row;
    }
    return nearest === -1 ? undefined : this.#placeOf(nearest);
  }

  #countryOf(row: number): string {
    return this.#table.countries.slice(2 * row, 2 * row + 2);
  }

  #placeOf(row: number): Place {
    const { names, nameStarts, latitudes, longitudes, regions, regionNames, zones, zoneNames } = this.#table;
    const country = this.#countryOf(row);
    const rounded = (degrees: number | undefined) => Math.round((degrees ?? 0) * 1e5) / 1e5;
    return {
      name: names.slice(nameStarts[row], nameStarts[row + 1]),
      country,
      region: regionNames[regions[row] ?? 0] ?? '',
      latitude: rounded(latitudes[row]),
      longitude: rounded(longitudes[row]),
      ianaTimezone: zoneNames[zones[row] ?? 0] ?? '',
      currency: currencyOfCountry(country),
    };
  }
}

/** Index of the last of ascending numbers that is not above a value, from one on that is not: near ones are found at once. */
function lastAtMost(numbers: Uint32Array, value: number, from: number): number {
  let step = 1;
  while (from + step < numbers.length && (numbers[from + step] ?? 0) <= value) step *= 2;
  let [low, high] = [from + (step >> 1), Math.min(from + step, numbers.length) - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Of the file that the set-up has made; where there is none, of what reads the packages. */
export const loadPlaces = async (file: string, readPackages: () => Promise<PlaceTable>): Promise<Places> =>
  new Places((await readPlaceFile(file)) ?? (await readPackages()));

let loading: Promise<Places> | undefined;

/** Read when somebody asks for the first time. */
export function places(): Promise<Places> {
  loading ??= loadPlaces(PLACE_FILE, readPackages).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** By a process of its own: it takes seconds and 250 MB, which are given back. */
export function readPackages(): Promise<PlaceTable> {
  const reader = fork(fileURLToPath(new URL('./place-reader.ts', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [],
  });
  return new Promise((resolve, reject) => {
    reader.once('message', (table) => resolve(table as PlaceTable));
    reader.once('error', reject);
    reader.once('exit', (code) => reject(new Error(`names of places cannot be read (${code})`)));
  });
}
