import type { ChargingSession } from '@sonnenwarte/contract/chargers/chargers';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { roundMoney, type TariffSpan } from '@sonnenwarte/energy/accounting/money';
import { divided, ORIGINS, type OriginBucket, originMoney } from '@sonnenwarte/energy/accounting/where-from';

/** What has an origin must be so much of a session's energy: where the rest came from and what it cost nobody knows. */
const LEAST_KNOWN = 0.95;

export interface SessionSpan {
  readonly beganMs: number;
  readonly endMs: number;
  readonly energyWh: number;
}

export interface SessionOrigin {
  sunPercent: number | null;
  batteryPercent: number | null;
  gridPercent: number | null;
  cost: string | null;
  noCost: ChargingSession['noCost'];
  currency: string;
}

/**
 * Where the energy of a session came from and what was bought of it: divided as the flows into the plant's piles within its time, each five
 * minutes at their price; without shares and cost where of too much of it no origin is known. What its own meter told is spread over them in proportion. `buckets` are those that touch its time.
 */
export function originOf(
  { beganMs, endMs, energyWh }: SessionSpan,
  buckets: readonly OriginBucket[],
  spans: readonly TariffSpan[],
  decimals: (currency: string) => number,
): SessionOrigin {
  const within = buckets.filter(({ tsMs }) => tsMs + BUCKET_MS > beganMs && tsMs < endMs);
  const takenWh = within.reduce((sum, bucket) => sum + bucket.takenWh, 0);
  const touched = spans.filter((span) => span.endMs > beganMs && span.startMs < endMs);
  const currency = touched.at(-1)?.tariff.currency ?? spans.at(-1)?.tariff.currency ?? '';
  if (takenWh <= 0 || energyWh <= 0)
    return { sunPercent: null, batteryPercent: null, gridPercent: null, cost: null, noCost: 'origin', currency };
  const scale = energyWh / takenWh;
  const own = within.map(
    ({ tsMs, takenWh: wh, from }): OriginBucket => ({
      tsMs,
      takenWh: wh * scale,
      from: Object.fromEntries(ORIGINS.map((origin) => [origin, (from[origin] ?? 0) * scale])),
    }),
  );
  const { from, undividedWh } = divided(own);
  // Amounts of several currencies have no sum.
  const isOne = touched.every(({ tariff }) => tariff.currency === currency);
  const isKnown = undividedWh <= (1 - LEAST_KNOWN) * energyWh;
  const percent = (wh: number): number | null => (isKnown ? Math.round((100 * wh) / energyWh) : null);
  const { paid } = isOne && isKnown ? originMoney(own, spans) : { paid: null };
  const noCost = !isKnown ? 'origin' : !isOne ? 'currencies' : 'price';
  return {
    sunPercent: percent(from.pv + from.external),
    batteryPercent: percent(from.battery),
    gridPercent: percent(from.grid),
    cost: paid === null ? null : roundMoney(paid, decimals(currency)),
    noCost: paid === null ? noCost : null,
    currency,
  };
}
