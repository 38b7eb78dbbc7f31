import { errno } from '@sonnenwarte/contract/errors';
import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import { devOpsFields, insightEndpoints } from '@sonnenwarte/contract/insight/insight';
import { sortFieldsOf } from '@sonnenwarte/contract/kinds';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { addRoof, addRoofDays, type Roof } from '../testing/roofs.ts';
import { daysBefore, noteWrittenDays } from './due.store.ts';
import { workOff } from './work-off.ts';

const NOW_MS = Date.UTC(2026, 5, 20, 10);
/** The last day that is over. */
const ENDED = '2026-06-19';
const WEEK = Array.from({ length: 7 }, (_, back) => daysBefore(ENDED, back));

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
});
beforeEach(() => {
  plants.time.nowMs = NOW_MS;
});
afterAll(() => plants?.stop());

const work = (options: { longestMs?: number; ending?: AbortSignal } = {}) =>
  workOff({
    db: plants.db,
    telemetry: plants.stores.telemetry.client,
    logger: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    nowMs: () => plants.time.nowMs ?? 0,
    ending: new AbortController().signal,
    ...options,
  });

/** All that is due now. */
async function workThrough(): Promise<void> {
  await work({ longestMs: Number.POSITIVE_INFINITY });
  expect(await plants.db.selectFrom('insight_due').select('day').execute()).toEqual([]);
}

/** An installer with roofs near each other, each told over seven days; some of them with shares of their strings. */
async function addStreet(
  names: Readonly<Record<string, readonly [number, number, number]>>,
  { latitude, days = WEEK }: { latitude: number; days?: readonly string[] },
) {
  const { installerId, token } = await plants.addInstaller();
  const roofs: Record<string, Roof> = {};
  let place = 0;
  for (const name of Object.keys(names)) {
    place += 1;
    const roof = await addRoof(plants, installerId, name, { latitude, longitude: 11.5 + place / 100 });
    roofs[name] = roof;
  }
  await addRoofDays(
    plants,
    Object.entries(names).map(([name, strings]) => ({ roof: roofs[name] as Roof, days, told: { strings } })),
  );
  await noteWeek(installerId);
  return { installerId, token, roofs };
}

const whole = [1, 1, 1] as const;
const street = { A: whole, B: whole, C: whole, D: whole, E: whole, F: whole };

