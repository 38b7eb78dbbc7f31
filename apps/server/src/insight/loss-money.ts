import { earnings, roundMoney, type Tariff, type TariffSpan, tariffSpans } from '@sonnenwarte/energy/accounting/money';
import type { DayInsight } from '@sonnenwarte/energy/insight/day-insight';
import { BUCKET_MS, type PlantDay } from '@sonnenwarte/energy/insight/plant-day';

/** What a loss was worth: what would have replaced bought energy at the price of purchase, the rest as feeding in. */
export interface LossMoney {
  /** Six decimals; null = a price or the power at the grid is not known. */
  amount: string | null;
  currency: string;
  purchasePerKwh: number | null;
  feedInPerKwh: number | null;
}

/** Mean of a price over a day, each part of it by what the plant could have given then; null where one that counts is missing. */
function meanPrice(
  spans: readonly TariffSpan[],
  day: PlantDay,
  of: 'purchasePricePerKwh' | 'feedInPricePerKwh',
): number | null {
  const [only] = spans;
  if (spans.length === 1) return only === undefined || only.tariff[of] === null ? null : Number(only.tariff[of]);
  let weightW = 0;
  let sum = 0;
  for (const { startMs, endMs, tariff } of spans) {
    let partW = 0;
    for (let atMs = startMs; atMs < endMs; atMs += BUCKET_MS)
      partW += day.expected?.clearW[(atMs - day.startMs) / BUCKET_MS] ?? 0;
    if (partW === 0) continue;
    if (tariff[of] === null) return null;
    weightW += partW;
    sum += partW * Number(tariff[of]);
  }
  return weightW === 0 ? null : sum / weightW;
}

/** Exact as far as prices stay the same over a day. */
export function lossMoney(insight: DayInsight, day: PlantDay, tariffs: readonly Tariff[], zone: string): LossMoney {
  const endMs = day.startMs + day.pvW.length * BUCKET_MS;
  const spans = tariffSpans(tariffs, { startMs: day.startMs, endMs }, zone);
  const currencies = new Set(spans.map(({ tariff }) => tariff.currency));
  const currency = spans.at(-1)?.tariff.currency ?? '';
  const purchasePerKwh = meanPrice(spans, day, 'purchasePricePerKwh');
  const feedInPerKwh = meanPrice(spans, day, 'feedInPricePerKwh');
  const prices = { currency, purchasePerKwh, feedInPerKwh };
  const { lossWh, lossReplacingImportWh } = insight;
  if (lossWh === null || currencies.size > 1) return { amount: null, ...prices };
  if (lossWh === 0) return { amount: '0', ...prices };
  if (lossReplacingImportWh === null) return { amount: null, ...prices };
  const soldWh = Math.max(0, lossWh - lossReplacingImportWh);
  const isPriced = (lossReplacingImportWh === 0 || purchasePerKwh !== null) && (soldWh === 0 || feedInPerKwh !== null);
  if (!isPriced) return { amount: null, ...prices };
  const { total } = earnings({
    exportWh: soldWh,
    suppliedWh: lossReplacingImportWh,
    feedInPricePerKwh: feedInPerKwh ?? 0,
    purchasePricePerKwh: purchasePerKwh ?? 0,
  });
  return { amount: roundMoney(total, 6), ...prices };
}
