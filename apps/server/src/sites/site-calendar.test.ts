import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { daysOfMonth, instantOf } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const NOW_MS = Date.UTC(2026, 9, 31, 12, 0);
let plants: PlantsFixture;
let token: string;
let installerId: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  ({ installerId, token } = await plants.addInstaller());
});

afterAll(() => plants.stop());

const addDays = (site: { key: number }, rows: readonly Record<string, unknown>[]) =>
  plants.insert(
    'site_day',
    rows.map((row) => ({ site: site.key, version: 1, quality: 0, ...row })),
  );

const calendarOf = (site: { id: string }, year: number) =>
  plants.read(siteEndpoints.calendar, { stationID: site.id, year }, token);

describe('the calendar of a plant', () => {
  test('shows of each day what its key figures and reports say of the same time', async () => {
    const site = await plants.addSite(installerId);
    const days = daysOfMonth('2026-10').map((day, index) => ({
      day,
      pv_wh: 1_000.25 * (index + 1),
      load_wh: 4_000,
      charger_wh: 100 * index,
      import_wh: 50 * index,
      export_wh: 10 * index,
      income: (0.001 * index).toFixed(6),
      saving: (0.1234 * index).toFixed(6),
    }));
    await addDays(site, days);
    const [answer, figures, report] = await Promise.all([
      calendarOf(site, 2026),
      plants.read(siteEndpoints.figures, { stationID: site.id }, token),
      plants.read(
        siteEndpoints.historyReport,
        {
          stationID: site.id,
          reportType: 'month',
          variables: ['PVEnergyTotal'],
          queryDate: { year: 2026, month: 10 },
        },
        token,
      ),
    ]);
    expect(answer.days.map(({ day }) => day)).toEqual(daysOfMonth('2026-10'));
    expect(answer.days.map(({ generationWh }) => (generationWh ?? 0) / 1_000)).toEqual(
      report[0]?.data.map(({ value }) => expect.closeTo(value ?? 0, 6)),
    );
    const today = answer.days.at(-1);
    expect(today).toMatchObject({
      day: '2026-10-31',
      generationWh: figures.today.generationWh,
      consumptionWh: figures.today.consumptionWh,
      selfSufficiencyPercent: figures.today.selfSufficiencyPercent,
    });
    const [month] = answer.months;
    expect(answer.months).toHaveLength(1);
    expect(month).toMatchObject({
      month: '2026-10',
      generationWh: figures.month.generationWh,
      selfSufficiencyPercent: figures.month.selfSufficiencyPercent,
    });
    const cents = (amount: string | null | undefined) => Math.round(Number(amount) * 100);
    const ofDays = answer.days.reduce((sum, { money }) => sum + cents(money), 0);
    expect(ofDays).toBe(cents(month?.money));
    const exact = Number(figures.month.income) + Number(figures.month.saving);
    expect(Math.abs(ofDays / 100 - exact)).toBeLessThanOrEqual(0.005 + 1e-9);
    for (const { money } of answer.days) expect(money).toMatch(/^-?\d+\.\d{2}$/);
  });

  test('leaves out days of which nothing is known and names the first that was ever recorded', async () => {
    const site = await plants.addSite(installerId);
    await addDays(site, [
      { day: '2025-12-30', pv_wh: 5 },
      { day: '2026-02-01', pv_wh: 7 },
      { day: '2026-02-02' },
      { day: '2026-02-03', pv_wh: 9 },
    ]);
    const { days, firstDay } = await calendarOf(site, 2026);
    expect(firstDay).toBe('2025-12-30');
    expect(days.map(({ day, generationWh }) => [day, generationWh])).toEqual([
      ['2026-02-01', 7],
      ['2026-02-03', 9],
    ]);
    expect((await calendarOf(site, 2024)).days).toEqual([]);
  });

  test('ends where a history that is coming has been counted to', async () => {
    const site = await plants.addSite(installerId, { latest: { history_percent: 40, local_day: '2026-05-02' } });
    await addDays(site, [
      { day: '2026-05-01', pv_wh: 5 },
      { day: '2026-05-02', pv_wh: 6 },
      { day: '2026-10-31', pv_wh: 7 },
    ]);
    expect((await calendarOf(site, 2026)).days.map(({ day }) => day)).toEqual(['2026-05-01', '2026-05-02']);
  });

  test('has no money of days that were paid in another currency', async () => {
    const site = await plants.addSite(installerId);
    await addDays(site, [
      { day: '2026-10-10', pv_wh: 5_000, saving: '1.000000' },
      { day: '2026-10-20', pv_wh: 5_000, saving: '2.000000' },
    ]);
    await plants.db
      .insertInto('site_prices')
      .values({
        site_id: site.id,
        valid_from: new Date(Date.UTC(2026, 9, 15, 22)),
        feed_in_price: null,
        purchase_price: '0.3',
        currency: 'PLN',
      })
      .execute();
    const [{ days, months, currency }, figures] = await Promise.all([
      calendarOf(site, 2026),
      plants.read(siteEndpoints.figures, { stationID: site.id }, token),
    ]);
    expect(currency).toBe('PLN');
    expect(days.map(({ money }) => money)).toEqual([null, '2.00']);
    // Amounts of two currencies are never added up, nor is a part of the month told as the month.
    expect(months.map(({ money }) => money)).toEqual([null]);
    expect([figures.month.saving, figures.year.saving]).toEqual([null, null]);
  });
});