describe('a plant with a weak string', () => {
  let token: string;
  let roofs: Record<string, Roof>;

  beforeAll(async () => {
    plants.time.nowMs = NOW_MS;
    ({ token, roofs } = await addStreet({ ...street, Weak: [1, 0.55, 1], Weaker: [0.2, 1, 1] }, { latitude: 48.1 }));
    await workThrough();
  });

  test('stands among what needs attention with its loss in energy and money and its reason, the costliest first', async () => {
    const { plants: found, sums, total } = await plants.read(fleetEndpoints.attention, {}, token);
    expect(found.map(({ name, isLosing }) => [name, isLosing])).toEqual([
      ['Weaker', true],
      ['Weak', true],
    ]);
    expect(total).toBe(2);
    const [weaker, weak] = found.map(({ week }) => week);
    expect(weak?.reasons[0]).toMatchObject({ reason: { kind: 'string-weak' }, days: 7, isStanding: true });
    expect(weak?.reasons[0]?.reason.evidence).toMatchObject({ string: 'String2', device: roofs.Weak?.inverter.sn });
    expect(weaker?.reasons[0]?.reason.evidence).toMatchObject({ string: 'String1' });
    // A third of the plant, of which 45 % is missing, all of it used in the house for 0.32 a kilowatt hour.
    const expectedWh = (weak?.days ?? []).length * 9_000 * 4;
    expect(weak?.lossWh).toBeGreaterThan(expectedWh * 0.1);
    expect(Number(weak?.lossMoney)).toBeCloseTo(((weak?.lossWh ?? 0) / 1_000) * 0.32, 3);
    expect(weak?.currency).toBe('EUR');
    expect(weak?.days.map(({ day }) => day)).toEqual(WEEK.toReversed());
    for (const { share, low, high } of weak?.days ?? []) {
      expect(share).toBeCloseTo(0.85, 1);
      expect(low).toBeLessThanOrEqual(1);
      expect(high).toBeGreaterThanOrEqual(1);
    }
    expect(sums).toEqual([
      {
        currency: 'EUR',
        plants: 2,
        lossWh: (weak?.lossWh ?? 0) + (weaker?.lossWh ?? 0),
        lossMoney: expect.any(String),
      },
    ]);
    expect(Number(sums[0]?.lossMoney)).toBeCloseTo(Number(weak?.lossMoney) + Number(weaker?.lossMoney), 6);
  });

  test('has its evidence: curve, band of the neighbours, marked hours, strings side by side and how the loss was worked out', async () => {
    const found = await plants.read(insightEndpoints.evidence, { stationID: roofs.Weak?.id ?? '' }, token);
    expect(found).toMatchObject({
      source: 'neighbours',
      basis: 'near',
      isRunning: false,
      isPlaneAssumed: false,
      // Six days were known before it.
      missing: ['history'],
    });
    expect(found.peers).toBeGreaterThanOrEqual(5);
    const noon = found.curve.actual.length / 2;
    expect(found.curve.actual[noon]).toBeLessThan(found.curve.low[noon] ?? 0);
    expect(found.curve.expected[noon]).toBeGreaterThanOrEqual(found.curve.low[noon] ?? 1);
    expect(found.reasons[0]).toMatchObject({ reason: { kind: 'string-weak' } });
    expect(found.reasons[0]?.spans.length).toBeGreaterThan(0);
    expect(found.strings).toMatchObject([{ deviceSN: roofs.Weak?.inverter.sn }]);
    expect(found.strings[0]?.rows.map(({ n, weak }) => [n, weak])).toEqual([
      [1, false],
      [2, true],
      [3, false],
    ]);
    expect(found.ruledOut.length).toBeGreaterThan(0);
    expect(Number(found.lossMoney)).toBeCloseTo(((found.lossWh ?? 0) / 1_000) * (found.purchasePerKwh ?? 0), 4);
  });

  test('is found in the list of plants by its loss', async () => {
    const { plants: losing } = await plants.read(
      siteEndpoints.list,
      { condition: { losing: 'yes' }, sort: { field: 'weekLossWh', order: 'desc' } },
      token,
    );
    expect(losing.map(({ name }) => name)).toEqual(['Weaker', 'Weak']);
    expect(losing[0]?.weekLossWh).toBeGreaterThan(losing[1]?.weekLossWh ?? 0);
  });

  test('is nothing to a stranger, who gets no evidence of it either', async () => {
    const stranger = await plants.addInstaller();
    expect((await plants.read(fleetEndpoints.attention, {}, stranger.token)).total).toBe(0);
    for (const endpoint of [insightEndpoints.evidence, insightEndpoints.degradation] as const) {
      const answer = await plants.call(endpoint, { stationID: roofs.Weak?.id ?? '' }, stranger.token);
      expect(answer.errno).toBe(errno.siteNotFound);
    }
  });

  test('put off is hidden and counted, and comes back when it is taken back, on its day, or when it loses twice as much', async () => {
    const stationID = roofs.Weak?.id ?? '';
    const shown = async () => {
      const { plants: found, paused } = await plants.read(fleetEndpoints.attention, {}, token);
      return [found.map(({ name }) => name), paused];
    };
    const putOff = () =>
      plants.read(insightEndpoints.pause, { stationID, reason: 'known', until: '2026-07-04' }, token);
    await putOff();
    expect(await shown()).toEqual([['Weaker'], 1]);
    const { plants: putAway } = await plants.read(fleetEndpoints.attention, { paused: 'yes' }, token);
    expect(putAway).toMatchObject([{ name: 'Weak', pause: { reason: 'known', until: '2026-07-04', by: 'test' } }]);
    await plants.read(insightEndpoints.resume, { stationID }, token);
    expect(await shown()).toEqual([['Weaker', 'Weak'], 0]);

    await putOff();
    plants.time.nowMs = Date.UTC(2026, 6, 4, 0, 30);
    expect((await shown())[1]).toBe(0);
    plants.time.nowMs = NOW_MS;
    await plants.db
      .updateTable('insight_pauses')
      .set((eb) => ({ loss_wh: eb('loss_wh', '/', 2.01) }))
      .where('site_id', '=', stationID)
      .execute();
    expect(await shown()).toEqual([['Weaker', 'Weak'], 0]);
    const entries = await plants.db
      .selectFrom('audit_log')
      .select(['action', 'record_id'])
      .where('action', 'like', 'insight.%')
      .execute();
    expect(entries.map(({ action, record_id }) => [action, record_id])).toEqual([
      ['insight.pause', stationID],
      ['insight.resume', stationID],
      ['insight.pause', stationID],
    ]);
    await plants.db.deleteFrom('insight_pauses').execute();
  });

  test('is not put off until a day that has come', async () => {
    const answer = await plants.call(
      insightEndpoints.pause,
      { stationID: roofs.Weak?.id ?? '', reason: 'known', until: '2026-06-20' },
      token,
    );
    expect(answer.result).toMatchObject({ fields: [{ path: 'until', reason: 'too_small' }] });
  });

  test('that was told wrongly is reckoned again when its day is accounted anew', async () => {
    const roof = roofs.Weaker as Roof;
    await addRoofDays(plants, [{ roof, days: WEEK, told: { strings: whole, version: 2 } }]);
    await noteWrittenDays(
      plants.db,
      new Map([[{ id: roof.id, zone: 'Europe/Berlin' } as never, new Set(WEEK)]]),
      NOW_MS,
    );
    await work();
    expect((await plants.read(fleetEndpoints.attention, {}, token)).plants.map(({ name }) => name)).toEqual([
      'Weaker',
      'Weak',
    ]);
    plants.time.nowMs = NOW_MS + 600_000;
    await workThrough();
    plants.time.nowMs = NOW_MS;
    expect((await plants.read(fleetEndpoints.attention, {}, token)).plants.map(({ name }) => name)).toEqual(['Weak']);
  });
});

