import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { marketPriceEndpoints } from '@sonnenwarte/contract/market-prices/market-prices';
import { edit, form } from '@sonnenwarte/contract/site-form/site-form';
import { detail, money } from '@sonnenwarte/contract/sites/sites';
import { QUARTER_MS } from '@sonnenwarte/energy/accounting/market-price';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemScope } from '../access/scope.ts';
import type { PriceSource } from '../price-sources.ts';
import { changePrices } from '../sites/prices.service.ts';
import { TestEdge } from '../testing/edge.ts';
import { makePlant, type TestPlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { askedSpan, askedUrl, PriceReader } from './market-prices.job.ts';
import { keepPrices, noteSources, sourceStates } from './market-prices.store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
const ZONE = 'Europe/Berlin';
const notEnding = new AbortController().signal;

type Answers = (response: ServerResponse, url: URL) => void;
let server: Server;
let base: string;
let answers: Answers;
let asked: URL[] = [];

const ofBody =
  (body: string): Answers =>
  (response) =>
    response.end(body);

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', base);
    asked.push(url);
    answers(response, url);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prices?token=own`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

const own = ownIngestion();
let zones = 0;

/** A reader of one source of its own, with a clock that is set by hand. */
async function readerOf(shape: PriceSource['shape'], { isPrivate = true, nowMs = Date.now() } = {}) {
  zones += 1;
  const zone = `Z${zones}`;
  const clock = { nowMs };
  const rules = { privateAddresses: isPrivate, plainLoopback: isPrivate, plainPrivate: isPrivate };
  const { db } = own.stores;
  await noteSources(db, [zone]);
  const reader = new PriceReader({
    db,
    nowMs: () => clock.nowMs,
    logger: pino({ level: 'silent' }),
    sources: [{ zone, shape, url: base }],
    rules,
    timeoutMs: 300,
  });
  const known = async () => {
    const rows = db.selectFrom('market_prices').select(['start_at', 'micro']).where('zone', '=', zone);
    return (await rows.orderBy('start_at').execute()).map(({ start_at, micro }) => [start_at.getTime(), micro]);
  };
  return { zone, clock, known, read: () => reader.read(notEnding) };
}

const quarterAt = (at: number) => Math.floor(Date.now() / DAY_MS) * DAY_MS + at * QUARTER_MS;
const ownBody = (prices: Readonly<Record<number, number>>): string =>
  JSON.stringify(
    Object.entries(prices).map(([at, price]) => ({
      start: new Date(quarterAt(Number(at))).toISOString(),
      end: new Date(quarterAt(Number(at) + 1)).toISOString(),
      price,
      unit: 'EUR/kWh',
    })),
  );

describe('a source of market prices', () => {
  const minute = (at: number) => `${new Date(quarterAt(at)).toISOString().slice(0, 16)}Z`;
  const shapes = {
    own: ownBody({ 0: 0.1, 1: 0.1, 2: 0.1, 3: 0.1 }),
    awattar: JSON.stringify({
      data: [{ start_timestamp: quarterAt(0), end_timestamp: quarterAt(4), marketprice: 100, unit: 'Eur/MWh' }],
    }),
    entsoe: `<?xml version="1.0"?><Publication_MarketDocument xmlns="urn:p"><type>A44</type><TimeSeries>
      <currency_Unit.name>EUR</currency_Unit.name><price_Measure_Unit.name>MWH</price_Measure_Unit.name><curveType>A03</curveType>
      <Period><timeInterval><start>${minute(0)}</start><end>${minute(4)}</end></timeInterval><resolution>PT15M</resolution>
      <Point><position>1</position><price.amount>100.00</price.amount></Point></Period></TimeSeries></Publication_MarketDocument>`,
  };

  test.each(['own', 'awattar', 'entsoe'] as const)(
    'of the shape %s is asked for a span as it takes it, beside what its address says, and what it tells is kept',
    async (shape) => {
      answers = ofBody(shapes[shape]);
      const { read, known, clock, zone } = await readerOf(shape);
      await read();
      expect(await known()).toEqual([0, 1, 2, 3].map((at) => [quarterAt(at), 100_000]));
      const span = askedSpan({ knownUntilMs: null }, clock.nowMs);
      expect(asked.map(({ search }) => search)).toEqual([askedUrl({ zone, shape, url: base }, span).search]);
      expect(asked[0]?.searchParams.get('token')).toBe('own');
      expect(span.fromMs).toBe(quarterAt(0) - 30 * DAY_MS);
      expect(await sourceStates(own.stores.db)).toContainEqual({
        zone,
        currency: 'EUR',
        isConfigured: true,
        askedMs: clock.nowMs,
        answeredMs: clock.nowMs,
        knownUntilMs: quarterAt(4),
      });
    },
  );

  test('is asked again every quarter of an hour until the next day is known, then every six hours', async () => {
    const { read, clock } = await readerOf('own', { nowMs: quarterAt(52) });
    answers = ofBody(ownBody({ 95: 0.1 }));
    for (const [minutes, times] of [
      [0, 1],
      [14, 1],
      [15, 2],
    ] as const) {
      clock.nowMs = quarterAt(52) + minutes * MINUTE_MS;
      await read();
      expect(asked).toHaveLength(times);
    }
    answers = ofBody(ownBody({ 191: 0.2 }));
    for (const [minutes, times] of [
      [30, 3],
      [30 + 359, 3],
      [30 + 360, 4],
    ] as const) {
      clock.nowMs = quarterAt(52) + minutes * MINUTE_MS;
      await read();
      expect(asked).toHaveLength(times);
    }
  });

  test('whose answer is wrong, too slow, too much, refused or led elsewhere changes nothing, and is left alone for a growing while', async () => {
    const wrong: readonly Answers[] = [
      ofBody('<html>closed</html>'),
      ofBody(ownBody({ 0: 9_999 })),
      () => undefined,
      (response) => response.end('x'.repeat(5_000_000)),
      (response) => response.writeHead(503).end(),
      (response) => response.writeHead(302, { location: base }).end(),
    ];
    const { read, clock, known } = await readerOf('own');
    answers = ofBody(ownBody({ 0: 0.1 }));
    await read();
    const before = await known();
    let pauseMs = 10 * MINUTE_MS;
    clock.nowMs += HOUR_MS;
    for (const each of wrong) {
      answers = each;
      asked = [];
      await read();
      expect(asked).toHaveLength(1);
      clock.nowMs += pauseMs - 1;
      await read();
      expect(asked).toHaveLength(1);
      expect(await known()).toEqual(before);
      clock.nowMs += 15 * MINUTE_MS;
      pauseMs = Math.min(6 * HOUR_MS, pauseMs * 2);
    }
  });

  test('that lies in the own network is not called without permission', async () => {
    answers = ofBody(ownBody({ 0: 0.1 }));
    const { read, known } = await readerOf('own', { isPrivate: false });
    await read();
    expect(asked).toEqual([]);
    expect(await known()).toEqual([]);
  });

  test('that begins to tell another currency is not believed', async () => {
    const { read, known, clock } = await readerOf('own');
    answers = ofBody(ownBody({ 0: 0.1 }));
    await read();
    clock.nowMs += HOUR_MS;
    answers = ofBody(ownBody({ 0: 0.2 }).replaceAll('EUR', 'CHF'));
    await read();
    expect(await known()).toEqual([[quarterAt(0), 100_000]]);
  });
});

describe('the money of a plant that follows a market', () => {
  const DAY = localDay(Date.now() - 5 * DAY_MS, ZONE);
  const dayMs = dayBounds(DAY, ZONE).startMs;

  /** Buys 600 W and gives 1 kW to the house for so many hours of the day. */
  async function record(plant: TestPlant, device: string, hours: number): Promise<void> {
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    await edge.birth();
    await edge.deviceBirth(device, 'inverter');
    await edge.deviceBirth(`${device}M`, 'meter');
    const sent: Promise<void>[] = [];
    for (let tsMs = dayMs; tsMs <= dayMs + hours * HOUR_MS; tsMs += 5 * MINUTE_MS) {
      const passed = (tsMs - dayMs) / HOUR_MS;
      const inverter = {
        'DC/Power': 1_000,
        'AC/ActivePower': 1_000,
        'Load/Power': 1_600,
        'Energy/PvTotal': 100 + passed,
        'Energy/AcOutTotal': 100 + passed,
        'Energy/AcInTotal': 1,
        'Energy/LoadTotal': 50 + 1.6 * passed,
      };
      const meter = { 'Meter/ImportTotal': 20 + 0.6 * passed, 'Meter/ExportTotal': 5 };
      sent.push(edge.data(device, inverter, { timestampMs: tsMs, historical: true }));
      sent.push(edge.data(`${device}M`, meter, { timestampMs: tsMs, historical: true }));
    }
    await Promise.all(sent);
    await own.ingestion.drain();
    await edge.end();
  }

  const moneyOf = async ({ siteKey }: TestPlant) => {
    const [row] = await own.rows<{ saving: string | null; paid: string | null }>(
      `SELECT toString(saving) AS saving, toString(paid) AS paid FROM site_day FINAL
       WHERE site = ${siteKey} AND day = '${DAY}'`,
    );
    return row;
  };

  const keep = async (zone: string, prices: ReadonlyMap<number, number>) => {
    await keepPrices(own.stores.db, zone, { currency: 'EUR', micro: prices }, Date.now());
    await own.ingestion.drain();
  };

  test('is not known while a price of the day is not, comes with the prices, and follows their corrections', async () => {
    await noteSources(own.stores.db, ['MONEY']);
    const plant = await makePlant(own.stores.db, { zone: ZONE });
    await changePrices(
      own.stores.db,
      {
        ...{ scope: systemScope, source: {}, siteId: plant.siteId, validFrom: 'beginning' },
        ...{ feedInPrice: '0.08', purchasePrice: null, currency: 'EUR' },
        purchaseMarket: { zone: 'MONEY', markup: '0.15', vat: '19' },
      },
      Date.now(),
    );
    await record(plant, 'MKT-1', 6);
    expect(await moneyOf(plant)).toMatchObject({ saving: null, paid: null });

    const micro = (quarter: number) => (quarter % 5 === 0 ? -30_000 : 40_000 + 7_000 * quarter);
    const told = new Map(Array.from({ length: 96 }, (_, at) => [dayMs + at * QUARTER_MS, micro(at)]));
    const gap = dayMs + 9 * QUARTER_MS;
    await keep('MONEY', new Map([...told].filter(([atMs]) => atMs !== gap)));
    expect(await moneyOf(plant)).toMatchObject({ saving: null, paid: null });

    await keep('MONEY', told);
    const buckets = await own.rows<{ ts: number; supplied: number; bought: number }>(
      `SELECT toUnixTimestamp(ts) AS ts, load_wh - import_wh AS supplied, import_wh AS bought FROM site_5m FINAL
       WHERE site = ${plant.siteKey} AND ts >= ${dayMs / 1_000} AND ts < ${(dayMs + DAY_MS) / 1_000}`,
    );
    const reckoned = (microAt: (quarter: number) => number) => {
      let [saving, paid] = [0, 0];
      for (const { ts, supplied, bought } of buckets) {
        const quarter = Math.floor((ts * 1_000 - dayMs) / QUARTER_MS);
        const price = (microAt(quarter) / 1_000_000 + 0.15) * 1.19;
        saving += (supplied / 1_000) * price;
        paid += (bought / 1_000) * price;
      }
      return { saving, paid };
    };
    const expected = reckoned(micro);
    const known = await moneyOf(plant);
    expect(expected.paid).toBeGreaterThan(0.5);
    expect(expected.saving).toBeGreaterThan(0.5);
    expect(Number(known?.paid)).toBeCloseTo(expected.paid, 5);
    expect(Number(known?.saving)).toBeCloseTo(expected.saving, 5);

    await keep('MONEY', new Map([[dayMs + 4 * QUARTER_MS, 500_000]]));
    const corrected = reckoned((quarter) => (quarter === 4 ? 500_000 : micro(quarter)));
    expect(Number((await moneyOf(plant))?.paid)).toBeCloseTo(corrected.paid, 5);
  });

  test('is not made anew by prices that are told again as they were', async () => {
    const due = () => own.stores.db.selectFrom('recalculations').select('id').execute();
    const changes = async () => {
      const rows = own.stores.db.selectFrom('sites').select(['id', 'price_changes']).orderBy('id');
      return rows.execute();
    };
    const before = await changes();
    await keepPrices(
      own.stores.db,
      'MONEY',
      { currency: 'EUR', micro: new Map([[dayMs + 4 * QUARTER_MS, 500_000]]) },
      Date.now(),
    );
    expect(await changes()).toEqual(before);
    expect(await due()).toEqual([]);
  });
});

describe('through HTTP', () => {
  let api: PlantsFixture;
  let token: string;
  let stationID: string;
  beforeAll(async () => {
    api = await PlantsFixture.start();
    const { installerId, token: installer } = await api.addInstaller();
    token = installer;
    const site = await api.addSite(installerId, { time_zone: ZONE, currency: 'EUR' });
    stationID = site.id;
    await noteSources(api.db, ['DE-LU', 'CH']);
    await keepPrices(api.db, 'CH', { currency: 'CHF', micro: new Map([[quarterAt(0), 1]]) }, Date.now());
  });
  afterAll(() => api.stop());

  const opened = async () => {
    const {
      owner: _,
      organisation: __,
      pricesSince: ___,
      tariffs: ____,
      modules: _____,
      ...fields
    } = await api.read(form, { stationID }, token);
    return { ...fields, country: 'DE', city: 'Ulm', position: null };
  };
  const market = { zone: 'DE-LU', markup: '0.145', vat: '19' };

  test('markets are told with how far they are known', async () => {
    expect(await api.read(marketPriceEndpoints.marketSources, {}, token)).toEqual({
      sources: [
        { zone: 'CH', currency: 'CHF', isRead: true, knownUntilMs: quarterAt(1) },
        { zone: 'DE-LU', currency: null, isRead: true, knownUntilMs: null },
      ],
    });
  });

  test.each([
    ['that nobody reads', { ...market, zone: 'XX' }, 'purchaseMarket.zone'],
    ['of another currency', { ...market, zone: 'CH' }, 'purchaseMarket.zone'],
    ['without a markup', { ...market, markup: '' }, 'purchaseMarket.markup'],
    ['with a VAT beyond all', { ...market, vat: '190' }, 'purchaseMarket.vat'],
  ])('a market %s is refused at its field', async (_, purchaseMarket, path) => {
    const fields = { ...(await opened()), purchasePrice: null, purchaseMarket };
    const { errno, result } = await api.call(edit, fields, token);
    expect(errno).toBe(40257);
    expect((result as unknown as { fields: { path: string }[] }).fields.map((field) => field.path)).toEqual([path]);
  });

  test('a plant follows a market: its price is not known until it is told, and then is what it costs', async () => {
    const followed = { purchasePrice: null, purchaseMarket: market, priceValidFrom: 'beginning' as const };
    await api.read(edit, { ...(await opened()), ...followed }, token);
    expect(await api.read(form, { stationID }, token)).toMatchObject({ purchasePrice: null, purchaseMarket: market });
    expect(await api.read(detail, { stationID }, token)).toMatchObject({ purchaseMarket: market, purchasePrice: null });
    expect((await api.read(money, { stationID }, token)).priceNow).toMatchObject({
      purchase: null,
      isPurchaseUnknown: true,
    });

    const quarter = Math.floor(Date.now() / QUARTER_MS) * QUARTER_MS;
    const micro = new Map([0, 1, 2].map((at) => [quarter + at * QUARTER_MS, 100_000]));
    await keepPrices(api.db, 'DE-LU', { currency: 'EUR', micro }, Date.now());
    expect((await api.read(detail, { stationID }, token)).purchasePrice).toBe('0.29155');
    expect((await api.read(money, { stationID }, token)).priceNow).toMatchObject({
      purchase: '0.29155',
      isPurchaseUnknown: false,
    });
    const [record] = await api.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('record_id', '=', stationID)
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(record).toMatchObject({ before: { purchaseMarket: null }, after: { purchaseMarket: market } });
  });
});
