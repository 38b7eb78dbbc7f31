/**
 * How docs/domain.md reads the series of a lifetime counter, written a second time from that page alone: with the whole series at hand it looks
 * ahead, where the product goes on from reading to reading. Energies are whole billionths of a watt-hour.
 */
export interface CounterReading {
  readonly tsMs: number;
  readonly nanoWh: bigint;
}

/** What flowed in (fromMs, toMs]. */
export interface Growth {
  readonly fromMs: number;
  readonly toMs: number;
  readonly nanoWh: bigint;
}

export interface CounterRules {
  /** Most that the channel carries, W. */
  readonly carriesW: number;
  /** What the power of the channel gave in a time; undefined where none is told. */
  readonly powerNanoWh: (fromMs: number, toMs: number) => bigint | undefined;
  /** The least and the most that it can have given; undefined where it was not told all the time. */
  readonly boundsNanoWh: (fromMs: number, toMs: number) => readonly [least: bigint, most: bigint] | undefined;
}

export interface CounterSeries {
  readonly growths: readonly Growth[];
  /** Where the series begins; undefined while no second reading confirms one. */
  readonly opening: CounterReading | undefined;
}

const NANO = 1_000_000_000n;
const STEP = 100n * NANO;
const KILO = 1_000n * NANO;
const MINUTE_MS = 60_000;
const STILL_MS = 15 * MINUTE_MS;
const GAP_MS = 20 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WIDTHS = [16n, 32n].flatMap((bits) => [1n, 10n, 100n, 1_000n].map((unitWh) => 2n ** bits * unitWh * NANO));

/** A series that ended at a joint, and what the one after it has counted since. */
interface Ended {
  readonly last: CounterReading;
  countedSince: bigint;
  isStillSince: boolean;
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

class Reader {
  readonly growths: Growth[] = [];
  opening: CounterReading | undefined;
  readonly #rules: CounterRules;
  #base: CounterReading;
  #grewMs: number;
  #ended: Ended | undefined;
  #hasGrown = false;
  /** Readings that stood since the last growth, and what flowed at least up to each. */
  #stood: { readonly tsMs: number; readonly least: bigint }[] = [];

  constructor(first: CounterReading, rules: CounterRules) {
    this.#rules = rules;
    this.#base = first;
    this.#grewMs = first.tsMs;
  }

  read(rest: readonly CounterReading[]): void {
    for (let at = 0; at < rest.length; ) {
      const reading = rest[at] as CounterReading;
      if (this.#isGrowth(reading)) {
        this.#grow(reading);
        at += 1;
        continue;
      }
      const decided = this.#decide(rest, at);
      if (decided === undefined) return;
      at = decided;
    }
  }

  /** Takes what follows an odd reading up to where that is decided; undefined where nothing decides it any more. */
  #decide(rest: readonly CounterReading[], oddAt: number): number | undefined {
    for (let at = oddAt; at + 1 < rest.length; at += 1) {
      const odd = rest[at] as CounterReading;
      const next = rest[at + 1] as CounterReading;
      const goesOnFromOdd = odd.nanoWh >= this.#base.nanoWh && next.nanoWh >= odd.nanoWh - this.#trembling(odd, next);
      if (!goesOnFromOdd && this.#isGrowth(next)) {
        this.#grow(next);
        return at + 2;
      }
      if (this.#follows(odd, next)) {
        this.#join(odd, next);
        return at + 2;
      }
    }
    return undefined;
  }

  #carried(fromMs: number, toMs: number): bigint {
    return (BigInt(Math.round(this.#rules.carriesW * 12)) * BigInt(toMs - fromMs) * NANO) / 36_000_000n;
  }

  #step(from: CounterReading, to: CounterReading): bigint {
    const isWhole = to.nanoWh > 0n && from.nanoWh % KILO === 0n && to.nanoWh % KILO === 0n;
    return isWhole ? KILO : STEP;
  }

  #trembling(from: CounterReading, to: CounterReading): bigint {
    return larger(this.#step(from, to), from.nanoWh / 2n ** 22n);
  }

  #slack(from: CounterReading, to: CounterReading): bigint {
    return this.#step(from, to) === KILO ? KILO + STEP : 2n * STEP;
  }