describe('of what is not known there is no figure', () => {
  test('without five neighbours and a sensor neither loss nor expectation is told, but what is missing', async () => {
    const { token, roofs } = await addStreet({ Alone: whole }, { latitude: -20, days: [ENDED] });
    await workThrough();
    const found = await plants.read(
      insightEndpoints.evidence,
      { stationID: roofs.Alone?.id ?? '', date: ENDED },
      token,
    );
    expect(found).toMatchObject({ source: null, peers: 0, expectedWh: null, lossWh: null, lossMoney: null });
    expect(found.missing).toContain('reference');
    expect(found.curve.expected.every((value) => value === null)).toBe(true);
    expect(found.clearSkyWh).toBeGreaterThan(0);
    expect((await plants.read(fleetEndpoints.attention, {}, token)).total).toBe(0);
  });

  test('a loss without a price has no amount, and stands below those that have one', async () => {
    const { installerId, token, roofs } = await addStreet({ ...street, Dear: [1, 0.8, 1] }, { latitude: 46.2 });
    const free = await addRoof(plants, installerId, 'Free', { latitude: 46.2, longitude: 11.52, purchase_price: null });
    await addRoofDays(plants, [{ roof: free, days: WEEK, told: { strings: [1, 0.3, 1] } }]);
    await noteWeek(installerId);
    const silent = await plants.addSite(installerId, { name: 'Silent', latest: { ts: new Date(NOW_MS - 86_400_000) } });
    await workThrough();
    const { plants: found, sums } = await plants.read(fleetEndpoints.attention, {}, token);
    expect(found.map(({ name, isLosing }) => [name, isLosing])).toEqual([
      ['Dear', true],
      ['Silent', false],
      ['Free', true],
    ]);
    expect(found[1]).toMatchObject({ stationID: silent.id, state: 'offline' });
    expect(found[2]?.week).toMatchObject({ lossMoney: null, missing: expect.arrayContaining(['price']) });
    expect(sums.map(({ plants: count }) => count)).toEqual([1]);
    expect(roofs.Dear).toBeDefined();
  });
});

