import { BUCKET_MS, bucketStart } from './bucket-span.ts';
import { purchaseCost, restOf, sumMoney, type TariffSpan } from './money.ts';

export const ORIGINS = ['pv', 'external', 'battery', 'grid'] as const;
export type Origin = (typeof ORIGINS)[number];

/** What a destination took in five minutes, Wh, and what of it came from where; `undefined` = not known. */
export interface OriginBucket {
  tsMs: number;
  takenWh: number;
  from: Partial<Record<Origin, number>>;
}

/** What came from where, Wh; `undividedWh` is what no flow explains. All of them add up to what was taken. */
export interface Divided {
  takenWh: number;
  from: Record<Origin, number>;
  undividedWh: number;
}

/** Exact decimals; `null` where a price that is needed is missing. */
export interface OriginMoney {
  /** What was bought, at the price of its time. */
  paid: string | null;
  /** All of it bought. */
  gridOnly: string | null;
  /** What feeding in instead would have brought for what did not come from the grid. */
  forgone: string | null;
}

/** What was bought in five minutes, Wh, and what of it was given to house, vehicles and battery. */
export interface PurchaseBucket {
  tsMs: number;
  boughtWh: number;
  givenWh: { load: number; charger: number; battery: number };
}

/** What was bought in all, and what of it neither house nor vehicles had; exact decimals, `null` where a price is missing. */
export interface Purchase {
  boughtWh: number;
  batteryWh: number;
  /** What was lost on the way, or is explained by no flow. */
  restWh: number;
  paid: string | null;
  batteryPaid: string | null;
  /** The rest to all that was paid, exactly. */
  restPaid: string | null;
}

export interface QuarterHour extends Divided {
  startMs: number;
}

/** A time of taking without a longer pause. */
export interface Session extends Divided {
  startMs: number;
  endMs: number;
  paid: string | null;
}

const QUARTER_MS = 15 * 60_000;
/** Mean power from which a charging pile charges; below it stands by. */
const CHARGING_W = 50;
const CHARGING_WH = (CHARGING_W * BUCKET_MS) / 3_600_000;
/** A shorter pause is part of a session. */
const PAUSE_MS = 15 * 60_000;

/** Adds buckets up and divides the sum by origin. */
export function divided(buckets: readonly OriginBucket[]): Divided {
  const from: Record<Origin, number> = { pv: 0, external: 0, battery: 0, grid: 0 };
  let takenWh = 0;
  let undividedWh = 0;
  for (const bucket of buckets) {
    let knownWh = 0;
    for (const origin of ORIGINS) {
      const wh = bucket.from[origin] ?? 0;
      from[origin] += wh;
      knownWh += wh;
    }
    takenWh += bucket.takenWh;
    undividedWh += bucket.takenWh - knownWh;
  }
  return { takenWh, from, undividedWh: Math.max(0, undividedWh) };
}

/** What some buckets cost, each at the prices that were valid at its start. `spans` cover them, ascending. */
export function originMoney(buckets: readonly OriginBucket[], spans: readonly TariffSpan[]): OriginMoney {
  const bySpan = Map.groupBy(buckets, ({ tsMs }) => spanAt(spans, tsMs));
  const paid: (string | null)[] = [];
  const gridOnly: (string | null)[] = [];
  const forgone: (string | null)[] = [];
  for (const [span, part] of bySpan) {
    const { takenWh, from, undividedWh } = divided(part);
    const { purchasePricePerKwh = null, feedInPricePerKwh = null } = span?.tariff ?? {};
    const ownWh = takenWh - from.grid - undividedWh;
    paid.push(costOf(from.grid, purchasePricePerKwh));
    gridOnly.push(costOf(takenWh, purchasePricePerKwh));
    forgone.push(costOf(Math.max(0, ownWh), feedInPricePerKwh));
  }
  return { paid: sumOf(paid), gridOnly: sumOf(gridOnly), forgone: sumOf(forgone) };
}

/** What was bought, each bucket at the price that was valid at its start. `spans` cover them, ascending. */
export function purchaseOf(buckets: readonly PurchaseBucket[], spans: readonly TariffSpan[]): Purchase {
  const bySpan = Map.groupBy(buckets, ({ tsMs }) => spanAt(spans, tsMs));
  const sum = { boughtWh: 0, batteryWh: 0, restWh: 0 };
  const paid: (string | null)[] = [];
  const battery: (string | null)[] = [];
  const others: (string | null)[] = [];
  for (const [span, part] of bySpan) {
    const price = span?.tariff.purchasePricePerKwh ?? null;
    let [boughtWh, batteryWh, otherWh] = [0, 0, 0];
    for (const { boughtWh: wh, givenWh } of part) {
      boughtWh += wh;
      batteryWh += givenWh.battery;
      otherWh += givenWh.load + givenWh.charger;
    }
    sum.boughtWh += boughtWh;
    sum.batteryWh += batteryWh;
    sum.restWh += Math.max(0, boughtWh - batteryWh - otherWh);
    paid.push(costOf(boughtWh, price));
    battery.push(costOf(batteryWh, price));
    others.push(costOf(otherWh, price));
  }
  const [whole, ofBattery, ofOthers] = [sumOf(paid), sumOf(battery), sumOf(others)];
  const restPaid =
    whole === null || ofBattery === null || ofOthers === null ? null : restOf(whole, [ofBattery, ofOthers]);
  return { ...sum, paid: whole, batteryPaid: ofBattery, restPaid };
}

const spanAt = (spans: readonly TariffSpan[], tsMs: number): TariffSpan | undefined =>
  spans.find(({ endMs }) => tsMs < endMs) ?? spans.at(-1);

const costOf = (wh: number, price: string | null): string | null => (price === null ? null : purchaseCost(wh, price));

const sumOf = (amounts: readonly (string | null)[]): string | null => {
  const known = amounts.filter((amount) => amount !== null);
  return known.length < amounts.length ? null : sumMoney(known);
};

/** The quarter hours in which something is known, the first first. */
export function quarterHours(buckets: readonly OriginBucket[]): QuarterHour[] {
  return [...Map.groupBy(buckets, ({ tsMs }) => Math.floor(tsMs / QUARTER_MS) * QUARTER_MS)].map(([startMs, part]) => ({
    startMs,
    ...divided(part),
  }));
}

/**
 * The times of charging. What a pile took beside them, standing by, is none of theirs.
 *
 * @param begins when a session began, as the pile told, while none went on; one that the buckets join begins anew there.
 */
export function chargingSessions(
  buckets: readonly OriginBucket[],
  spans: readonly TariffSpan[],
  begins: readonly number[] = [],
): Session[] {
  const sessions: OriginBucket[][] = [];
  let pause: OriginBucket[] = [];
  for (const bucket of buckets) {
    const session = sessions.at(-1);
    const last = session?.at(-1);
    if (bucket.takenWh < CHARGING_WH) {
      pause.push(bucket);
      continue;
    }
    const isShort = last !== undefined && bucket.tsMs - last.tsMs <= PAUSE_MS + BUCKET_MS;
    const isNext = begins.some((tsMs) => bucketStart(tsMs) > (last?.tsMs ?? 0) && tsMs < bucket.tsMs + BUCKET_MS);
    if (session !== undefined && isShort && !isNext) session.push(...pause, bucket);
    else sessions.push([bucket]);
    pause = [];
  }
  return sessions.map((session) => ({
    startMs: session[0]?.tsMs ?? 0,
    endMs: (session.at(-1)?.tsMs ?? 0) + BUCKET_MS,
    ...divided(session),
    paid: originMoney(session, spans).paid,
  }));
}
