import { MOST_SPANS, microOf, type ToldSpan, unitOf, WrongPrices } from './told-span.ts';
import { childrenOf, readXml, textAt, type XmlElement } from './xml.ts';

const DAY_AHEAD = 'A44';
const MINUTE_MS = 60_000;
/** ISO 8601 of what markets trade. */
const resolutions: Readonly<Record<string, number>> = {
  PT15M: 15 * MINUTE_MS,
  PT30M: 30 * MINUTE_MS,
  PT60M: 60 * MINUTE_MS,
  PT1H: 60 * MINUTE_MS,
};
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?Z$/;
/** Days of one period; documents have one a day. */
const LONGEST_MS = 32 * 24 * 60 * MINUTE_MS;
/** Where a price stays as it is, the points after the first are left out. */
const VARIABLE_BLOCKS = 'A03';

function timeAt(period: XmlElement, name: 'start' | 'end'): number {
  const text = textAt(period, 'timeInterval', name) ?? '';
  const tsMs = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(tsMs)) throw new WrongPrices('a period of it has no time');
  return tsMs;
}

function pricesOfPoints(period: XmlElement): Map<number, number> {
  const prices = new Map<number, number>();
  for (const point of childrenOf(period, 'Point')) {
    const [position, price] = [textAt(point, 'position') ?? '', textAt(point, 'price.amount') ?? ''];
    if (!/^\d{1,5}$/.test(position) || !/^-?\d{1,9}(?:\.\d{1,9})?$/.test(price)) {
      throw new WrongPrices('a point of it is none');
    }
    const at = Number(position);
    if (prices.has(at) && prices.get(at) !== Number(price)) {
      throw new WrongPrices('it tells two prices of the same time');
    }
    prices.set(at, Number(price));
  }
  return prices;
}

function spansOfPeriod(period: XmlElement, isVariable: boolean, unit: string): ToldSpan[] {
  const stepMs = resolutions[textAt(period, 'resolution') ?? ''];
  if (stepMs === undefined) throw new WrongPrices('a resolution of it is not known');
  const [firstMs, lastMs] = [timeAt(period, 'start'), timeAt(period, 'end')];
  const points = (lastMs - firstMs) / stepMs;
  if (!Number.isInteger(points) || points < 1 || lastMs - firstMs > LONGEST_MS) {
    throw new WrongPrices('a period of it has no length');
  }
  const { currency, unitKwh } = unitOf(unit);
  const prices = pricesOfPoints(period);
  if ([...prices.keys()].some((position) => position < 1 || position > points)) {
    throw new WrongPrices('a point of it is out of its period');
  }
  const spans: ToldSpan[] = [];
  let price: number | undefined;
  for (let position = 1; position <= points; position += 1) {
    price = prices.get(position) ?? (isVariable ? price : undefined);
    if (price === undefined) continue;
    const startMs = firstMs + (position - 1) * stepMs;
    spans.push({ startMs, endMs: startMs + stepMs, micro: microOf(price, unitKwh), currency });
  }
  return spans;
}

/**
 * Day-ahead prices of a `Publication_MarketDocument` of the transparency platform. Of several auctions of a day the first is told, by its
 * position. Nothing is told where it acknowledges that it has nothing.
 */
export function entsoeSpans(body: string): ToldSpan[] {
  const document = readXml(body);
  if (document.name === 'Acknowledgement_MarketDocument') return [];
  if (document.name !== 'Publication_MarketDocument' || textAt(document, 'type') !== DAY_AHEAD) {
    throw new WrongPrices('it is no document of day-ahead prices');
  }
  const firstAuction = 'classificationSequence_AttributeInstanceComponent.position';
  const spans: ToldSpan[] = [];
  for (const series of childrenOf(document, 'TimeSeries')) {
    if ((textAt(series, firstAuction) ?? '1') !== '1') continue;
    const energy = textAt(series, 'price_Measure_Unit.name') ?? 'MWH';
    const unit = `${textAt(series, 'currency_Unit.name') ?? ''}/${energy.toUpperCase() === 'MWH' ? 'MWh' : energy}`;
    const isVariable = textAt(series, 'curveType') === VARIABLE_BLOCKS;
    for (const period of childrenOf(series, 'Period')) {
      // Few bytes stand for many prices where those that stay are left out.
      spans.push(...spansOfPeriod(period, isVariable, unit));
      if (spans.length > MOST_SPANS) throw new WrongPrices('it tells too many prices');
    }
  }
  return spans;
}