test('what an owner puts off is put off for the owner alone, and who has the plant shared only cannot', async () => {
  const { installerId, token } = await addStreet(street, { latitude: 44.4 });
  const account = await plants.addAccount(installerId, 1);
  const owner = plants.signIn(account);
  const guest = await plants.addAccount(installerId, 1);
  const roof = await addRoof(plants, installerId, 'Owned', { latitude: 44.4, owner_account_id: account.id });
  await addRoofDays(plants, [{ roof, days: WEEK, told: { strings: [1, 0.5, 1] } }]);
  await noteWeek(installerId);
  await plants.db
    .insertInto('site_shares')
    .values({ site_id: roof.id, account_id: guest.id, given_by: account.id, ended_at: null, ended_by_change: null })
    .execute();
  await workThrough();
  const guestToken = plants.signIn(guest);
  const seen = await plants.read(fleetEndpoints.attention, {}, guestToken);
  expect(seen.plants).toMatchObject([{ name: 'Owned', can: { pause: false } }]);
  const refused = await plants.call(
    insightEndpoints.pause,
    { stationID: roof.id, reason: 'known', until: '2026-06-30' },
    guestToken,
  );
  expect(refused.errno).toBe(errno.noPermission);
  await plants.read(insightEndpoints.pause, { stationID: roof.id, reason: 'waiting', until: '2026-06-30' }, owner);
  expect((await plants.read(fleetEndpoints.attention, {}, owner)).paused).toBe(1);
  expect(await plants.read(fleetEndpoints.attention, {}, token)).toMatchObject({ paused: 0, total: 1 });
});

test('a run that is ended in between is gone on with, and what was done comes out the same however often it is done', async () => {
  const { installerId, token } = await addStreet({ ...street, Weak: [1, 0.5, 1] }, { latitude: 42.6 });
  const rows = async () => {
    const { rows: ids } = {
      rows: await plants.db.selectFrom('sites').select('key').where('organisation_id', '=', installerId).execute(),
    };
    const answer = await plants.stores.telemetry.client.query({
      query: `SELECT toString(day) AS date, site, loss_wh, insight FROM site_insight FINAL WHERE site IN (${ids.map(({ key }) => key).join(',')}) ORDER BY date, site`,
      format: 'JSONEachRow',
    });
    return answer.json();
  };
  // So little time that each run does one part.
  const due = () => plants.db.selectFrom('insight_due').select('day').execute();
  let runs = 0;
  const all = await due();
  await work({ longestMs: Number.POSITIVE_INFINITY, ending: AbortSignal.abort() });
  expect(await due()).toEqual(all);
  for (; (await due()).length > 0; runs += 1) await work({ longestMs: 1 });
  expect(runs).toBeGreaterThan(1);
  const first = await rows();
  expect(first).toHaveLength(7 * 7);
  const shown = await plants.read(fleetEndpoints.attention, {}, token);
  // As after an end between the writing of a part and its being noted as done.
  await noteWeek(installerId);
  await workThrough();
  expect(await rows()).toHaveLength(7 * 7);
  expect(await plants.read(fleetEndpoints.attention, {}, token)).toEqual(shown);
});

/** Days of a week of all plants of an organisation, as a turn of the day notes them. */
async function noteWeek(organisationID: string): Promise<void> {
  const sites = await plants.db
    .selectFrom('sites')
    .select('id')
    .where('organisation_id', '=', organisationID)
    .execute();
  await noteWrittenDays(
    plants.db,
    new Map(sites.map(({ id }) => [{ id, zone: 'Europe/Berlin' } as never, new Set(WEEK)])),
    NOW_MS - 86_400_000 + 3_600_000 * 14,
  );
}

