import { type KyselyPlugin, sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Registry } from '../ingestion/registry/registry.ts';
import type { Stores } from '../stores/stores.ts';
import { makePlant, startTestStores, type TestPlant } from '../testing/ingestion.ts';
import { ChangeFeed, type Changes } from './change-feed.ts';

const logger = pino({ level: 'silent' });
let stores: Stores;
let plant: TestPlant;
let feed: ChangeFeed;
let told: Changes[];

beforeAll(async () => {
  stores = await startTestStores();
});
afterAll(() => stores?.stop());
beforeEach(async () => {
  plant = await makePlant(stores.db);
  feed = new ChangeFeed(stores.db, logger);
  await feed.begin();
  told = [];
  feed.listen({
    changed: async (changes) => void told.push(changes),
    missed: () => Promise.reject(new Error('nothing was missed')),
  });
});

const renamed = (name: string) => stores.db.updateTable('sites').set({ name }).where('id', '=', plant.siteId).execute();
const rezoned = (zone: string, db = stores.db) =>
  db.updateTable('sites').set({ time_zone: zone }).where('id', '=', plant.siteId).execute();
const toldSites = () => told.flatMap(({ sites }) => [...sites]);

describe('what is told', () => {
  test('is what was committed before, once, and nothing that was there before the beginning', async () => {
    await feed.read();
    expect(told).toEqual([]);
    await rezoned('Europe/Vienna');
    await feed.read();
    await feed.read();
    expect(toldSites()).toEqual([plant.siteId]);
  });

  test('are dataloggers by their serial number, also one whose row is gone', async () => {
    await stores.db.updateTable('loggers').set({ site_id: null }).where('sn', '=', plant.sn).execute();
    await stores.db.deleteFrom('loggers').where('sn', '=', plant.sn).execute();
    await feed.read();
    expect(told.flatMap(({ dataloggers }) => [...dataloggers.values()])).toEqual([plant.sn]);
  });

  test('is not what ingestion writes all the time, nor what it does not hold', async () => {
    await stores.db
      .updateTable('loggers')
      .set({ last_seen_at: new Date(), online: true, firmware: '9.9' })
      .where('sn', '=', plant.sn)
      .execute();
    await renamed('Another name');
    await rezoned('Europe/Berlin');
    await feed.read();
    expect(told).toEqual([]);
  });

  test('is a transaction that began before and ended after a reading; what others committed meanwhile is not told twice', async () => {
    const other = await makePlant(stores.db);
    await feed.read();
    told = [];
    const hasWritten = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const slow = stores.db.transaction().execute(async (tx) => {
      await rezoned('Europe/Rome', tx);
      hasWritten.resolve();
      await mayCommit.promise;
    });
    await hasWritten.promise;
    await stores.db.updateTable('sites').set({ time_zone: 'Asia/Seoul' }).where('id', '=', other.siteId).execute();
    await feed.read();
    await feed.read();
    expect(toldSites()).toEqual([other.siteId]);
    mayCommit.resolve();
    await slow;
    await feed.read();
    await feed.read();
    expect(toldSites()).toEqual([other.siteId, plant.siteId]);
  });

  test('is told again where a listener could not take it', async () => {
    let isBroken = true;
    const taken: string[] = [];
    feed.listen({
      async changed({ sites }) {
        if (isBroken) throw new Error('the database is away');
        taken.push(...sites);
      },
      missed: () => Promise.resolve(),
    });
    await rezoned('Europe/Madrid');
    await expect(feed.read()).rejects.toThrow('the database is away');
    isBroken = false;
    await feed.read();
    expect(taken).toEqual([plant.siteId]);
  });

  test('is that something was missed, where nobody read for longer than changes are kept', async () => {
    let nowMs = 0;
    let misses = 0;
    const late = new ChangeFeed(stores.db, logger, () => nowMs);
    await late.begin();
    late.listen({
      changed: () => Promise.reject(new Error('this may be a part only')),
      async missed() {
        misses += 1;
      },
    });
    nowMs = 3 * 3_600_000;
    await rezoned('Europe/Prague');
    await late.read();
    expect(misses).toBe(1);
    await late.read();
    expect(misses).toBe(1);
  });
});

describe('what ingestion holds', () => {
  /** Counts the rows that statements answer. */
  let rows = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      rows += result.rows.length;
      return result;
    },
  };
  const ignore = () => undefined;
  const quiet = { moved: ignore, refused: ignore, claimed: ignore, standing: ignore };

  test('is what was asked for, and follows a change by reading what has changed, however many plants there are', async () => {
    await sql`insert into sites (name, organisation_id, time_zone, country)
      select 'Many', organisation_id, 'Europe/Berlin', country from sites, generate_series(1, 500)
      where id = ${plant.siteId}`.execute(stores.db);
    const db = stores.db.withPlugin(counting);
    const own = new ChangeFeed(db, logger);
    await own.begin();
    const registry = new Registry(db, own, quiet);
    registry.start();
    expect(rows).toBeLessThanOrEqual(1);
    await registry.learn(plant.sn);
    expect(registry.siteById(plant.siteId)?.zone).toBe('Europe/Berlin');
    expect(rows).toBeLessThan(10);
    rows = 0;
    await registry.refresh();
    expect(rows).toBeLessThanOrEqual(1);
    await rezoned('Europe/Lisbon');
    await registry.refresh();
    expect(registry.siteById(plant.siteId)?.zone).toBe('Europe/Lisbon');
    const added = await makePlant(stores.db);
    await registry.learn(added.sn);
    expect(registry.dataloggerBySn(added.sn)?.site?.id).toBe(added.siteId);
    expect(rows).toBeLessThan(30);
  });

  test('a datalogger that comes to a plant brings its devices, and a plant that is known later its dataloggers', async () => {
    const registry = new Registry(stores.db, feed, quiet);
    registry.start();
    const datalogger = await registry.learn(plant.sn);
    if (datalogger === undefined) throw new Error('the datalogger is not known');
    const device = registry.device(datalogger, `C${plant.sn}`, 'inverter');
    await registry.settle();
    const place = (siteId: string | null) =>
      stores.db.transaction().execute(async (tx) => {
        await tx.updateTable('loggers').set({ site_id: siteId }).where('sn', '=', plant.sn).execute();
        await tx.updateTable('devices').set({ site_id: siteId }).where('id', '=', device.id).execute();
      });
    await place(null);
    await registry.refresh();
    expect([datalogger.site, device.site]).toEqual([undefined, undefined]);
    const other = await makePlant(stores.db);
    await stores.db.updateTable('loggers').set({ site_id: other.siteId }).where('sn', '=', plant.sn).execute();
    await registry.refresh();
    expect([datalogger.site?.id, device.site?.id]).toEqual([other.siteId, other.siteId]);
  });
});
