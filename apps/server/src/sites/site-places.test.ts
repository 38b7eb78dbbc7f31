import { randomUUID } from 'node:crypto';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { PLACE_ID_LENGTH, sitePlaceEndpoints } from '@sonnenwarte/contract/sites/site-places';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const { positions, rows, cells, countriesOfSites } = sitePlaceEndpoints;

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
});

afterAll(() => plants?.stop());

/** Plants of an installer of their own, and the token of one who sees them. */
async function placed(...sites: Parameters<PlantsFixture['addSite']>[1][]) {
  const { id } = await plants.addOrganisation('installer');
  const added = [];
  for (const site of sites) added.push(await plants.addSite(id, site));
  return { added, token: plants.signIn(await plants.addAccount(id, 2)) };
}

const idsIn = (packed: string): string[] =>
  Array.from({ length: packed.length / PLACE_ID_LENGTH }, (_, index) =>
    Buffer.from(packed.slice(index * PLACE_ID_LENGTH, (index + 1) * PLACE_ID_LENGTH), 'base64').toString('hex'),
  );

const normal = { latest: { state: 'normal' } } as const;

test('countries are those of the plants in scope, each once', async () => {
  await placed({ country: 'FR' });
  const { token } = await placed({ country: 'PL' }, { country: 'DE' }, { country: 'PL' }, { country: '' });
  expect(await plants.read(countriesOfSites, {}, token)).toEqual({ countries: ['DE', 'PL'] });
  const { token: other } = await placed();
  expect(await plants.read(countriesOfSites, {}, other)).toEqual({ countries: [] });
});

describe('places of plants', () => {
  test('are those of the plants in scope, each with its state, and how many have none', async () => {
    const { added, token } = await placed(
      { ...normal, latitude: 52.52, longitude: 13.405 },
      { latitude: -33.86882, longitude: 151.2093, latest: { state: 'fault' } },
      { latitude: 0, longitude: 0 },
      { ...normal },
    );
    await placed({ latitude: 1, longitude: 1 });
    const told = await plants.read(positions, {}, token);
    expect(told).toMatchObject({ total: 4, unplaced: 1, count: 3 });
    const latitudes = told.latitudes.split(',');
    const longitudes = told.longitudes.split(',');
    const places = new Map(
      idsIn(told.ids).map((id, index) => [id, [latitudes[index], longitudes[index], told.states[index]]]),
    );
    const keyOf = (index: number) => (added[index]?.id ?? '').replaceAll('-', '');
    expect(places).toEqual(
      new Map([
        [keyOf(0), ['5252000', '1340500', '3']],
        [keyOf(1), ['-3386882', '15120930', '0']],
        [keyOf(2), ['0', '0', '2']],
      ]),
    );
  });

  test('are filtered as the list is, by every filter', async () => {
    const { token } = await placed(
      { ...normal, name: 'North', country: 'DE', latitude: 54, longitude: 10 },
      { ...normal, name: 'South', country: 'IT', latitude: 41, longitude: 14, type: 2 },
      { name: 'Nowhere', country: 'IT' },
    );
    const conditions = [
      {},
      { content: 'north', contentType: 2 },
      { country: 'IT' },
      { type: 2 as const },
      { state: 'offline' as const },
      { states: ['normal' as const] },
      { status: 1 },
      { placed: 'yes' as const },
      { placed: 'no' as const },
    ];
    for (const condition of conditions) {
      const list = await plants.read(siteEndpoints.list, { condition }, token);
      const map = await plants.read(positions, { condition }, token);
      expect(map.total, JSON.stringify(condition)).toBe(list.total);
      expect(map.count + map.unplaced).toBe(map.total);
    }
    expect((await plants.read(positions, { condition: { placed: 'no' } }, token)).unplaced).toBe(1);
  });

  test('are nothing but empty columns where there is no plant', async () => {
    const { token } = await placed();
    expect(await plants.read(positions, {}, token)).toEqual({
      total: 0,
      unplaced: 0,
      count: 0,
      ids: '',
      latitudes: '',
      longitudes: '',
      states: '',
    });
  });

  test('are sent compressed', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ latitude: 40 + index / 10, longitude: 10 }));
    const { token } = await placed(...many);
    const answer = await plants.fetch(positions, {}, token);
    expect(answer.headers.get('content-encoding')).toMatch(/^(?:br|gzip)$/);
  });
});

describe('rows by id', () => {
  test('are as the list has them, in the order of the ids, and only those in scope', async () => {
    const { added, token } = await placed({ ...normal, name: 'A' }, { ...normal, name: 'B' });
    const { added: foreign } = await placed({ name: 'C' });
    const [a = { id: '' }, b = { id: '' }] = added;
    const stationIDs = [b.id, foreign[0]?.id ?? '', randomUUID(), a.id, b.id];
    const told = await plants.read(rows, { stationIDs }, token);
    expect(told.plants.map(({ name }) => name)).toEqual(['B', 'A']);
    const list = await plants.read(siteEndpoints.list, {}, token);
    expect(told.plants).toEqual(expect.arrayContaining(list.plants));
  });
});

describe('cells', () => {
  test('hold every placed plant once and tell the worst state of theirs', async () => {
    const { token } = await placed(
      { ...normal, latitude: 50.1, longitude: 8.1 },
      { latitude: 50.2, longitude: 8.4, latest: { state: 'alarm' } },
      { ...normal, latitude: -50.2, longitude: -8.4 },
      {},
    );
    const told = await plants.read(cells, {}, token);
    expect(told).toMatchObject({ placed: 3, unplaced: 1 });
    expect(told.cells).toEqual([
      { latitude: 50.25, longitude: 8.25, count: 2, state: 'alarm' },
      { latitude: -50.25, longitude: -8.25, count: 1, state: 'normal' },
    ]);
  });
});
