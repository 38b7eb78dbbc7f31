import type { DayLight } from './day-light.ts';
import { type ExpectedDay, type ExpectedPower, powerAtClearness } from './expected-power.ts';
import { BUCKET_HOURS, BUCKET_MS, type InverterDay, type PlantDay } from './plant-day.ts';
import type { Reason, RuledOut, Span } from './reasons.ts';

/** Of its size: the sun is up enough to speak of power. */
const LIT_SHARE = 0.01;

/** How a string did on a day, as it was held against others. */
export interface StringShare {
  /** Keys of its inverter and of itself, as the day names them. */
  device: string;
  string: string;
  /** Its energy against the median of the others, each by what its model says, 0-1 and above. */
  share: number;
  /** Below it a string that stays so is weak. */
  bound: number;
  /** `peers` = each by its size and plane, `past` = each by what is usual of it. */
  against: 'peers' | 'past';
}

/**
 * What a day could give, what it gave, and what each reason took of the difference. Rules claim buckets of it one after another; energy
 * that one has claimed is not there for the next.
 */
export class DayLedger {
  readonly day: PlantDay;
  readonly expected: ExpectedDay;
  readonly light: DayLight;
  readonly level: number;
  /** Is the light known from elsewhere than the plant itself. */
  readonly isCompared: boolean;
  readonly count: number;
  /** W at the AC bus; NaN where the light is not known. */
  readonly expectedW: Float64Array;
  readonly potentialW: Float64Array;
  /** The same where no single cloud shades the plant. */
  readonly unshaded: ExpectedPower;
  /** 1 where the sun is up enough. */
  readonly lit: Uint8Array;
  /** Part of the plant that was not heard, 0-1. */
  readonly silentPart: Float64Array;
  /** Part of the plant that stood still, 0-1. */
  readonly stoppedPart: Float64Array;
  /** What reasons have claimed, W. */
  readonly claimedW: Float64Array;
  /** 1 where a reason makes the bucket useless for learning what is usual. */
  readonly excluded: Uint8Array;
  readonly reasons: Reason[] = [];
  readonly ruledOut: RuledOut[] = [];
  readonly stringShares: StringShare[] = [];
  readonly inverterParts: readonly number[];

  constructor(day: PlantDay, expected: ExpectedDay, light: DayLight, level: number) {
    this.day = day;
    this.expected = expected;
    this.light = light;
    this.level = level;
    this.isCompared = light.source !== 'own';
    this.count = expected.sky.count;
    const moduleC = light.source === 'sensor' ? (day.sensor?.moduleC ?? null) : null;
    const power = powerAtClearness(expected, light.clearness, { level, moduleC });
    this.expectedW = power.expectedW;
    this.potentialW = power.potentialW;
    this.unshaded =
      light.unshaded === light.clearness ? power : powerAtClearness(expected, light.unshaded, { level, moduleC });
    this.lit = new Uint8Array(this.count);
    this.silentPart = new Float64Array(this.count);
    this.stoppedPart = new Float64Array(this.count);
    this.claimedW = new Float64Array(this.count);
    this.excluded = new Uint8Array(this.count);
    const leastW = LIT_SHARE * expected.kwp * 1000;
    for (let at = 0; at < this.count; at += 1) if ((expected.clearW[at] as number) > leastW) this.lit[at] = 1;
    this.inverterParts = partsOf(day.inverters);
  }

  actualW(at: number): number {
    return this.day.pvW[at] as number;
  }

  /** What is missing in a bucket and not claimed yet, W, below 0 where more was given than expected; NaN where not known. */
  gapW(at: number): number {
    const heard = 1 - (this.silentPart[at] as number);
    return (this.expectedW[at] as number) * heard - this.actualW(at) - (this.claimedW[at] as number);
  }

  /** Takes a loss of a bucket for a reason, W; returns what it was given: never more than was left. */
  claim(at: number, wantedW: number): number {
    const givenW = Math.max(0, Math.min(wantedW, this.gapW(at)));
    return Number.isNaN(givenW) ? 0 : this.claimWhole(at, givenW);
  }

  /** Takes a loss that is known by itself, whatever the light says. */
  claimWhole(at: number, lossW: number): number {
    this.claimedW[at] = (this.claimedW[at] as number) + lossW;
    return lossW;
  }

  /** Expected energy of the buckets that a test picks, Wh. */
  expectedWh(isMeant: (at: number) => boolean = () => true): number {
    let sumW = 0;
    for (let at = 0; at < this.count; at += 1) {
      const powerW = this.expectedW[at] as number;
      if (powerW > 0 && isMeant(at)) sumW += powerW;
    }
    return sumW * BUCKET_HOURS;
  }

  bucketAt(tsMs: number): number {
    return Math.floor((tsMs - this.day.startMs) / BUCKET_MS);
  }

  /** Buckets of a mask joined to spans; holes of up to `bridge` buckets are bridged. */
  spansOf(mask: Uint8Array, bridge = 1): Span[] {
    const spans: Span[] = [];
    let end = Number.NEGATIVE_INFINITY;
    mask.forEach((isIn, at) => {
      if (isIn === 0) return;
      const fromMs = this.day.startMs + at * BUCKET_MS;
      const last = spans.at(-1);
      if (last !== undefined && at - end <= bridge) last.untilMs = fromMs + BUCKET_MS;
      else spans.push({ fromMs, untilMs: fromMs + BUCKET_MS });
      end = at + 1;
    });
    return spans;
  }
}

/** Part of each inverter in the plant: by size, else by rating, else alike. They add up to 1. */
function partsOf(inverters: readonly InverterDay[]): number[] {
  const by = (size: (inverter: InverterDay) => number | null): number[] | undefined => {
    const sizes = inverters.map((each) => size(each) ?? 0);
    const sum = sizes.reduce((total, each) => total + each, 0);
    return sizes.every((each) => each > 0) ? sizes.map((each) => each / sum) : undefined;
  };
  return by(({ kwp }) => kwp) ?? by(({ ratedAcW }) => ratedAcW) ?? inverters.map(() => 1 / inverters.length);
}

export function countOf(mask: Uint8Array): number {
  return mask.reduce((sum, each) => sum + each, 0);
}

export const hoursOf = (mask: Uint8Array): number => countOf(mask) * BUCKET_HOURS;
