import { localDay } from '@sonnenwarte/energy/calendar';
import { type KyselyPlugin, sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { hashToken } from '../broker/credentials.ts';
import { ChangeFeed } from '../changes/change-feed.ts';
import { until } from '../testing/edge.ts';
import { freshSn, makeDatalogger, makePlant, TEST_PASSWORD, type TestPlant } from '../testing/ingestion.ts';
import { JsonDatalogger } from '../testing/json-datalogger.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { Registry } from './registry/registry.ts';

const HELD_MS = 100;
const HOUR_MS = 3_600_000;
const own = ownIngestion({ timing: { heldMs: HELD_MS, clearAlarmMs: 0 } });

const connect = (sn: string) => JsonDatalogger.connect(own.ingestion.port, sn);
const held = () => own.ingestion.counted('ingest_held_loggers');
const nobodyIsHeld = () => until(async () => (await held()) === 0);

const reading = (dev: string, tsMs: number, totalKwh: number, alarms?: number[]) => ({
  ts: tsMs,
  dev,
  kind: 'inverter',
  v: { 'AC/ActivePower': 3_000, 'DC/Power': 3_000, 'Energy/PvTotal': totalKwh },
  ...(alarms && { alarms: alarms.map((code) => ({ code, level: 2 })) }),
});

/** Tells readings and goes away. */
async function tell(sn: string, ...readings: object[]): Promise<void> {
  const datalogger = await connect(sn);
  await datalogger.tell(readings);
  await own.ingestion.drain();
  await datalogger.end();
}

const device = (sn: string) =>
  own.stores.db.selectFrom('devices').selectAll().where('sn', '=', sn).executeTakeFirstOrThrow();

const energyOf = async ({ siteKey }: TestPlant) =>
  (
    await own.rows<{ wh: number }>(`SELECT sum(pv_wh) AS wh FROM site_5m FINAL WHERE site = ${siteKey} AND pv_wh > 0`)
  )[0]?.wh;

describe('a plant', () => {
  test('is held while its datalogger is connected, and is let go of afterwards; nothing is lost by that', async () => {
    await nobodyIsHeld();
    const plant = await makePlant(own.stores.db);
    const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;
    const sn = `HELD-${plant.sn}`;
    const datalogger = await connect(plant.sn);
    await datalogger.tell(reading(sn, startMs, 10));
    await datalogger.tell(reading(sn, startMs + 300_000, 10.25, [7]));
    await own.ingestion.drain();
    expect(await held()).toBe(1);
    await datalogger.end();
    await nobodyIsHeld();
    const before = await device(sn);
    const [alarm] = await own.stores.db.selectFrom('alarms').selectAll().where('device_id', '=', before.id).execute();
    await tell(plant.sn, reading(sn, startMs + 600_000, 10.5, [7]));
    expect(await energyOf(plant)).toBeCloseTo(500, 3);
    expect(await device(sn)).toMatchObject({ id: before.id, key: before.key, opening: before.opening });
    expect(await own.stores.db.selectFrom('alarms').selectAll().where('device_id', '=', before.id).execute()).toEqual([
      alarm,
    ]);
    await tell(plant.sn, reading(sn, startMs + 900_000, 10.75, []));
    await nobodyIsHeld();
  });

  test('is whole: who connects brings the other dataloggers of the plant and what they told', async () => {
    const plant = await makePlant(own.stores.db);
    const second = await makeDatalogger(own.stores.db, plant.siteId);
    const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;
    await tell(plant.sn, reading(`A-${plant.sn}`, startMs, 10), reading(`A-${plant.sn}`, startMs + 300_000, 10.25));
    await nobodyIsHeld();
    await tell(second, reading(`B-${plant.sn}`, startMs, 20), reading(`B-${plant.sn}`, startMs + 300_000, 20.25));
    expect(await energyOf(plant)).toBeCloseTo(500, 3);
  });
});

describe('a serial number of a device whose datalogger is not held', () => {
  test('is claimed by who names it, where it belongs to a plant; twenty times at most', async () => {
    const [plant, other] = [await makePlant(own.stores.db), await makePlant(own.stores.db)];
    const nowMs = Date.now();
    const names = Array.from({ length: 22 }, (_, at) => `CLAIM-${plant.sn}-${at}`);
    await tell(plant.sn, ...names.map((name) => reading(name, nowMs, 10)));
    await nobodyIsHeld();
    const holders = await own.stores.db
      .selectFrom('devices')
      .select(['id', 'sn'])
      .where('site_id', '=', plant.siteId)
      .orderBy('key')
      .execute();
    expect(holders).toHaveLength(names.length);
    await tell(other.sn, ...names.map((name) => reading(name, nowMs, 70)));
    const claims = await own.stores.db
      .selectFrom('device_claims')
      .innerJoin('devices as claimant', 'claimant.id', 'claimant_id')
      .innerJoin('loggers', 'loggers.id', 'claimant.logger_id')
      .select(['device_claims.sn', 'loggers.sn as of'])
      .where('device_claims.sn', 'in', names)
      .execute();
    expect(claims).toHaveLength(20);
    expect(new Set(claims.map(({ of }) => of))).toEqual(new Set([other.sn]));
    const after = await own.stores.db
      .selectFrom('devices')
      .select(['id', 'sn'])
      .where('site_id', '=', plant.siteId)
      .orderBy('key')
      .execute();
    expect(after).toEqual(holders);
  });

  test('goes to who names it, with what is known of it, where it is in no plant and its datalogger is silent', async () => {
    const lone = await makeDatalogger(own.stores.db, null);
    const plant = await makePlant(own.stores.db);
    const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;
    const sn = `LONE-${lone}`;
    await tell(lone, reading(sn, startMs, 10, [7]), reading(sn, startMs + 300_000, 10.5, [7]));
    await nobodyIsHeld();
    const before = await device(sn);
    await tell(plant.sn, reading(sn, startMs + 600_000, 11, [7]));
    expect(await device(sn)).toMatchObject({
      id: before.id,
      key: before.key,
      site_id: plant.siteId,
      opening: before.opening,
    });
    const alarms = await own.stores.db.selectFrom('alarms').select('code').where('device_id', '=', before.id).execute();
    expect(alarms).toEqual([{ code: 7 }]);
  });

  test('is claimed where its datalogger is there, though it is in no plant', async () => {
    const lone = await connect(await makeDatalogger(own.stores.db, null));
    const plant = await makePlant(own.stores.db);
    const sn = `THERE-${lone.sn}`;
    await lone.tell(reading(sn, Date.now(), 10));
    await own.ingestion.drain();
    const before = await device(sn);
    await tell(plant.sn, reading(sn, Date.now(), 70));
    expect(await device(sn)).toEqual({ ...before, last_seen_at: expect.any(Date) });
    expect(await device(`${sn}@${plant.sn}`)).toMatchObject({ told_sn: sn, site_id: null });
    await lone.end();
  });
});

test('dataloggers that come at once are read together, and one that nobody knows is known not to be', async () => {
  let queries = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { db } = own.stores;
  const plant = await makePlant(db);
  const first = Number(freshSn()) + 1_000_000;
  await sql`
    with made as (
      insert into sites (name, organisation_id, time_zone, country)
      select n::text, organisation_id, 'Europe/Berlin', country from sites, generate_series(${first}::bigint, ${first + 599}::bigint) n
      where sites.id = ${plant.siteId} returning id, name)
    insert into loggers (sn, site_id, token_hash) select name, id, ${hashToken(TEST_PASSWORD)} from made`.execute(db);
  const feed = new ChangeFeed(db, pino({ level: 'silent' }));
  await feed.begin();
  const ignore = () => undefined;
  const registry = new Registry(db.withPlugin(counting), feed, {
    moved: ignore,
    refused: ignore,
    claimed: ignore,
    standing: ignore,
  });
  registry.start();
  const sns = Array.from({ length: 600 }, (_, at) => String(first + at));
  const learned = await Promise.all([...sns, String(first + 600)].map((sn) => registry.learn(sn)));
  expect(learned.slice(0, -1).map((datalogger) => datalogger?.site?.dataloggers.size)).toEqual(sns.map(() => 1));
  expect(learned.at(-1)).toBeUndefined();
  expect(registry.size).toBe(600);
  expect(queries).toBeLessThan(40);
});

describe('a new local day in plants that nobody holds', () => {
  const hoursAhead = 12 - new Date().getUTCHours();
  /** Zones in which it is not about to be another day. */
  const zones = [hoursAhead - 1, hoursAhead, hoursAhead + 1].map(
    (ahead) => `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`,
  );

  /** A plant with a device, of which 250 Wh are recorded for today and 1 kWh before recording; the datalogger never speaks. */
  async function recorded(zone: string, latest: { local_day: string; today_wh: number }): Promise<string> {
    const { db, telemetry } = own.stores;
    const { siteId, siteKey, sn } = await makePlant(db, { zone });
    const datalogger = db.selectFrom('loggers').select('id').where('sn', '=', sn);
    const { id } = await datalogger.executeTakeFirstOrThrow();
    await db
      .insertInto('devices')
      .values({ sn: `DAY-${sn}`, logger_id: id, site_id: siteId, kind: 'inverter' })
      .execute();
    await sql`insert into site_openings (site_id, pv_wh) values (${siteId}, 1000)`.execute(db);
    await sql`update site_latest set local_day = ${latest.local_day}, today_wh = ${latest.today_wh} where site_id = ${siteId}`.execute(
      db,
    );
    const day = { site: siteKey, day: localDay(Date.now(), zone), version: 1, quality: 0, pv_wh: 250 };
    await telemetry.client.insert({ table: 'site_day', values: [day], format: 'JSONEachRow' });
    return siteId;
  }

  test('is written zone by zone, with what was made before; those whose figures are of that day are left alone', async () => {
    const [west = '', here = '', east = ''] = zones;
    const turned = [
      await recorded(west, { local_day: '2020-02-29', today_wh: 1 }),
      await recorded(here, { local_day: '2020-02-29', today_wh: 1 }),
      await recorded(here, { local_day: '2026-01-01', today_wh: 2 }),
    ];
    const today = await recorded(east, { local_day: localDay(Date.now(), east), today_wh: 3 });
    await own.restart();
    await own.ingestion.drain();
    const figures = async (id: string) =>
      own.stores.db
        .selectFrom('site_latest')
        .select(['local_day', 'today_wh', 'total_wh'])
        .where('site_id', '=', id)
        .executeTakeFirst();
    for (const [at, id] of turned.entries()) {
      const day = localDay(Date.now(), at === 0 ? west : here);
      expect(await figures(id)).toEqual({ local_day: day, today_wh: 250, total_wh: 1_250 });
    }
    expect(await figures(today)).toMatchObject({ today_wh: 3 });
  });
});
