import type { ValueNode } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemScope } from '../access/scope.ts';
import { changePrices, changeZone } from '../sites/prices.service.ts';
import { siteFiguresOf, siteReport } from '../sites/sites.service.ts';
import { makePlant, startTestIngestion, type TestPlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';

const BUCKET_S = 300;
const FIRST_S = Date.UTC(2025, 8, 30, 20, 45) / 1_000;
const YEAR = 372 * 288;
/** In the middle of a day, and of an hour, in each of the zones. */
const NEW_PRICES_S = Date.UTC(2026, 2, 29, 9, 20) / 1_000;

const own = ownIngestion();

interface Bucket {
  ts: number;
  pv: number;
  exported: number;
}

/** Buckets of a plant, each with energies of its own; every hundredth is not there. */
async function record({ siteKey }: TestPlant, buckets: number): Promise<Bucket[]> {
  await own.stores.telemetry.client.command({
    query: `INSERT INTO site_5m (site, ts, version, quality, pv_wh, export_wh, pv_to_grid_wh)
      SELECT ${siteKey}, toDateTime(${FIRST_S} + number * ${BUCKET_S}, 'UTC'), 1, 0,
        40 + cityHash64(number) % 20, 10 + cityHash64(number, 1) % 20, 10 + cityHash64(number, 1) % 20
      FROM numbers(${buckets}) WHERE number % 100 != 7`,
  });
  return own.rows<Bucket>(
    `SELECT toUnixTimestamp(ts) AS ts, pv_wh AS pv, export_wh AS exported FROM site_5m WHERE site = ${siteKey} ORDER BY ts`,
  );
}

interface Sums {
  pv: number;
  income: number;
  saving: number;
}

/** Days and hours by the clock that Intl shows: an hour begins where hour, day or offset change. */
function regrouped(buckets: readonly Bucket[], zone: string): { days: Map<string, Sums>; hours: Map<number, Sums> } {
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const days = new Map<string, Sums>();
  const hours = new Map<number, Sums>();
  for (const { ts, pv, exported } of buckets) {
    const parts = new Map(clock.formatToParts(ts * 1_000).map(({ type, value }) => [type, value]));
    const day = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
    const hour = ts - 60 * Number(parts.get('minute'));
    const price = ts < NEW_PRICES_S ? { feedIn: 0.08, purchase: 0.3 } : { feedIn: 0.11, purchase: 0.4 };
    const income = (exported / 1_000) * price.feedIn;
    const saving = ((pv - exported) / 1_000) * price.purchase;
    for (const sums of [of(days, day), of(hours, hour)]) {
      sums.pv += pv;
      sums.income += income;
      sums.saving += saving;
    }
  }
  return { days, hours };
}

function of<K>(map: Map<K, Sums>, key: K): Sums {
  const sums = map.get(key) ?? { pv: 0, income: 0, saving: 0 };
  map.set(key, sums);
  return sums;
}

/** Every hour and day that is stored is one of the calendar's, none is missing, none is double. */
async function expectCalendar({ siteKey }: TestPlant, buckets: readonly Bucket[], zone: string): Promise<void> {
  const wanted = regrouped(buckets, zone);
  const days = await own.rows<{ name: string; pv: number; income: number; saving: number }>(
    `SELECT toString(day) AS name, pv_wh AS pv, toFloat64(income) AS income, toFloat64(saving) AS saving
     FROM site_day FINAL WHERE site = ${siteKey} ORDER BY day`,
  );
  expect(days.map(({ name }) => name)).toEqual([...wanted.days.keys()]);
  for (const { name, pv, income, saving } of days) {
    const day = wanted.days.get(name);
    expect(pv).toBe(day?.pv);
    expect(income).toBeCloseTo(day?.income ?? Number.NaN, 5);
    expect(saving).toBeCloseTo(day?.saving ?? Number.NaN, 5);
  }
  const hours = await own.rows<{ ts: number; pv: number }>(
    `SELECT toUnixTimestamp(ts) AS ts, pv_wh AS pv FROM site_hour FINAL WHERE site = ${siteKey} ORDER BY ts`,
  );
  expect(hours).toEqual([...wanted.hours].map(([ts, { pv }]) => ({ ts, pv })));
}

const move = (plant: TestPlant, timeZone: string) =>
  changeZone(own.stores.db, { scope: systemScope, source: {}, siteId: plant.siteId, timeZone });

const reads = () => ({ db: own.stores.db, telemetry: own.stores.telemetry.client, nowMs: () => Date.UTC(2026, 5, 1) });

describe('many plants whose figures are made anew', () => {
  test.each(['samples', 'devices', 'calendar'] as const)('lose their mark one by one, of depth %s', async (depth) => {
    const plants = [];
    for (let count = 0; count < 4; count += 1) {
      const plant = await makePlant(own.stores.db, { zone: 'UTC' });
      await record(plant, 3);
      plants.push(plant);
    }
    await own.ingestion.drain();
    const ended: unknown[] = [];
    const db = own.stores.db.withPlugin({
      transformQuery: ({ node }) => {
        if (node.kind === 'RawNode' && node.sqlFragments[0]?.startsWith('delete from recalculations') === true) {
          const [ids] = node.parameters;
          if (ids?.kind === 'ValueNode') ended.push((ids as ValueNode).value);
        }
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    await own.ingestion.stop();
    const watched = await startTestIngestion({ ...own.stores, db });
    await own.stores.db
      .insertInto('recalculations')
      .values(plants.map(({ siteId }) => ({ site_id: siteId, depth })))
      .execute();
    await watched.drain();
    await watched.stop();
    await own.start();
    expect(ended.map((ids) => (ids as unknown[]).length)).toEqual([1, 1, 1, 1]);
  });
});

describe('a plant whose zone changes', () => {
  test('has its past hours, days and money by the new calendar, none missing and none double', async () => {
    const plant = await makePlant(own.stores.db, { zone: 'UTC' });
    const other = await makePlant(own.stores.db, { zone: 'Europe/Berlin' });
    const buckets = await record(plant, YEAR);
    await record(other, 288);
    await changePrices(
      own.stores.db,
      {
        scope: systemScope,
        source: {},
        siteId: plant.siteId,
        feedInPrice: '0.11',
        purchasePrice: '0.4',
        currency: 'EUR',
        validFrom: new Date(NEW_PRICES_S * 1_000).toISOString().slice(0, 16),
      },
      Date.now(),
    );
    for (const zone of ['Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns']) {
      await move(plant, zone);
      expect((await siteFiguresOf(reads(), { stationID: plant.siteId }, { scope: systemScope })).recalculating).toBe(
        true,
      );
      await own.ingestion.drain();
      expect((await siteFiguresOf(reads(), { stationID: plant.siteId }, { scope: systemScope })).recalculating).toBe(
        false,
      );
      await expectCalendar(plant, buckets, zone);
      for (const [month, day] of [
        [1, 15],
        [3, 8],
        [3, 29],
      ] as const) {
        const [generation] = await siteReport(
          reads(),
          {
            stationID: plant.siteId,
            reportType: 'day',
            queryDate: { year: 2026, month, day },
            variables: ['PVEnergyTotal'],
          },
          { scope: systemScope },
        );
        const changes = zone === 'America/St_Johns' ? day === 8 : zone === 'Europe/Berlin' && day === 29;
        expect(generation?.data).toHaveLength(changes ? 23 : 24);
        expect(generation?.data.filter(({ value }) => value === null)).toEqual([]);
      }
    }
    expect(await own.rows(`SELECT count() AS count FROM site_hour WHERE site = ${other.siteKey}`)).toEqual([
      { count: 0 },
    ]);
  }, 180_000);

  test.each(['fails', 'is stopped'])(
    'has them although the server %s in the middle, and the zone changed again',
    async (how) => {
      const plant = await makePlant(own.stores.db, { zone: 'Europe/Berlin' });
      const buckets = await record(plant, 80 * 288);
      await move(plant, 'Asia/Kolkata');
      await own.ingestion.drain();
      await expectCalendar(plant, buckets, 'Asia/Kolkata');
      await own.ingestion.stop();

      let written = 0;
      let stopping: Promise<void> | undefined;
      const insertRowBinary: typeof own.stores.telemetry.insertRowBinary = async (table, columns, body) => {
        if (table === 'site_hour') written += 1;
        if (written > 2 && how === 'fails') throw new Error('the server fails here');
        if (written > 2) stopping ??= ended.stop();
        await own.stores.telemetry.insertRowBinary(table, columns, body);
      };
      await move(plant, 'America/St_Johns');
      const ended = await startTestIngestion({
        ...own.stores,
        telemetry: { ...own.stores.telemetry, insertRowBinary },
      });
      await ended.drain().catch(() => undefined);
      await (stopping ?? ended.stop());
      expect(written).toBe(3);
      await move(plant, 'Asia/Kathmandu');

      await own.start();
      await own.ingestion.drain();
      await expectCalendar(plant, buckets, 'Asia/Kathmandu');
    },
  );

  test('is marked until all of it is done, also over a stop', async () => {
    const plant = await makePlant(own.stores.db, { zone: 'UTC' });
    const buckets = await record(plant, 80 * 288);
    await move(plant, 'Asia/Kolkata');
    await own.ingestion.stop();
    let stopping: Promise<void> | undefined;
    const insertRowBinary: typeof own.stores.telemetry.insertRowBinary = async (table, columns, body) => {
      if (table === 'site_hour') stopping ??= ended.stop();
      await own.stores.telemetry.insertRowBinary(table, columns, body);
    };
    const ended = await startTestIngestion({ ...own.stores, telemetry: { ...own.stores.telemetry, insertRowBinary } });
    await ended.drain().catch(() => undefined);
    await stopping;
    expect((await siteFiguresOf(reads(), { stationID: plant.siteId }, { scope: systemScope })).recalculating).toBe(
      true,
    );
    await own.start();
    await own.ingestion.drain();
    expect((await siteFiguresOf(reads(), { stationID: plant.siteId }, { scope: systemScope })).recalculating).toBe(
      false,
    );
    await expectCalendar(plant, buckets, 'Asia/Kolkata');
  });
});