describe('operations', () => {
  let token: string;
  let roofs: Record<string, Roof>;

  beforeAll(async () => {
    plants.time.nowMs = NOW_MS;
    ({ token, roofs } = await addStreet({ ...street, Weak: [1, 0.4, 1] }, { latitude: 50.3 }));
    await addRoof(plants, (await siteOf(roofs.A as Roof)).organisation_id, 'New', { latitude: -60, longitude: 0 });
    await workThrough();
  });
  const siteOf = ({ id }: Roof) =>
    plants.db.selectFrom('sites').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const condition = { first: WEEK.at(-1) ?? '', last: ENDED };

  test('are told over any period, in any order, what is not known last, and a plant far from its neighbours is marked', async () => {
    const { plants: found } = await plants.read(insightEndpoints.list, { condition }, token);
    expect(found[0]).toMatchObject({
      name: 'Weak',
      outlier: 'low',
      days: 7,
      reason: { kind: 'string-weak' },
      peers: 6,
    });
    expect(found[0]?.peersYield).toBeGreaterThan((found[0]?.specificYield ?? 0) * 1.2);
    expect(found[0]?.performanceRatio).toBeLessThan((found[1]?.performanceRatio ?? 0) - 15);
    expect(found[1]).toMatchObject({ outlier: null, completeness: 100, availability: 100 });
    expect(found.at(-1)).toMatchObject({ name: 'New', specificYield: null, performanceRatio: null, lossWh: null });
    for (const field of ['specificYield', 'performanceRatio', 'availability', 'actualWh', 'lossWh'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        const sorted = await plants.read(insightEndpoints.list, { condition, sort: { field, order } }, token);
        const values = sorted.plants.flatMap((row) => row[field] ?? []);
        expect(values).toEqual(values.toSorted((a, b) => (order === 'asc' ? a - b : b - a)));
        expect(sorted.plants.at(-1)?.name).toBe('New');
      }
    }
    for (const field of sortFieldsOf(devOpsFields)) {
      const { total } = await plants.read(insightEndpoints.list, { condition, sort: { field, order: 'desc' } }, token);
      expect(total).toBe(8);
    }
    const one = await plants.read(insightEndpoints.list, { condition: { first: ENDED, last: ENDED } }, token);
    expect(one.plants[0]).toMatchObject({ name: 'Weak', days: 1 });
    expect(one.plants[0]?.lossWh).toBeLessThan((found[0]?.lossWh ?? 0) / 6);
  });

  test('are told in a file as on the screen', async () => {
    const response = await plants.fetch(
      insightEndpoints.exportList,
      { condition, sort: { field: 'lossWh', order: 'desc' }, columns: ['name', 'lossWh', 'reason', 'currency'] },
      token,
    );
    const lines = (await response.text()).trim().split('\r\n');
    expect(lines).toHaveLength(1 + 8);
    expect(lines[1]).toMatch(/^Weak[,;][\d.,"]+[,;]Weak string[,;]EUR$/);
  });

  test('refuse a period that ends before it begins', async () => {
    const answer = await plants.call(insightEndpoints.list, { condition: { first: ENDED, last: '2026-06-01' } }, token);
    expect(answer.errno).toBe(errno.refusedInput);
  });

  test('of a day on which nothing was heard are not known, not nought, and say that history is still coming', async () => {
    const rowOfNew = async () => {
      const { plants: found } = await plants.read(insightEndpoints.list, { condition }, token);
      return found.find(({ name }) => name === 'New');
    };
    expect(await rowOfNew()).toMatchObject({ isPreliminary: false });
    const { id, key } = await plants.db
      .selectFrom('sites')
      .select(['id', 'key'])
      .where('name', '=', 'New')
      .executeTakeFirstOrThrow();
    const silent = { site: key, version: 9, kwp: 10, actual_wh: 0, completeness: 0 };
    await plants.insert('site_insight', [{ ...silent, day: ENDED }]);
    await plants.db.updateTable('site_latest').set({ history_percent: 40 }).where('site_id', '=', id).execute();
    const unheard = { specificYield: null, actualWh: null, performanceRatio: null, completeness: 0 };
    expect(await rowOfNew()).toMatchObject({ ...unheard, isPreliminary: true });
    const heard = { ...silent, day: WEEK[1] ?? '', actual_wh: 5_000, completeness: 0.5 };
    await plants.insert('site_insight', [heard]);
    expect(await rowOfNew()).toMatchObject({ specificYield: 0.5, actualWh: 5_000, completeness: 25 });
  });

  test('tell no change per year before two years are stored', async () => {
    const answer = await plants.read(insightEndpoints.degradation, { stationID: roofs.A?.id ?? '' }, token);
    expect(answer).toEqual({ days: 7, daysNeeded: 730, found: null });
  });
});
