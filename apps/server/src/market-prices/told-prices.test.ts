import { QUARTER_MS } from '@sonnenwarte/energy/accounting/market-price';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { describe, expect, test } from 'vitest';
import type { PriceShape } from '../price-sources.ts';
import { MarketBook } from './market-book.ts';
import { toldPrices } from './told-prices.ts';

const START_MS = Date.UTC(2026, 2, 10);
const HOUR_MS = 4 * QUARTER_MS;
const iso = (tsMs: number) => new Date(tsMs).toISOString();
const minute = (tsMs: number) => `${iso(tsMs).slice(0, 16)}Z`;

const ownRow = (at: number, price: number, minutes = 15, unit = 'EUR/kWh') => ({
  start: iso(START_MS + at * QUARTER_MS),
  end: iso(START_MS + at * QUARTER_MS + minutes * 60_000),
  price,
  unit,
});
const told = (shape: PriceShape, body: unknown) =>
  toldPrices(shape, typeof body === 'string' ? body : JSON.stringify(body));
const microsOf = (shape: PriceShape, body: unknown) =>
  [...told(shape, body).micro].map(([atMs, micro]) => [(atMs - START_MS) / QUARTER_MS, micro]);

interface Series {
  readonly points: readonly (readonly [number, number])[];
  readonly resolution?: string;
  readonly curve?: string;
  readonly startMs?: number;
  readonly endMs?: number;
  readonly auction?: number;
  readonly currency?: string;
}

const series = ({
  points,
  resolution = 'PT15M',
  curve = 'A01',
  startMs = START_MS,
  endMs = START_MS + HOUR_MS,
  auction,
  currency = 'EUR',
}: Series) => `<TimeSeries><mRID>1</mRID>
  ${auction === undefined ? '' : `<classificationSequence_AttributeInstanceComponent.position>${auction}</classificationSequence_AttributeInstanceComponent.position>`}
  <in_Domain.mRID codingScheme="A01">10Y1001A1001A82H</in_Domain.mRID>
  <currency_Unit.name>${currency}</currency_Unit.name><price_Measure_Unit.name>MWH</price_Measure_Unit.name><curveType>${curve}</curveType>
  <Period><timeInterval><start>${minute(startMs)}</start><end>${minute(endMs)}</end></timeInterval><resolution>${resolution}</resolution>
  ${points.map(([position, price]) => `<Point><position>${position}</position><price.amount>${price}</price.amount></Point>`).join('')}
  </Period></TimeSeries>`;
const published = (...all: Series[]) => `<?xml version="1.0" encoding="utf-8"?>
<!-- as it is sent -->
<Publication_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-3:publicationdocument:7:3">
  <mRID>1</mRID><type>A44</type>${all.map(series).join('')}</Publication_MarketDocument>`;

