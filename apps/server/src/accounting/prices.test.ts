import { errno } from '@sonnenwarte/contract/errors';
import { localDay } from '@sonnenwarte/energy/calendar';
import { describe, expect, test } from 'vitest';
import { scopeOf, systemScope } from '../access/scope.ts';
import { siteFiguresOf, siteOf } from '../sites/sites.service.ts';
import { TestEdge } from '../testing/edge.ts';
import { makePlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { FIRST, HOUR_MS, NEW, OLD, pricedPlants, SECOND, STEP_MS, secondMs, ZONE } from '../testing/priced-plants.ts';

const own = ownIngestion();
const { record, moneyOf, reckoned, change } = pricedPlants(own);

describe('a new price', () => {
  test('leaves yesterday, the morning and late samples as they were, and holds from its time on', async () => {
    const plant = await makePlant(own.stores.db, { zone: ZONE });
    const noonMs = secondMs + 12 * HOUR_MS;
    await record(plant, 'PRI-1', -24, 12);
    const before = await moneyOf(plant);
    expect(before.map(({ day }) => day)).toEqual([FIRST, SECOND]);
    expect(Number(before[0]?.income)).toBeCloseTo(24 * 0.6 * OLD.feedIn, 3);
    await change(plant, { validFrom: `${SECOND}T12:00` });
    expect(await moneyOf(plant)).toEqual(before);

    await record(plant, 'PRI-1', 12, 20);
    const [first, second] = await moneyOf(plant);
    expect(first).toEqual(before[0]);
    const ofSecond = await reckoned(plant, SECOND, noonMs);
    expect(ofSecond.income).toBeCloseTo(0.6 * (12 * OLD.feedIn + 8 * NEW.feedIn), 2);
    expect(Number(second?.income)).toBeCloseTo(ofSecond.income, 5);
    expect(Number(second?.saving)).toBeCloseTo(ofSecond.saving, 5);

    await record(plant, 'PRI-2', -20, -10);
    const [late, unchanged] = await moneyOf(plant);
    expect(unchanged).toEqual(second);
    const ofFirst = await reckoned(plant, FIRST, noonMs);
    expect(ofFirst.income).toBeGreaterThan(Number(before[0]?.income) + 0.4);
    expect(Number(late?.income)).toBeCloseTo(ofFirst.income, 5);
    expect(Number(late?.saving)).toBeCloseTo(ofFirst.saving, 5);
  });

  test('of the past makes the money since then anew, one from the beginning only that before the next', async () => {
    const plant = await makePlant(own.stores.db, { zone: ZONE, prices: false });
    await record(plant, 'PRI-3', -24, 4);
    expect(await moneyOf(plant)).toMatchObject([{ income: null }, { income: null }]);
    await change(plant, { validFrom: SECOND });
    const [, second] = await moneyOf(plant);
    expect(await moneyOf(plant)).toMatchObject([{ income: null, saving: null }, { income: expect.any(String) }]);
    await change(plant, { validFrom: 'beginning', feedInPrice: String(OLD.feedIn), purchasePrice: null });
    const [first, after] = await moneyOf(plant);
    expect(after).toEqual(second);
    expect(Number(first?.income)).toBeCloseTo((await reckoned(plant, FIRST, secondMs)).income, 5);
    expect(first?.saving).toBeNull();
  });

  test('is shown from its time on, and recorded with its time', async () => {
    const plant = await makePlant(own.stores.db, { zone: ZONE });
    await change(plant, { validFrom: `${SECOND}T12:00` });
    const shownAt = async (hour: number) => {
      const at = { db: own.stores.db, telemetry: own.stores.telemetry.client, nowMs: () => secondMs + hour * HOUR_MS };
      const { price, purchasePrice } = await siteOf(at, { stationID: plant.siteId }, { scope: systemScope });
      return [price, purchasePrice];
    };
    expect(await shownAt(11.9)).toEqual(['0.080000', '0.300000']);
    expect(await shownAt(12)).toEqual(['0.200000', '0.500000']);
    const entry = await own.stores.db
      .selectFrom('audit_log')
      .select(['action', 'before', 'after'])
      .where('record_id', '=', plant.siteId)
      .executeTakeFirst();
    expect(entry).toEqual({
      action: 'sites.edit',
      before: { price: '0.080000', purchasePrice: '0.300000' },
      after: {
        price: '0.200000',
        purchasePrice: '0.500000',
        validFrom: new Date(secondMs + 12 * HOUR_MS).toISOString(),
      },
    });
  });

  test('is refused for a plant out of scope as for one that does not exist, and where it is no price', async () => {
    const plant = await makePlant(own.stores.db, { zone: ZONE });
    const stranger = scopeOf({ level: 2, organisationID: crypto.randomUUID() } as Parameters<typeof scopeOf>[0]);
    await expect(change(plant, { scope: stranger })).rejects.toMatchObject({ errno: errno.siteNotFound });
    await expect(change(plant, { siteId: crypto.randomUUID() })).rejects.toMatchObject({ errno: errno.siteNotFound });
    for (const wrong of [
      { feedInPrice: '-0.1' },
      { purchasePrice: '1e3' },
      { currency: 'Euro' },
      { validFrom: '2026-02-30' },
      { validFrom: 'yesterday' },
    ]) {
      await expect(change(plant, wrong)).rejects.toMatchObject({ errno: errno.refusedInput });
    }
  });
});

describe('prices by the time of day', () => {
  const purchasePeriods = {
    weekday: [
      { from: '00:00', price: '0.25' },
      { from: '06:15', price: '0.35' },
      { from: '17:00', price: '0.55' },
      { from: '21:30', price: '0.35' },
    ],
    weekend: [
      { from: '00:00', price: '0.2' },
      { from: '12:00', price: '0.3' },
    ],
  };
  const feedInPeriods = {
    weekday: [
      { from: '00:00', price: '0.05' },
      { from: '11:00', price: '0.01' },
      { from: '15:45', price: '0.09' },
    ],
    weekend: null,
  };

  /** The price of a bucket as India's clock, which is never shifted, says. */
  function priceAt({ weekday, weekend }: typeof purchasePeriods | typeof feedInPeriods, tsS: number): number {
    const local = new Date(tsS * 1_000 + 5.5 * HOUR_MS);
    const time = local.toISOString().slice(11, 16);
    const periods = (local.getUTCDay() % 6 === 0 && weekend) || weekday;
    return Number(periods.filter(({ from }) => from <= time).at(-1)?.price);
  }

  test('give each bucket the price of its quarter hour, and a later change of them makes only the money since then anew', async () => {
    const plant = await makePlant(own.stores.db, { zone: ZONE });
    await record(plant, 'PRI-5', -24, 23);
    const before = await moneyOf(plant);
    const flat = { feedInPrice: null, purchasePrice: null };
    await change(plant, { ...flat, feedInPeriods, purchasePeriods, validFrom: SECOND });
    const [first, second] = await moneyOf(plant);
    expect(first).toEqual(before[0]);

    const buckets = await own.rows<{ ts: number; supplied: number; exported: number }>(
      `SELECT toUnixTimestamp(ts) AS ts, load_wh - import_wh AS supplied, export_wh AS exported FROM site_5m FINAL
       WHERE site = ${plant.siteKey} AND ts >= ${secondMs / 1_000} AND pv_wh > 0`,
    );
    expect(buckets.length).toBeGreaterThan(250);
    let [income, saving] = [0, 0];
    for (const { ts, supplied, exported } of buckets) {
      income += (exported / 1_000) * priceAt(feedInPeriods, ts);
      saving += (supplied / 1_000) * priceAt(purchasePeriods, ts);
    }
    expect(Number(second?.income)).toBeCloseTo(income, 5);
    expect(Number(second?.saving)).toBeCloseTo(saving, 5);

    const figures = await siteFiguresOf(
      { db: own.stores.db, telemetry: own.stores.telemetry.client, nowMs: () => secondMs + 23.5 * HOUR_MS },
      { stationID: plant.siteId },
      { scope: systemScope },
    );
    expect(Number(figures.today.saving)).toBeCloseTo(saving, 2);
    expect(Number(figures.total.income)).toBeCloseTo(Number(before[0]?.income) + income, 2);

    await change(plant, { ...flat, feedInPeriods, purchasePeriods, validFrom: 'beginning' });
    const [anew, same] = await moneyOf(plant);
    expect(same).toEqual(second);
    expect(anew?.saving).not.toEqual(first?.saving);
  });
});

describe('what is paid', () => {
  test('is what was bought at the price valid at its time, in day, month and total, and a new price leaves it as it was', async () => {
    const plant = await makePlant(own.stores.db, { zone: ZONE });
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    await edge.birth();
    await edge.deviceBirth('PAY-1', 'meter');
    const sent: Promise<void>[] = [];
    for (let tsMs = secondMs - 24 * HOUR_MS; tsMs <= secondMs + 24 * HOUR_MS; tsMs += STEP_MS) {
      const hours = (tsMs - secondMs) / HOUR_MS;
      const values = { 'Meter/ActivePower': 2_000, 'Meter/ImportTotal': 100 + 2 * hours, 'Meter/ExportTotal': 1 };
      sent.push(edge.data('PAY-1', values, { timestampMs: tsMs, historical: true }));
    }
    await Promise.all(sent);
    await own.ingestion.drain();
    await edge.end();
    const byDay = [
      { from: '00:00', price: '0.2' },
      { from: '06:00', price: '0.4' },
      { from: '22:00', price: '0.2' },
    ];
    const purchasePeriods = { weekday: byDay, weekend: null };
    const flat = { feedInPrice: null, purchasePrice: null };
    await change(plant, { ...flat, purchasePeriods, validFrom: 'beginning' });
    await change(plant, { ...flat, purchasePrice: '1', validFrom: `${SECOND}T12:00` });

    const paidOf = (day: string) =>
      own.rows<{ paid: string | null }>(
        `SELECT toString(paid) AS paid FROM site_day FINAL WHERE site = ${plant.siteKey} AND day = '${day}'`,
      );
    const ofFirst = 16 * 2 * 0.4 + 8 * 2 * 0.2;
    const ofSecond = 6 * 2 * 0.2 + 6 * 2 * 0.4 + 12 * 2 * 1;
    expect(Number((await paidOf(FIRST))[0]?.paid)).toBeCloseTo(ofFirst, 3);
    expect(Number((await paidOf(SECOND))[0]?.paid)).toBeCloseTo(ofSecond, 3);
    const figures = await siteFiguresOf(
      { db: own.stores.db, telemetry: own.stores.telemetry.client, nowMs: () => secondMs + 23.9 * HOUR_MS },
      { stationID: plant.siteId },
      { scope: systemScope },
    );
    expect(Number(figures.today.paid)).toBeCloseTo(ofSecond, 3);
    expect(Number(figures.total.paid)).toBeCloseTo(ofFirst + ofSecond, 3);
    expect(figures.today.qualities.paid).toBe('measured');
  });
});

describe('what is saved', () => {
  test('is with what was paid the price of all that was taken, also where a battery keeps cheap power for dear hours', async () => {
    const plant = await makePlant(own.stores.db, { zone: ZONE });
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    await edge.birth();
    await edge.deviceBirth('SAV-1', 'inverter');
    await edge.deviceBirth('SAV-2', 'battery');
    await edge.deviceBirth('SAV-3', 'meter');
    const sent: Promise<void>[] = [];
    // The house takes 1 kW all day; 3 kW are bought until 6:00, 2 of them for the battery, which then feeds the house until 16:48 and keeps the rest.
    for (let tsMs = secondMs; tsMs <= secondMs + 20 * HOUR_MS; tsMs += STEP_MS) {
      const hours = (tsMs - secondMs) / HOUR_MS;
      const charged = 2 * Math.min(hours, 6);
      const discharged = Math.min(Math.max(hours - 6, 0), 10.8);
      const bought = hours + charged - discharged;
      const told = {
        'SAV-1': {
          'DC/Power': 0,
          'Load/Power': 1_000,
          'Energy/PvTotal': 100,
          'Energy/LoadTotal': 50 + hours,
          'Energy/AcInTotal': 10 + charged,
          'Energy/AcOutTotal': 10 + discharged,
        },
        'SAV-2': { 'Bat/ChargeTotal': 10 + charged, 'Bat/DischargeTotal': 10 + discharged },
        'SAV-3': { 'Meter/ImportTotal': 20 + bought, 'Meter/ExportTotal': 5 },
      };
      for (const [device, values] of Object.entries(told)) {
        sent.push(edge.data(device, values, { timestampMs: tsMs, historical: true }));
      }
    }
    await Promise.all(sent);
    await own.ingestion.drain();
    await edge.end();
    const periods = [
      { from: '00:00', price: '0.2' },
      { from: '06:00', price: '0.4' },
    ];
    const flat = { feedInPrice: null, purchasePrice: null };
    await change(plant, { ...flat, purchasePeriods: { weekday: periods, weekend: null }, validFrom: 'beginning' });
    const [day] = await own.rows<{ saving: string; paid: string }>(
      `SELECT toString(saving) AS saving, toString(paid) AS paid FROM site_day FINAL
       WHERE site = ${plant.siteKey} AND day = '${SECOND}'`,
    );
    expect(Number(day?.paid)).toBeCloseTo(18 * 0.2 + 3.2 * 0.4, 3);
    expect(Number(day?.saving)).toBeCloseTo(10.8 * 0.4 - 12 * 0.2, 3);
    expect(Number(day?.saving) + Number(day?.paid)).toBeCloseTo(6 * 0.2 + 14 * 0.4, 3);
  });
});

test('a night in which the inverter takes more for itself than it gives saves nothing, and costs no savings either; charging the battery does', async () => {
  const plant = await makePlant(own.stores.db, { zone: ZONE });
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  await edge.birth();
  await edge.deviceBirth('NIGHT-1', 'inverter');
  await edge.deviceBirth('NIGHT-2', 'battery');
  await edge.deviceBirth('NIGHT-3', 'meter');
  const sent: Promise<void>[] = [];
  // The house takes 1 kW, the inverter 30 W; in the first of both nights a kilowatt more charges the battery for two hours.
  for (let tsMs = secondMs - 24 * HOUR_MS; tsMs <= secondMs + 5 * HOUR_MS; tsMs += STEP_MS) {
    const hours = (tsMs - secondMs) / HOUR_MS + 24;
    const charged = Math.min(hours, 2);
    const told = {
      'NIGHT-1': {
        'DC/Power': 0,
        'Load/Power': 1_000,
        'Energy/PvTotal': 100,
        'Energy/LoadTotal': 50 + hours,
        'Energy/AcInTotal': 10 + charged + 0.03 * hours,
        'Energy/AcOutTotal': 10,
      },
      'NIGHT-2': { 'Bat/ChargeTotal': 10 + charged, 'Bat/DischargeTotal': 10 },
      'NIGHT-3': { 'Meter/ImportTotal': 20 + 1.03 * hours + charged, 'Meter/ExportTotal': 5 },
    };
    for (const [device, values] of Object.entries(told)) {
      sent.push(edge.data(device, values, { timestampMs: tsMs, historical: true }));
    }
  }
  await Promise.all(sent);
  await own.ingestion.drain();
  await edge.end();
  await change(plant, { feedInPrice: null, purchasePrice: '8', validFrom: 'beginning' });
  const days = await own.rows<{ saving: string; paid: string }>(
    `SELECT toString(saving) AS saving, toString(paid) AS paid FROM site_day FINAL
     WHERE site = ${plant.siteKey} AND day >= '${FIRST}' ORDER BY day`,
  );
  expect(days.map(({ saving }) => Number(saving))).toEqual([expect.closeTo(-2 * 8, 3), 0]);
  expect(days.map(({ paid }) => Number(paid))).toEqual([
    expect.closeTo((24 * 1.03 + 2) * 8, 3),
    expect.closeTo(5 * 1.03 * 8, 3),
  ]);
});

describe('another currency', () => {
  test('is never added to the one before, nor shown under its sign', async () => {
    const plant = await makePlant(own.stores.db, { zone: ZONE });
    await record(plant, 'PRI-4', -24, 6);
    await change(plant, { validFrom: SECOND, currency: 'CZK' });
    const figuresAt = (hour: number) =>
      siteFiguresOf(
        { db: own.stores.db, telemetry: own.stores.telemetry.client, nowMs: () => secondMs + hour * HOUR_MS },
        { stationID: plant.siteId },
        { scope: systemScope },
      );
    const before = await figuresAt(-1);
    expect(before).toMatchObject({ currency: 'EUR', today: { income: expect.any(String) } });
    const after = await figuresAt(7);
    expect(after).toMatchObject({
      currency: 'CZK',
      today: { income: expect.any(String), saving: expect.any(String) },
      yesterday: { income: null, saving: null },
      total: { income: null, saving: null },
    });
    expect(after.yesterday.generationWh).toBeCloseTo(24_000, 0);
    await change(plant, { validFrom: `${SECOND}T03:00`, currency: 'EUR' });
    expect((await figuresAt(7)).today).toMatchObject({ income: null, saving: null });
  });
});

test('the money of the running day and month stands beside the plant’s energies, also once it has been made anew', async () => {
  const plant = await makePlant(own.stores.db, { zone: ZONE });
  const nowHour = Math.floor((Date.now() - secondMs) / HOUR_MS);
  await record(plant, 'PRI-RUN', nowHour - 30, nowHour);
  const today = localDay(Date.now(), ZONE);
  const sumOf = async (begins: string) => {
    const days = (await moneyOf(plant)).filter(({ day }) => day.startsWith(begins));
    return days.reduce((sum, { income, saving }) => sum + Number(income ?? 0) + Number(saving ?? 0), 0);
  };
  const running = () =>
    own.stores.db
      .selectFrom('site_latest')
      .select(['money_currency', 'today_money', 'month_money'])
      .where('site_id', '=', plant.siteId)
      .executeTakeFirstOrThrow();
  const agrees = async () => {
    const told = await running();
    expect(told.money_currency).toBe('EUR');
    expect(Number(told.today_money)).toBeCloseTo(await sumOf(today), 5);
    expect(Number(told.month_money)).toBeCloseTo(await sumOf(today.slice(0, 7)), 5);
    return Number(told.month_money);
  };
  const before = await agrees();
  expect(before).toBeGreaterThan(0);
  await change(plant, { validFrom: 'beginning' });
  expect(await agrees()).toBeGreaterThan(before);
  await change(plant, { validFrom: 'now', currency: 'CHF' });
  expect(await running()).toEqual({ money_currency: 'CHF', today_money: null, month_money: null });
});
