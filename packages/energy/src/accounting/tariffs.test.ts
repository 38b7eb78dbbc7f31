import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayBounds } from '../calendar.ts';
import { BUCKET_MS } from './bucket-span.ts';
import type { DayPrices, PricePeriod } from './day-prices.ts';
import { earnings, purchaseCost, sumMoney, type Tariff, tariffSpans } from './money.ts';

/** Zones whose clocks are shifted by an hour or half of one, in both halves of the year, or never. */
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kolkata', 'UTC'];
/** Days around the shifts of these zones in 2026, and some others. */
const DAYS = [
  '2026-03-08',
  '2026-03-28',
  '2026-03-29',
  '2026-04-05',
  '2026-07-01',
  '2026-09-06',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
  '2026-12-31',
];

const price = fc.integer({ min: 0, max: 999_999 }).map((units) => (units / 1e6).toFixed(6));
const clock = (quarter: number): string =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;
const periods = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 95 }), { maxLength: 6 }),
    fc.array(price, { minLength: 7, maxLength: 7 }),
  )
  .map(([quarters, prices]): PricePeriod[] =>
    [0, ...quarters.toSorted((a, b) => a - b)].map((quarter, at) => ({
      from: clock(quarter),
      price: prices[at] ?? '0',
    })),
  );
const dayPrices: fc.Arbitrary<DayPrices> = fc.record({ weekday: periods, weekend: fc.option(periods) });
const oneOrMany = fc.oneof(
  price.map((one) => ({ one, many: null })),
  dayPrices.map((many) => ({ one: null, many })),
);
const prices = fc.tuple(oneOrMany, oneOrMany).map(([feedIn, purchase]) => ({
  feedInPricePerKwh: feedIn.one,
  feedInPeriods: feedIn.many,
  purchasePricePerKwh: purchase.one,
  purchasePeriods: purchase.many,
  currency: 'EUR',
}));

/** Micro-units of a decimal with at most six decimals. */
const micro = (decimal: string): bigint => {
  const [whole = '0', part = ''] = decimal.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0'));
};

/** What a wall clock in a zone shows, asked of the runtime. */
function wallClock(tsMs: number, zone: string): { time: string; isWeekend: boolean } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(tsMs);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return { time: `${of('hour')}:${of('minute')}`, isWeekend: ['Sat', 'Sun'].includes(of('weekday')) };
}

function reckonedPrice(one: string | null, many: DayPrices | null | undefined, tsMs: number, zone: string): bigint {
  if (!many) return micro(one ?? '0');
  const { time, isWeekend } = wallClock(tsMs, zone);
  let valid = '0';
  for (const { from, price: each } of (isWeekend && many.weekend) || many.weekday) if (from <= time) valid = each;
  return micro(valid);
}

test('money of a day is, to the last decimal, that of its buckets at the prices of their quarter hours, whatever the clock does', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.constantFrom(...DAYS),
      prices,
      fc.array(fc.tuple(fc.integer({ min: -40, max: 340 }), prices), { maxLength: 3 }),
      fc.array(fc.tuple(fc.nat(2_000), fc.nat(2_000)), { minLength: 300, maxLength: 300 }),
      (zone, day, first, later, energies) => {
        const bounds = dayBounds(day, zone);
        const tariffs: Tariff[] = [
          { fromMs: Number.NEGATIVE_INFINITY, ...first },
          ...later
            .toSorted(([a], [b]) => a - b)
            .map(([bucket, each]) => ({ fromMs: bounds.startMs + bucket * BUCKET_MS, ...each })),
        ];
        const energyAt = (tsMs: number) => energies[((tsMs - bounds.startMs) / BUCKET_MS) % energies.length] ?? [0, 0];

        // Millionths of a unit for a thousandth of a kilowatt hour.
        let [income, cost] = [0n, 0n];
        for (let tsMs = bounds.startMs; tsMs < bounds.endMs; tsMs += BUCKET_MS) {
          const tariff = tariffs.filter(({ fromMs }) => fromMs <= tsMs).at(-1) ?? first;
          const [exportWh, importWh] = energyAt(tsMs);
          income += BigInt(exportWh) * reckonedPrice(tariff.feedInPricePerKwh, tariff.feedInPeriods, tsMs, zone);
          cost += BigInt(importWh) * reckonedPrice(tariff.purchasePricePerKwh, tariff.purchasePeriods, tsMs, zone);
        }

        const parts = tariffSpans(tariffs, bounds, zone).map(({ startMs, endMs, tariff }) => {
          let [exportWh, importWh] = [0, 0];
          for (let tsMs = startMs; tsMs < endMs; tsMs += BUCKET_MS) {
            exportWh += energyAt(tsMs)[0];
            importWh += energyAt(tsMs)[1];
          }
          const { feedIn } = earnings({
            exportWh,
            suppliedWh: 0,
            feedInPricePerKwh: tariff.feedInPricePerKwh ?? 0,
            purchasePricePerKwh: 0,
          });
          return { feedIn, paid: purchaseCost(importWh, tariff.purchasePricePerKwh ?? 0) };
        });
        const exact = (amount: string): bigint => {
          const [whole = '0', part = ''] = amount.split('.');
          return BigInt(whole) * 1_000_000_000n + BigInt(part.padEnd(9, '0'));
        };
        expect(exact(sumMoney(parts.map(({ feedIn }) => feedIn)))).toBe(income);
        expect(exact(sumMoney(parts.map(({ paid }) => paid)))).toBe(cost);
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

test.each([
  { day: '2026-03-29', hours: 23, cheapHours: 5 },
  { day: '2026-10-25', hours: 25, cheapHours: 7 },
  { day: '2026-10-24', hours: 24, cheapHours: 6 },
])('a price until six is valid for $cheapHours hours on $day, which has $hours', ({ day, hours, cheapHours }) => {
  const purchasePeriods: DayPrices = {
    weekday: [
      { from: '00:00', price: '0.2' },
      { from: '06:00', price: '0.3' },
    ],
    weekend: null,
  };
  const tariff: Tariff = {
    fromMs: Number.NEGATIVE_INFINITY,
    feedInPricePerKwh: null,
    purchasePricePerKwh: null,
    purchasePeriods,
    currency: 'EUR',
  };
  const spans = tariffSpans([tariff], dayBounds(day, 'Europe/Berlin'), 'Europe/Berlin');
  expect(
    spans.map(({ startMs, endMs, tariff: { purchasePricePerKwh } }) => [
      (endMs - startMs) / 3_600_000,
      purchasePricePerKwh,
    ]),
  ).toEqual([
    [cheapHours, '0.2'],
    [hours - cheapHours, '0.3'],
  ]);
});
