import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { errno } from '@sonnenwarte/contract/errors';
import { countries } from '@sonnenwarte/contract/map/countries';
import { placeAt, places } from '@sonnenwarte/contract/map/places';
import { isValidZone } from '@sonnenwarte/energy/calendar';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { countryCodes } from './countries.ts';
import { currencyOfCountry } from './currencies.ts';
import { localNames } from './local-names.ts';
import { PLACE_FILE, readPlaceFile, writePlaceFile } from './place-file.ts';
import { plainName } from './place-table.ts';
import { places as bundledPlaces, loadPlaces, readPackages } from './places.ts';

let api: PlantsFixture;
let token: string;

beforeAll(async () => {
  api = await PlantsFixture.start();
  const { id } = await api.addOrganisation('platform');
  token = api.signIn(await api.addAccount(id, 2));
});
afterAll(() => api?.stop());

const found = async (search: string, country?: string) =>
  (await api.read(places, country === undefined ? { search } : { search, country }, token)).places;
const first = async (search: string, country?: string) => (await found(search, country))[0];

describe('places by name', () => {
  test.each(['München', 'munchen', 'Muenchen', 'Munich', ' MÜN'])(
    '%s is Munich, by the name that its people use',
    async (text) => {
      expect(await first(text, 'DE')).toMatchObject({
        name: 'München',
        country: 'DE',
        ianaTimezone: 'Europe/Berlin',
        currency: 'EUR',
      });
    },
  );

  test('small towns and villages are there, the largest of a name first, in other countries too', async () => {
    expect(await first('Bad Aibling')).toMatchObject({ country: 'DE', ianaTimezone: 'Europe/Berlin' });
    expect((await first('Bad Aibling'))?.latitude).toBeCloseTo(47.86, 1);
    expect(await first('Berlin')).toMatchObject({ country: 'DE' });
    expect(await first('Berlin', 'US')).toMatchObject({ country: 'US', currency: 'USD' });
    expect(await first('Las Palmas', 'ES')).toMatchObject({ ianaTimezone: 'Atlantic/Canary' });
    expect(await first('Perth', 'AU')).toMatchObject({ ianaTimezone: 'Australia/Perth' });
  });

  test('names that begin with the text come before those of which a word does, ten at most, each once', async () => {
    const rows = await found('aibling');
    expect(rows[0]?.name).toContain('Aibling');
    const many = await found('san');
    expect(many).toHaveLength(10);
    expect(new Set(many.map(({ latitude, longitude }) => `${latitude} ${longitude}`)).size).toBe(10);
    expect(many.every(({ name }) => plainName(name).startsWith('san'))).toBe(true);
    expect(await found('qqqqzz')).toEqual([]);
    expect(await found('--')).toEqual([]);
  });

  test('cities that the library calls in English are known by their own names', async () => {
    const library = await bundledPlaces();
    for (const [key, local] of localNames) {
      const [country = '', name = ''] = key.split(':');
      expect(
        library.search(local, country).map((place) => place.name),
        key,
      ).toContain(local);
      expect(
        library.search(name, country).map((place) => place.name),
        key,
      ).toContain(local);
    }
  });
});

describe('the place of a position', () => {
  test('is the nearest city, with country, zone and currency; far from all there is none', async () => {
    const at = (latitude: number, longitude: number) => api.read(placeAt, { latitude, longitude }, token);
    expect(await at(47.86, 12.01)).toMatchObject({
      place: { name: 'Bad Aibling', country: 'DE' },
      country: 'DE',
      ianaTimezone: 'Europe/Berlin',
      currency: 'EUR',
    });
    expect(await at(47.37, 8.54)).toMatchObject({ country: 'CH', ianaTimezone: 'Europe/Zurich', currency: 'CHF' });
    expect(await at(-16.8, 179.9)).toMatchObject({ country: 'FJ' });
    expect(await at(0, -30)).toEqual({ place: null, country: '', ianaTimezone: '', currency: '' });
  });

  test('lies on this earth', async () => {
    const answer = await api.call(placeAt, { latitude: 91, longitude: 0 }, token);
    expect(answer.errno).toBe(errno.refusedInput);
  });

  test('of any position has a zone and a country that the portal knows', async () => {
    const library = await bundledPlaces();
    const codes = new Set(countryCodes);
    const latitude = fc.double({ min: -90, max: 90, noNaN: true });
    const longitude = fc.double({ min: -180, max: 180, noNaN: true });
    fc.assert(
      fc.property(latitude, longitude, (north, east) => {
        const place = library.nearest(north, east);
        if (place === undefined) return;
        expect(isValidZone(place.ianaTimezone)).toBe(true);
        expect(codes.has(place.country), place.country).toBe(true);
      }),
    );
  });
});

test('every country has a currency that there is, but for the one that has none', async () => {
  const { countries: all } = await api.read(countries, {}, token);
  const known = new Set([...Intl.supportedValuesOf('currency'), 'SLE', 'XCG']);
  const without = all.filter(({ code }) => !known.has(currencyOfCountry(code)));
  expect(without.map(({ code }) => code)).toEqual(['AQ']);
});

describe('names of places', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-places-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const noPackages = () => Promise.reject(new Error('The packages are read'));

  test('are found by the prepared file alone, which holds what the packages hold', async () => {
    const prepared = await loadPlaces(PLACE_FILE, noPackages);
    expect(prepared.search('Bad Aibling')[0]).toMatchObject({ name: 'Bad Aibling', country: 'DE' });
    expect(await readPlaceFile(PLACE_FILE)).toEqual(await readPackages());
  });

  test.each(['absent', 'cut off', 'of another kind'])('are found without it where it is %s', async (what) => {
    const file = join(folder, what);
    const table = await readPlaceFile(PLACE_FILE);
    if (table === undefined) throw new Error('The set-up has prepared no names of places');
    await writePlaceFile(file, table);
    if (what === 'absent') rmSync(file);
    else if (what === 'cut off') truncateSync(file, 100_000);
    else writeFileSync(file, serialize(['places 0', {}]));
    expect((await loadPlaces(file, async () => table)).search('Bad Aibling')).toHaveLength(1);
    await expect(loadPlaces(file, noPackages)).rejects.toThrow('The packages are read');
  });
});
