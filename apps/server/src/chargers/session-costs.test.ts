import { expect, test } from 'vitest';
import { originOf } from './session-costs.ts';

const MINUTE_MS = 60_000;
const bucket = (minute: number, takenWh: number, from: { pv?: number; battery?: number; grid?: number }) => ({
  tsMs: minute * MINUTE_MS,
  takenWh,
  from,
});
const span = (startMin: number, endMin: number, price: string | null, currency = 'EUR') => ({
  startMs: startMin * MINUTE_MS,
  endMs: endMin * MINUTE_MS,
  tariff: { feedInPricePerKwh: null, purchasePricePerKwh: price, currency },
});

test('what was bought costs the price of its five minutes, exactly; the rest came from sun and battery', () => {
  const buckets = [
    bucket(0, 500, { pv: 500 }),
    bucket(5, 300, { battery: 100, grid: 200 }),
    bucket(10, 200, { grid: 200 }),
  ];
  const session = { beganMs: 0, endMs: 15 * MINUTE_MS, energyWh: 1_000 };
  expect(originOf(session, buckets, [span(0, 10, '0.30'), span(10, 20, '0.10')], () => 2)).toEqual({
    sunPercent: 50,
    batteryPercent: 10,
    gridPercent: 40,
    cost: '0.08',
    noCost: null,
    currency: 'EUR',
  });
});

test('what its own meter told is divided as all piles of the plant were', () => {
  const session = { beganMs: 0, endMs: 5 * MINUTE_MS, energyWh: 250 };
  const origin = originOf(session, [bucket(0, 1_000, { pv: 600, grid: 400 })], [span(0, 5, '1')], () => 2);
  expect(origin).toMatchObject({ sunPercent: 60, gridPercent: 40, cost: '0.10' });
});

test('without flows, without a price and with two currencies nothing is made up', () => {
  const session = { beganMs: 0, endMs: 10 * MINUTE_MS, energyWh: 250 };
  expect(originOf(session, [], [span(0, 10, '1')], () => 2)).toMatchObject({
    sunPercent: null,
    cost: null,
    noCost: 'origin',
  });
  const unexplained = [bucket(0, 500, {})];
  expect(originOf(session, unexplained, [span(0, 10, '1')], () => 2)).toMatchObject({ gridPercent: null, cost: null });
  const bought = [bucket(0, 100, { grid: 100 }), bucket(5, 100, { grid: 100 })];
  expect(originOf(session, bought, [span(0, 10, null)], () => 2)).toMatchObject({
    gridPercent: 100,
    cost: null,
    noCost: 'price',
  });
  const changed = [span(0, 5, '1'), span(5, 10, '1', 'CHF')];
  expect(originOf(session, bought, changed, () => 2)).toMatchObject({
    cost: null,
    noCost: 'currencies',
    currency: 'CHF',
  });
});

test('of a session of which hardly any energy has an origin nobody knows the shares and the cost, which are not nought', () => {
  const session = { beganMs: 0, endMs: 10 * MINUTE_MS, energyWh: 1_000 };
  const costBy = (grid: number) => originOf(session, [bucket(0, 1_000, { grid })], [span(0, 10, '1')], () => 2);
  expect(costBy(20)).toMatchObject({ sunPercent: null, gridPercent: null, cost: null, noCost: 'origin' });
  expect(costBy(940)).toMatchObject({ gridPercent: null, cost: null, noCost: 'origin' });
  expect(costBy(960)).toMatchObject({ gridPercent: 96, cost: '0.96', noCost: null });
});
