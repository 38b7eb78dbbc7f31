import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { errno } from '@sonnenwarte/contract/errors';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import {
  LARGE_LOSS_WH,
  MAX_FIRST,
  MAX_GROUPS,
  PLACE_ID_LENGTH,
  type PlaceBounds,
  type PlaceGroup,
  placedStates,
  sitePlaceEndpoints,
} from '@sonnenwarte/contract/sites/site-places';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const { positions, mapView, rows, cells, countriesOfSites } = sitePlaceEndpoints;

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

/** What was reckoned of a plant's newest week. */
const addWeek = (siteId: string, lossWh: number | null, needsAttention: boolean) =>
  plants.db
    .insertInto('site_insights')
    .values({
      site_id: siteId,
      through_day: '2026-06-19',
      loss_wh: lossWh,
      loss_money: null,
      currency: 'EUR',
      rank_value: null,
      reason: null,
      reason_since: null,
      needs_attention: needsAttention,
      week: JSON.stringify({ lossWh, reasons: [] }),
      peers: [],
      profile: null,
      reckoned_at: new Date(),
    })
    .execute();

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
    const { added, token } = await placed(
      { ...normal, name: 'North', country: 'DE', latitude: 54, longitude: 10 },
      { ...normal, name: 'South', country: 'IT', latitude: 41, longitude: 14, type: 2 },
      { name: 'Nowhere', country: 'IT' },
    );
    await addWeek(added[1]?.id ?? '', 9_000, true);
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
      { losing: 'yes' as const },
      { losing: 'no' as const },
    ];
    for (const condition of conditions) {
      const list = await plants.read(siteEndpoints.list, { condition }, token);
      const map = await plants.read(positions, { condition }, token);
      expect(map.total, JSON.stringify(condition)).toBe(list.total);
      expect(map.count + map.unplaced).toBe(map.total);
      const { inView } = await plants.read(mapView, { condition, view: world, zoom: 0 }, token);
      expect(inView, JSON.stringify(condition)).toBe(map.count);
    }
    expect((await plants.read(positions, { condition: { losing: 'yes' } }, token)).count).toBe(1);
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
      losses: '',
      bounds: null,
      grouped: false,
    });
  });

  test('are sent compressed', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ latitude: 40 + index / 10, longitude: 10 }));
    const { token } = await placed(...many);
    const answer = await plants.fetch(positions, {}, token);
    expect(answer.headers.get('content-encoding')).toMatch(/^(?:br|gzip)$/);
  });
});

const world = { south: -90, west: -180, north: 90, east: 180 };

test('losses are told with the places, and follow what was reckoned last', async () => {
  const at = { latitude: 48, longitude: 11 };
  const { added, token } = await placed(...Array.from({ length: 5 }, () => at));
  const weeks = [
    [LARGE_LOSS_WH, true],
    [LARGE_LOSS_WH - 1, true],
    [null, false],
    [LARGE_LOSS_WH, false],
  ] as const;
  for (const [place, [lossWh, needsAttention]] of weeks.entries())
    await addWeek(added[place]?.id ?? '', lossWh, needsAttention);
  const told = async () => {
    const { ids, losses } = await plants.read(positions, {}, token);
    const byId = new Map(idsIn(ids).map((id, index) => [id, losses[index]]));
    return added.map(({ id }) => byId.get(id.replaceAll('-', ''))).join('');
  };
  expect(await told()).toBe('01232');
  await plants.db
    .updateTable('site_insights')
    .set({ loss_wh: 60_000, needs_attention: true })
    .where('site_id', '=', added[3]?.id ?? '')
    .execute();
  expect(await told()).toBe('01202');
  const list = await plants.read(
    siteEndpoints.list,
    { condition: { losing: 'yes' }, sort: { field: 'weekLossWh', order: 'desc' } },
    token,
  );
  expect(list.plants.map(({ weekLossWh }) => weekLossWh)).toEqual([60_000, LARGE_LOSS_WH, LARGE_LOSS_WH - 1]);
});

