import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_MS } from './bucket-span.ts';
import { allocateFlows, type PortEnergies } from './flows.ts';
import { purchaseCost, sumMoney, tariffSpans } from './money.ts';
import {
  chargingSessions,
  divided,
  type OriginBucket,
  originMoney,
  type PurchaseBucket,
  purchaseOf,
  quarterHours,
} from './where-from.ts';

const START_MS = Date.UTC(2026, 5, 1);
const DAY = { startMs: START_MS, endMs: START_MS + 86_400_000 };
const ZONE = 'Europe/Berlin';

const wh = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 2_000, noNaN: true }));
/** Every kind of plant: each of its ports may be missing. */
const days = fc
  .record({
    has: fc.record({ pv: fc.boolean(), external: fc.boolean(), battery: fc.boolean(), charger: fc.boolean() }),
  })
  .chain(({ has }) => {
    const of = (is: boolean) => (is ? wh : fc.constant(0));
    return fc.array(
      fc.record({
        pvWh: of(has.pv),
        externalWh: of(has.external),
        dischargeWh: of(has.battery),
        importWh: wh,
        loadWh: wh,
        chargerWh: of(has.charger),
        chargeWh: of(has.battery),
        exportWh: of(has.pv),
      }) satisfies fc.Arbitrary<PortEnergies>,
      { minLength: 1, maxLength: 60 },
    );
  });

const bucketsOf = (day: readonly PortEnergies[], destination: 'load' | 'charger'): OriginBucket[] =>
  day.map((energies, place) => {
    const flows = allocateFlows(energies);
    const isLoad = destination === 'load';
    return {
      tsMs: START_MS + place * BUCKET_MS,
      takenWh: isLoad ? energies.loadWh : energies.chargerWh,
      from: {
        pv: isLoad ? flows.pvToLoadWh : flows.pvToChargerWh,
        external: isLoad ? flows.externalToLoadWh : flows.externalToChargerWh,
        battery: isLoad ? flows.batteryToLoadWh : flows.batteryToChargerWh,
        grid: isLoad ? flows.gridToLoadWh : flows.gridToChargerWh,
      },
    };
  });

const tariff = (fromMs: number, purchase: string, feedIn = '0.08') => ({
  fromMs,
  feedInPricePerKwh: feedIn,
  purchasePricePerKwh: purchase,
  currency: 'EUR',
});
const onePrice = tariffSpans([tariff(Number.NEGATIVE_INFINITY, '0.3')], DAY, ZONE);
const sumOf = ({ from, undividedWh }: ReturnType<typeof divided>) =>
  from.pv + from.external + from.battery + from.grid + undividedWh;

describe('where energy came from', () => {
  test.each(['load', 'charger'] as const)('adds up to what the %s took, for every kind of plant', (destination) => {
    fc.assert(
      fc.property(days, (day) => {
        const buckets = bucketsOf(day, destination);
        const whole = divided(buckets);
        const takenWh = day.reduce((sum, each) => sum + (destination === 'load' ? each.loadWh : each.chargerWh), 0);
        expect(Math.abs(whole.takenWh - takenWh)).toBeLessThan(0.1);
        expect(Math.abs(sumOf(whole) - takenWh)).toBeLessThan(0.1);
        const quarters = quarterHours(buckets);
        expect(Math.abs(quarters.reduce((sum, quarter) => sum + sumOf(quarter), 0) - takenWh)).toBeLessThan(0.1);
        for (const value of [...Object.values(whole.from), whole.undividedWh]) expect(value).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('sessions are whole, apart, and leave out less than standing by takes', () => {
    fc.assert(
      fc.property(days, (day) => {
        const buckets = bucketsOf(day, 'charger');
        const sessions = chargingSessions(buckets, onePrice);
        const inSessions = sessions.reduce((sum, { takenWh }) => sum + takenWh, 0);
        const restWh = divided(buckets).takenWh - inSessions;
        expect(restWh).toBeGreaterThan(-0.1);
        expect(restWh).toBeLessThanOrEqual(buckets.length * ((50 * BUCKET_MS) / 3_600_000) + 0.1);
        for (const [place, session] of sessions.entries()) {
          expect(session.endMs).toBeGreaterThan(session.startMs);
          const next = sessions[place + 1];
          if (next) expect(next.startMs - session.endMs).toBeGreaterThan(15 * 60_000);
        }
      }),
    );
  });

  test('costs what the grid gave, at the price of its time; never more than all of it bought', () => {
    const changeMs = START_MS + 3 * BUCKET_MS;
    const prices = [tariff(Number.NEGATIVE_INFINITY, '0.5'), tariff(changeMs, '0.1')];
    const spans = tariffSpans(prices, DAY, ZONE);
    fc.assert(
      fc.property(days, (day) => {
        const buckets = bucketsOf(day, 'load');
        const { paid, gridOnly } = originMoney(buckets, spans);
        const byHand = buckets.reduce(
          (sum, { tsMs, from }) => sum + ((from.grid ?? 0) / 1_000) * (tsMs < changeMs ? 0.5 : 0.1),
          0,
        );
        expect(Number(paid)).toBeCloseTo(byHand, 6);
        expect(Number(gridOnly)).toBeGreaterThanOrEqual(Number(paid) - 1e-6);
      }),
    );
  });

  test('has no money where a price is missing within its time', () => {
    const spans = tariffSpans([{ ...tariff(Number.NEGATIVE_INFINITY, '0.5'), purchasePricePerKwh: null }], DAY, ZONE);
    const money = originMoney([{ tsMs: START_MS, takenWh: 10, from: { pv: 4, grid: 6 } }], spans);
    expect(money).toEqual({ paid: null, gridOnly: null, forgone: '0.00032' });
  });

  test('divides all that was bought: house, vehicles, battery and what was lost are paid together what was bought, to the last decimal', () => {
    const changeMs = START_MS + 3 * BUCKET_MS;
    const prices = [tariff(Number.NEGATIVE_INFINITY, '0.2013'), tariff(changeMs, '0.3107')];
    const spans = tariffSpans(prices, DAY, ZONE);
    fc.assert(
      fc.property(days, (day) => {
        const bought = day.map((energies, place): PurchaseBucket => {
          const { gridToLoadWh, gridToChargerWh, gridToBatteryWh } = allocateFlows(energies);
          return {
            tsMs: START_MS + place * BUCKET_MS,
            boughtWh: energies.importWh,
            givenWh: { load: gridToLoadWh, charger: gridToChargerWh, battery: gridToBatteryWh },
          };
        });
        const purchase = purchaseOf(bought, spans);
        const [house, car] = [bucketsOf(day, 'load'), bucketsOf(day, 'charger')];
        const parts = [
          originMoney(house, spans).paid,
          originMoney(car, spans).paid,
          purchase.batteryPaid,
          purchase.restPaid,
        ];
        const importWh = (isBefore: boolean) =>
          day.reduce((sum, each, place) => sum + (place < 3 === isBefore ? each.importWh : 0), 0);
        const paid = sumMoney([purchaseCost(importWh(true), '0.2013'), purchaseCost(importWh(false), '0.3107')]);
        expect(purchase.paid).toBe(paid);
        expect(Number(sumMoney(parts.map(String))) - Number(paid)).toBeCloseTo(0, 9);
        const sumWh = divided(house).from.grid + divided(car).from.grid + purchase.batteryWh + purchase.restWh;
        expect(sumWh).toBeCloseTo(importWh(true) + importWh(false), 6);
        expect(Number(purchase.restPaid)).toBeGreaterThan(-1e-9);
      }),
    );
  });
});