  #follows(from: CounterReading, to: CounterReading): boolean {
    const gained = to.nanoWh - from.nanoWh;
    return gained >= -this.#trembling(from, to) && gained <= this.#carried(from.tsMs, to.tsMs) + this.#slack(from, to);
  }

  /** Whether the series before the last joint would stand here by now, while the one after it has stood still. */
  #isBack(reading: CounterReading): boolean {
    const ended = this.#ended;
    if (ended === undefined || !ended.isStillSince || reading.tsMs - ended.last.tsMs > DAY_MS) return false;
    const wasHigher = ended.last.nanoWh > this.#base.nanoWh;
    return wasHigher && reading.nanoWh > this.#base.nanoWh && this.#follows(ended.last, reading);
  }

  #isGrowth(reading: CounterReading): boolean {
    if (this.#isBack(reading)) return false;
    if (this.#follows(this.#base, reading)) return true;
    const gained = reading.nanoWh - this.#base.nanoWh;
    const stillFromMs = Math.max(this.#grewMs, reading.tsMs - STILL_MS);
    if (gained < 0n || stillFromMs >= this.#base.tsMs) return false;
    const told = this.#rules.powerNanoWh(stillFromMs, this.#base.tsMs);
    const still = told === undefined ? this.#carried(stillFromMs, this.#base.tsMs) : (told * 12n) / 10n;
    return gained <= this.#carried(this.#base.tsMs, reading.tsMs) + this.#slack(this.#base, reading) + still;
  }

  #grow(reading: CounterReading): void {
    const gained = larger(0n, reading.nanoWh - this.#base.nanoWh);
    let fromMs = this.#base.tsMs;
    if (gained === 0n) {
      const [least] = this.#rules.boundsNanoWh(fromMs, reading.tsMs) ?? [0n];
      this.#stood.push({ tsMs: reading.tsMs, least });
    } else {
      if (this.#isLate(reading)) fromMs = Math.min(fromMs, Math.max(this.#grewMs, reading.tsMs - STILL_MS));
      this.#stood = [];
      this.#grewMs = reading.tsMs;
      this.#hasGrown = true;
    }
    this.growths.push({ fromMs, toMs: reading.tsMs, nanoWh: gained });
    this.opening ??= this.#base;
    if (this.#ended !== undefined && gained > 0n) {
      this.#ended.countedSince += gained;
      this.#ended.isStillSince = false;
    }
    this.#base = { tsMs: reading.tsMs, nanoWh: larger(reading.nanoWh, this.#base.nanoWh) };
  }

  /** Whether what a counter grew by after a standstill is also of the time in which it stood. */
  #isLate(reading: CounterReading): boolean {
    const isCoarse = [reading, this.#base].every(({ nanoWh }) => nanoWh % STEP === 0n);
    const bounds = this.#rules.boundsNanoWh(this.#base.tsMs, reading.tsMs);
    if (bounds === undefined) return isCoarse || reading.tsMs - this.#base.tsMs < 5 * MINUTE_MS;
    const flowed = this.#stood.filter(({ tsMs, least }) => least > 0n && tsMs > reading.tsMs - STILL_MS);
    if (flowed.reduce((sum, { least }) => sum + least, 0n) < NANO) return false;
    return isCoarse || (flowed.length > 1 && reading.nanoWh - this.#base.nanoWh > bounds[1] + 2n * NANO);
  }

  /** The series goes on from an odd reading that the next one confirms. */
  #join(odd: CounterReading, next: CounterReading): void {
    this.#stood = [];
    const base = this.#base;
    const rejoined = this.#rejoined(odd);
    const between = this.#hasGrown ? (rejoined ?? this.#startedAnew(odd)) : undefined;
    if (between !== undefined) this.growths.push({ fromMs: base.tsMs, toMs: odd.tsMs, nanoWh: between });
    const gained = larger(0n, next.nanoWh - odd.nanoWh);
    this.growths.push({ fromMs: odd.tsMs, toMs: next.tsMs, nanoWh: gained });
    if (!this.#hasGrown) this.opening = odd;
    else if (rejoined !== undefined) this.#ended = undefined;
    else this.#ended = { last: base, countedSince: gained + (between ?? 0n), isStillSince: gained === 0n };
    this.#hasGrown ||= gained > 0n;
    this.#grewMs = next.tsMs;
    this.#base = { tsMs: next.tsMs, nanoWh: larger(next.nanoWh, odd.nanoWh) };
  }

  #rejoined(odd: CounterReading): bigint | undefined {
    const ended = this.#ended;
    if (ended === undefined || odd.tsMs - ended.last.tsMs > DAY_MS) return undefined;
    const falls = odd.nanoWh < this.#base.nanoWh;
    if (falls !== ended.last.nanoWh < this.#base.nanoWh || !this.#follows(ended.last, odd)) return undefined;
    return larger(0n, odd.nanoWh - ended.last.nanoWh - ended.countedSince);
  }

  /** What flowed up to a reading that fell: over a width, from nought, or not known. */
  #startedAnew(odd: CounterReading): bigint | undefined {
    const base = this.#base;
    if (odd.nanoWh >= base.nanoWh) return undefined;
    const carried = this.#carried(base.tsMs, odd.tsMs) + 2n * STEP;
    const width = WIDTHS.find((each) => base.nanoWh <= each && odd.nanoWh + each - base.nanoWh <= carried);
    if (width !== undefined) return odd.nanoWh + width - base.nanoWh;
    const isBlank = odd.nanoWh === 0n && odd.tsMs - base.tsMs > GAP_MS;
    return odd.nanoWh > carried || isBlank ? undefined : odd.nanoWh;
  }
}

/** @param readings ascending, each time once. */
export function readCounter(readings: readonly CounterReading[], rules: CounterRules): CounterSeries {
  const [first, ...rest] = readings;
  if (first === undefined) return { growths: [], opening: undefined };
  const reader = new Reader(first, rules);
  reader.read(rest);
  return { growths: reader.growths, opening: reader.opening };
}