test('a month that was wholly paid in the currency of now has its money, one before the change has none', async () => {
  const site = await plants.addSite(installerId);
  await addDays(site, [
    { day: '2026-08-10', pv_wh: 5_000, saving: '1.000000' },
    { day: '2026-10-20', pv_wh: 5_000, saving: '2.000000' },
  ]);
  await plants.db
    .insertInto('site_prices')
    .values({
      site_id: site.id,
      valid_from: new Date(Date.UTC(2026, 8, 15, 22)),
      feed_in_price: null,
      purchase_price: '0.3',
      currency: 'PLN',
    })
    .execute();
  const { months } = await calendarOf(site, 2026);
  expect(months.map(({ month, money }) => [month, money])).toEqual([
    ['2026-08', null],
    ['2026-10', '2'],
  ]);
});

describe('the day of a plant', () => {
  test('tells sunrise and sunset to the minute', async () => {
    const site = await plants.addSite(installerId, { latitude: 52.52, longitude: 13.405 });
    const { sunriseMs, sunsetMs } = await plants.read(
      siteEndpoints.day,
      { stationID: site.id, date: '2026-06-21' },
      token,
    );
    // Berlin at the solstice: 04:43 and 21:33 CEST.
    expect(Math.abs((sunriseMs ?? 0) - Date.UTC(2026, 5, 21, 2, 43))).toBeLessThan(2 * 60_000);
    expect(Math.abs((sunsetMs ?? 0) - Date.UTC(2026, 5, 21, 19, 33))).toBeLessThan(2 * 60_000);
    const north = await plants.addSite(installerId, { latitude: 78.2, longitude: 15.6 });
    const polar = await plants.read(siteEndpoints.day, { stationID: north.id, date: '2026-06-21' }, token);
    expect([polar.sunriseMs, polar.sunsetMs]).toEqual([null, null]);
  });

  test('without values names the last day before it that has some', async () => {
    const site = await plants.addSite(installerId);
    await addDays(site, [{ day: '2026-10-18', pv_wh: 5 }, { day: '2026-10-19', load_wh: 5 }, { day: '2026-10-20' }]);
    const day = (date: string) => plants.read(siteEndpoints.day, { stationID: site.id, date }, token);
    expect((await day('2026-10-31')).earlierDay).toBe('2026-10-19');
    expect((await day('2026-10-19')).earlierDay).toBe('2026-10-18');
    expect((await day('2026-10-18')).earlierDay).toBeNull();
  });
});

describe("today's money of a plant", () => {
  const moneyOf = (site: { id: string }) => plants.read(siteEndpoints.money, { stationID: site.id }, token);
  const price = (site: { id: string }, validFrom: number, purchase: string, currency = 'EUR') =>
    plants.db
      .insertInto('site_prices')
      .values({
        site_id: site.id,
        valid_from: new Date(validFrom),
        feed_in_price: null,
        purchase_price: purchase,
        currency,
      })
      .execute();

  test('is saved, earned and paid to the cent, and what it would have cost without the plant is their sum', async () => {
    const site = await plants.addSite(installerId);
    await price(site, Date.UTC(2026, 0, 1), '0.3333');
    await addDays(site, [
      { day: '2026-10-31', pv_wh: 5_000, import_wh: 4_321, saving: '1.114999', income: '0.125000', paid: '1.440189' },
    ]);
    expect(await moneyOf(site)).toEqual({
      currency: 'EUR',
      saved: '1.11',
      earned: '0.13',
      paid: '1.44',
      without: '2.55',
      hasPrices: true,
      isPartUnknown: false,
      priceNow: { purchase: '0.333300', feedIn: null, isPurchaseUnknown: false, untilMs: null },
      quality: 'measured',
    });
  });

  test('tells the price of now and until when it is valid', async () => {
    const site = await plants.addSite(installerId);
    const weekend = [
      { from: '00:00', price: '0.2' },
      { from: '06:00', price: '0.4' },
      { from: '22:00', price: '0.2' },
    ];
    const periods = JSON.stringify({ weekday: [{ from: '00:00', price: '0.9' }], weekend });
    await plants.db.updateTable('sites').set({ purchase_periods: periods }).where('id', '=', site.id).execute();
    expect(await moneyOf(site)).toMatchObject({
      hasPrices: true,
      isPartUnknown: false,
      priceNow: {
        purchase: '0.4',
        feedIn: null,
        isPurchaseUnknown: false,
        untilMs: instantOf('2026-10-31T22:00', 'Europe/Berlin'),
      },
    });
  });

  test('is none without prices, and none where the currency changed today', async () => {
    const free = await plants.addSite(installerId);
    await addDays(free, [{ day: '2026-10-31', import_wh: 3_000 }]);
    expect(await moneyOf(free)).toMatchObject({ paid: null, saved: null, earned: null, hasPrices: false });
    const moved = await plants.addSite(installerId);
    await price(moved, Date.UTC(2026, 0, 1), '0.5');
    await price(moved, Date.UTC(2026, 9, 31, 8), '2', 'PLN');
    await addDays(moved, [{ day: '2026-10-31', import_wh: 3_000 }]);
    expect(await moneyOf(moved)).toMatchObject({ currency: 'PLN', paid: null, without: null });
  });
});
