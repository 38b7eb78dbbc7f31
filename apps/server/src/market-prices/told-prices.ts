import { QUARTER_MS } from '@sonnenwarte/energy/accounting/market-price';
import * as z from 'zod/mini';
import type { PriceShape } from '../price-sources.ts';
import { entsoeSpans } from './entsoe.ts';
import { MOST_SPANS, microOf, type ToldSpan, unitOf, WrongPrices } from './told-span.ts';

/** Prices of quarters of an hour, by their start. */
export interface ToldQuarters {
  /** null = nothing was told. */
  readonly currency: string | null;
  readonly micro: ReadonlyMap<number, number>;
}

const HOUR_MS = 4 * QUARTER_MS;
const LATEST_MS = Date.UTC(2100, 0, 1);
const ownShape = z
  .array(
    z.object({
      start: z.iso.datetime({ offset: true }),
      end: z.iso.datetime({ offset: true }),
      price: z.number(),
      unit: z.string(),
    }),
  )
  .check(z.maxLength(MOST_SPANS));

const awattarShape = z.object({
  data: z
    .array(
      z.object({
        start_timestamp: z.int(),
        end_timestamp: z.int(),
        marketprice: z.number(),
        unit: z.string(),
      }),
    )
    .check(z.maxLength(MOST_SPANS)),
});

function ownSpans(body: string): ToldSpan[] {
  return z.parse(ownShape, JSON.parse(body)).map(({ start, end, price, unit }) => {
    const { currency, unitKwh } = unitOf(unit);
    return { startMs: Date.parse(start), endMs: Date.parse(end), micro: microOf(price, unitKwh), currency };
  });
}

function awattarSpans(body: string): ToldSpan[] {
  return z.parse(awattarShape, JSON.parse(body)).data.map((row) => {
    const { currency, unitKwh } = unitOf(row.unit);
    const { start_timestamp: startMs, end_timestamp: endMs } = row;
    return { startMs, endMs, micro: microOf(row.marketprice, unitKwh), currency };
  });
}

const spansOf: Readonly<Record<PriceShape, (body: string) => ToldSpan[]>> = {
  own: ownSpans,
  awattar: awattarSpans,
  entsoe: entsoeSpans,
};

/**
 * What an answer tells, by quarters of an hour. What is told twice alike is told once; of prices of different lengths the shorter hold; two that
 * contradict each other, spans that are no quarters, and two currencies refuse the whole.
 */
export function toldPrices(shape: PriceShape, body: string): ToldQuarters {
  const spans = spansOf[shape](body);
  const micro = new Map<number, { micro: number; lengthMs: number }>();
  let currency: string | null = null;
  for (const span of spans) {
    const { startMs, endMs } = span;
    const lengthMs = endMs - startMs;
    const isWhole = startMs % QUARTER_MS === 0 && lengthMs % QUARTER_MS === 0;
    if (!isWhole || lengthMs <= 0 || lengthMs > 24 * HOUR_MS || startMs < 0 || endMs > LATEST_MS) {
      throw new WrongPrices('a time of it is no span of quarters of an hour');
    }
    currency ??= span.currency;
    if (currency !== span.currency) throw new WrongPrices('it tells two currencies');
    for (let atMs = startMs; atMs < endMs; atMs += QUARTER_MS) {
      const known = micro.get(atMs);
      if (known === undefined || known.lengthMs > lengthMs) micro.set(atMs, { micro: span.micro, lengthMs });
      else if (known.lengthMs === lengthMs && known.micro !== span.micro) {
        throw new WrongPrices('it tells two prices of the same time');
      }
    }
  }
  return { currency, micro: new Map([...micro].map(([atMs, told]) => [atMs, told.micro])) };
}