describe('a part of the map', () => {
  const MANY = 10_200;
  let many: { id: string; token: string };
  let above: string;

  /** Plants over the world, so many that they are told in groups; one in seven of them is not normal. */
  beforeAll(async () => {
    const agent = await plants.addOrganisation('agent');
    const { id, path } = await plants.addOrganisation('installer', agent.path);
    expect(path).toHaveLength(2);
    await sql`insert into sites (organisation_id, name, country, time_zone, system_size_kwp, latitude, longitude, arrays)
      select ${id}, 'Plant ' || n, (array['DE', 'FR'])[1 + n % 2], 'Europe/Berlin', 10, 89.9 - (n * 37 % 1798) / 10.0,
        (n * 101 % 3600) / 10.0 - 180, '[]' from generate_series(1, ${MANY}) n`.execute(plants.db);
    await sql`update site_latest set (state, ts) = ((array['normal', 'fault', 'alarm'])[1 + site_key % 3], now())
      where site_organisation_id = ${id} and site_key % 4 > 0`.execute(plants.db);
    await sql`insert into site_insights (site_id, through_day, loss_wh, currency, needs_attention, week, peers, reckoned_at)
      select site_id, '2026-06-19', site_key % 90 * 1000, 'EUR', site_key % 90 > 30, '{}', '{}', now() from site_latest
      where site_organisation_id = ${id} and site_key % 5 > 0`.execute(plants.db);
    many = { id, token: plants.signIn(await plants.addAccount(id, 2)) };
    above = plants.signIn(await plants.addAccount(agent.id, 3));
    await placed({ latitude: 50, longitude: 10 });
  });

  const sumOf = (groups: readonly PlaceGroup[], countsOf: (group: PlaceGroup) => readonly number[]) =>
    groups.reduce<number[]>((sums, group) => countsOf(group).map((count, at) => count + (sums[at] ?? 0)), []);

  const contains = ({ south, west, north, east }: PlaceBounds, { latitude, longitude }: PlaceGroup) =>
    latitude >= south - 1e-4 && latitude <= north + 1e-4 && longitude >= west - 1e-4 && longitude <= east + 1e-4;

  test.each([
    {},
    { country: 'FR' },
    { states: ['fault' as const, 'alarm' as const] },
    { losing: 'yes' as const },
    { content: 'plant 1', contentType: 2 },
  ])(
    'has groups that add up to the list of %o, by state and by loss, to who looks after it and to who is above',
    async (condition) => {
      for (const token of [many.token, above]) {
        const list = await plants.read(siteEndpoints.list, { condition, pageSize: 10 }, token);
        const all = await plants.read(positions, { condition }, token);
        expect(all).toMatchObject({ total: list.total, unplaced: 0, grouped: list.total > 10_000 });
        for (const zoom of [0, 2, 3]) {
          const { inView, groups, places, first } = await plants.read(mapView, { condition, view: world, zoom }, token);
          expect(inView).toBe(list.total);
          expect(first).toHaveLength(MAX_FIRST);
          if (list.total <= 2_000) {
            expect([groups, places?.count]).toEqual([[], list.total]);
            continue;
          }
          expect(places).toBeNull();
          expect(groups.length).toBeLessThanOrEqual(MAX_GROUPS);
          expect(sumOf(groups, ({ count }) => [count])).toEqual([list.total]);
          const byState = await Promise.all(
            placedStates.map(async (state) => {
              if (condition.states !== undefined && !condition.states.some((each) => each === state)) return 0;
              return (
                await plants.read(siteEndpoints.list, { condition: { ...condition, state }, pageSize: 10 }, token)
              ).total;
            }),
          );
          expect(sumOf(groups, ({ states }) => states)).toEqual(byState);
          const losing = await plants.read(
            siteEndpoints.list,
            { condition: { ...condition, losing: 'yes' }, pageSize: 10 },
            token,
          );
          const [large = 0, small = 0, ...others] = sumOf(groups, ({ losses }) => losses);
          expect(large + small).toBe(losing.total);
          expect(large + small + others.reduce((sum, each) => sum + each, 0)).toBe(list.total);
          for (const group of groups) {
            expect(contains(group.bounds, group)).toBe(true);
            expect(group.stationID === null).toBe(group.count > 1);
          }
        }
      }
    },
  );

  test('is told in no more bytes however near and wide it is asked for, and never all places at once', async () => {
    const told = await plants.read(positions, {}, many.token);
    expect(told).toMatchObject({ total: MANY, count: 0, ids: '', losses: '', grouped: true });
    expect(told.bounds).toEqual({ south: expect.any(Number), west: -180, north: 89.9, east: expect.any(Number) });
    for (const zoom of [0, 6, 18]) {
      const answer = await plants.fetch(mapView, { view: world, zoom }, many.token);
      expect(answer.headers.get('content-encoding')).toMatch(/^(?:br|gzip)$/);
      const text = await answer.text();
      const { result } = JSON.parse(text);
      expect(result.groups.length).toBeGreaterThan(10);
      expect(result.groups.length).toBeLessThanOrEqual(MAX_GROUPS);
      expect(gzipSync(text).length).toBeLessThan(150_000);
    }
  });

  test('tells each plant where few are, and counts those alone that are within it', async () => {
    const view = { south: 40, west: 0, north: 50, east: 10 };
    const { rows: inside } = await sql<{ id: string }>`select id from sites where organisation_id = ${many.id}
      and latitude between 40 and 50 and longitude between 0 and 10`.execute(plants.db);
    const { inView, places, groups, first } = await plants.read(mapView, { view, zoom: 8 }, many.token);
    expect(groups).toEqual([]);
    expect(inView).toBe(inside.length);
    const told = new Set(idsIn(places?.ids ?? ''));
    expect(inside.every(({ id }) => told.has(id.replaceAll('-', '')))).toBe(true);
    expect(first.every((id) => inside.some((each) => each.id === id))).toBe(true);
  });

  test('names the worst first, by state or by loss', async () => {
    const byLoss = await plants.read(mapView, { view: world, zoom: 1, by: 'loss' }, many.token);
    const { plants: losing } = await plants.read(rows, { stationIDs: byLoss.first }, many.token);
    expect(Math.min(...losing.map(({ weekLossWh }) => weekLossWh ?? 0))).toBeGreaterThanOrEqual(LARGE_LOSS_WH);
    const byState = await plants.read(mapView, { view: world, zoom: 1 }, many.token);
    const { plants: troubled } = await plants.read(rows, { stationIDs: byState.first }, many.token);
    expect(new Set(troubled.map(({ state }) => state))).toEqual(new Set(['fault']));
  });

  test('may lie across the antimeridian and reach to the poles: nothing is lost or counted twice there', async () => {
    const { token } = await placed(
      { latitude: -17.8, longitude: 178 },
      { latitude: -17.9, longitude: 179.99 },
      { latitude: -17.7, longitude: -179.99 },
      { latitude: -17.7, longitude: 180 },
      { latitude: -17.7, longitude: -180 },
      { latitude: 78.2, longitude: 15.6 },
      { latitude: -90, longitude: 0 },
      { latitude: 90, longitude: 0 },
      { latitude: 0, longitude: 0 },
    );
    const inView = async (view: PlaceBounds, zoom = 6) => {
      const answer = await plants.read(mapView, { view, zoom }, token);
      return [answer.inView, new Set(idsIn(answer.places?.ids ?? '')).size, answer.places?.count];
    };
    expect(await inView(world, 0)).toEqual([9, 9, 9]);
    expect(await inView({ south: -20, west: 170, north: -15, east: -170 })).toEqual([5, 5, 5]);
    expect((await inView({ south: -20, west: 170, north: -15, east: 180 }))[0]).toBe(3);
    expect((await inView({ south: 70, west: -180, north: 90, east: 180 }))[0]).toBe(2);
    expect((await inView({ south: -90, west: -10, north: -80, east: 10 }))[0]).toBe(1);
    const { bounds } = await plants.read(positions, {}, token);
    expect(bounds).toEqual({ south: -90, west: -180, north: 90, east: 180 });
  });

  test('has groups across the antimeridian that lie where their plants do', async () => {
    const view = { south: -85, west: 90, north: 85, east: -90 };
    const { groups, inView } = await plants.read(mapView, { view, zoom: 1 }, many.token);
    expect(groups.length).toBeGreaterThan(10);
    expect(inView).toBeGreaterThan(2_000);
    for (const group of groups) {
      expect(contains(group.bounds, group)).toBe(true);
      expect(group.bounds.east - group.bounds.west).toBeLessThan(90);
    }
  });

  test('is refused where it lies upside down or on no map', async () => {
    for (const view of [
      { ...world, south: 10, north: -10 },
      { ...world, west: -181 },
    ])
      expect((await plants.call(mapView, { view, zoom: 0 }, many.token)).errno).toBe(errno.refusedInput);
  });

  test("has no stranger's plant in any count", async () => {
    const { token } = await placed({ latitude: 50, longitude: 10 });
    expect(await plants.read(mapView, { view: world, zoom: 0 }, token)).toMatchObject({
      inView: 1,
      places: { count: 1 },
      groups: [],
    });
    const { bounds } = await plants.read(positions, {}, token);
    expect(bounds).toEqual({ south: 50, west: 10, north: 50, east: 10 });
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
    expect(told.plants).toMatchObject([list.plants[1] ?? {}, list.plants[0] ?? {}]);
  });

  test('say why a plant needs attention: what it lost, its worst alarm, or why it is silent', async () => {
    const { added, token } = await placed(
      { ...normal, name: 'Losing' },
      { ...normal, name: 'Fine' },
      { name: 'Faulty', latest: { state: 'fault' } },
      { name: 'Silent' },
    );
    const [losing = { id: '' }, fine = { id: '' }, faulty = { id: '' }] = added;
    await addWeek(losing.id, 12_000, true);
    await addWeek(fine.id, 100, false);
    const datalogger = await plants.addDatalogger(faulty.id);
    const inverter = await plants.addDevice(faulty.id, datalogger.id);
    await plants.db
      .insertInto('alarms')
      .values({
        device_id: inverter.id,
        logger_id: null,
        site_id: faulty.id,
        code: 1001,
        level: 4,
        since: new Date(),
        until: null,
      })
      .execute();
    const told = await plants.read(rows, { stationIDs: added.map(({ id }) => id) }, token);
    expect(told.plants.map(({ week }) => week?.lossWh ?? null)).toEqual([12_000, null, null, null]);
    expect(told.plants.map(({ alarm }) => alarm?.code ?? null)).toEqual([null, null, 1001, null]);
    expect(told.plants.map(({ silence }) => silence?.reason ?? null)).toEqual([null, null, null, 'noLogger']);
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