describe('market prices', () => {
  test('are read of each shape to the millionth of a kWh, also below nothing', () => {
    expect(told('own', [ownRow(0, 0.0851234), ownRow(1, -12.5, 15, 'EUR/MWh')])).toEqual({
      currency: 'EUR',
      micro: new Map([
        [START_MS, 85_123],
        [START_MS + QUARTER_MS, -12_500],
      ]),
    });
    const data = [
      { start_timestamp: START_MS, end_timestamp: START_MS + HOUR_MS, marketprice: 94.09, unit: 'Eur/MWh' },
    ];
    expect(microsOf('awattar', { object: 'list', data })).toEqual([0, 1, 2, 3].map((at) => [at, 94_090]));
    const quarters = published({
      points: [
        [1, 10],
        [2, -0.01],
        [3, 12.345],
        [4, 13],
      ],
    });
    expect(microsOf('entsoe', quarters)).toEqual([
      [0, 10_000],
      [1, -10],
      [2, 12_345],
      [3, 13_000],
    ]);
  });

  test('stay unknown where they are left out, but where a document says that what is left out stays as it was', () => {
    const points: Series['points'] = [
      [1, 10],
      [3, 30],
    ];
    expect(microsOf('own', [ownRow(0, 1), ownRow(2, 3)]).map(([at]) => at)).toEqual([0, 2]);
    expect(microsOf('entsoe', published({ points })).map(([at]) => at)).toEqual([0, 2]);
    expect(microsOf('entsoe', published({ points, curve: 'A03' })).map(([, micro]) => micro)).toEqual([
      10_000, 10_000, 30_000, 30_000,
    ]);
  });

  test('that are told twice count once; of hours and quarters the quarters hold, of several auctions the first', () => {
    expect(microsOf('own', [ownRow(0, 1), ownRow(0, 1)])).toEqual([[0, 1_000_000]]);
    const hour: Series = { points: [[1, 99]], resolution: 'PT60M' };
    const quarter: Series = { points: [[2, 20]] };
    for (const both of [published(hour, quarter), published(quarter, hour)]) {
      expect(new Map(told('entsoe', both).micro)).toEqual(
        new Map([0, 1, 2, 3].map((at) => [START_MS + at * QUARTER_MS, at === 1 ? 20_000 : 99_000])),
      );
    }
    const auctions = published({ points: [[1, 1]], auction: 2 }, { points: [[1, 5]], auction: 1 });
    expect(microsOf('entsoe', auctions)).toEqual([[0, 5_000]]);
  });

  test('of days on which the clock is shifted are those of 92 and of 100 quarters', () => {
    for (const [day, quarters] of [
      ['2026-03-29', 92],
      ['2026-10-25', 100],
    ] as const) {
      const { startMs, endMs } = dayBounds(day, 'Europe/Berlin');
      const points = Array.from({ length: quarters }, (_, at) => [at + 1, at] as const);
      expect(told('entsoe', published({ points, startMs, endMs })).micro.size).toBe(quarters);
      expect(() => told('entsoe', published({ points: [...points, [quarters + 1, 1]], startMs, endMs }))).toThrow(
        'out of its period',
      );
    }
  });

  test('that few bytes tell by the thousand are refused before they fill the memory', () => {
    const month: Series = { points: [[1, 5]], curve: 'A03', endMs: START_MS + 30 * 24 * HOUR_MS };
    expect(told('entsoe', published(month)).micro.size).toBe(30 * 96);
    expect(() => told('entsoe', published(...Array<Series>(5_000).fill(month)))).toThrow('too many prices');
  });

  test('of an acknowledgement that there are none are none', () => {
    const nothing = '<Acknowledgement_MarketDocument xmlns="urn:x"><mRID>1</mRID></Acknowledgement_MarketDocument>';
    expect(told('entsoe', nothing)).toEqual({ currency: null, micro: new Map() });
  });

  test.each<readonly [string, PriceShape, unknown]>([
    ['no JSON', 'own', 'price;1'],
    ['an object for a list', 'own', { data: [] }],
    ['a price that is a text', 'own', [{ ...ownRow(0, 1), price: '1' }]],
    ['a unit without energy', 'own', [ownRow(0, 1, 15, 'EUR')]],
    ['a time without a zone', 'own', [{ ...ownRow(0, 1), start: '2026-03-10T00:00:00' }]],
    ['ten minutes', 'own', [ownRow(0, 1, 10)]],
    ['an end before its start', 'own', [ownRow(0, 1, -15)]],
    ['two days in one price', 'own', [ownRow(0, 1, 2_880)]],
    ['a price that cannot be', 'own', [ownRow(0, 3_000)]],
    ['two currencies', 'own', [ownRow(0, 1), ownRow(1, 1, 15, 'CHF/kWh')]],
    ['two prices of one time', 'own', [ownRow(0, 1), ownRow(0, 2)]],
    [
      'seconds for milliseconds',
      'awattar',
      { data: [{ start_timestamp: 1.5, end_timestamp: 2, marketprice: 1, unit: 'Eur/MWh' }] },
    ],
    ['a text for a document', 'entsoe', 'no prices today'],
    ['a document of another kind', 'entsoe', published({ points: [[1, 1]] }).replace('A44', 'A65')],
    ['a document that ends early', 'entsoe', published({ points: [[1, 1]] }).slice(0, -40)],
    ['elements that cross', 'entsoe', '<a><b></a></b>'],
    ['entities of its own', 'entsoe', `<!DOCTYPE a [<!ENTITY b "c">]>${published({ points: [[1, 1]] })}`],
    ['elements without an end', 'entsoe', '<a>'.repeat(5_000)],
    ['a resolution of days', 'entsoe', published({ points: [[1, 1]], resolution: 'P1D' })],
    ['a price that is none', 'entsoe', published({ points: [[1, Number.NaN]] })],
    [
      'two prices of one point',
      'entsoe',
      published({
        points: [
          [1, 1],
          [1, 2],
        ],
      }),
    ],
  ])('with %s are refused as a whole', (_, shape, body) => {
    expect(() => told(shape, body)).toThrow();
  });
});

test('a book of prices knows what was put into it, in whatever order, and nothing beside', () => {
  const book = new MarketBook('AT');
  expect(book.microAt(START_MS)).toBeNull();
  const quarters = [0, 5, -9_000, 12_000, 1, -9_001];
  for (const at of quarters) book.put(START_MS + at * QUARTER_MS, at);
  for (const at of quarters) expect(book.microAt(START_MS + at * QUARTER_MS + QUARTER_MS - 1)).toBe(at);
  for (const at of [2, -1, -8_999, 11_999, 50_000, -50_000]) {
    expect(book.microAt(START_MS + at * QUARTER_MS)).toBeNull();
  }
});
