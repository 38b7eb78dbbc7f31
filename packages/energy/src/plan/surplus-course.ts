import { BUCKET_MS } from '../accounting/bucket-span.ts';

/** Minutes of a bucket: devices look at their plan once a minute. */
export const BUCKET_MINUTES = BUCKET_MS / 60_000;

/**
 * Surplus (generation less all consumption) as it went within the five minutes of a span: in each minute one or more powers, one after the other. Those of
 * the minute `m` are `powerW[at]` for `share[at]` of it, `from[m] <= at < from[m + 1]`; there are none where nothing is known.
 */
export interface SurplusCourse {
  readonly from: Int32Array;
  readonly powerW: Float64Array;
  /** 0-1; those of a minute add up to 1. */
  readonly share: Float64Array;
  /** Mean of each five minutes, W; NaN where it is not known. */
  readonly meanW: Float64Array;
}

/** Writes a course from the first minute of a span to its last. */
export class CourseWriter {
  readonly #from: Int32Array;
  readonly #meanW: Float64Array;
  #powerW: Float64Array;
  #share: Float64Array;
  #minute = 0;
  #at = 0;

  constructor(buckets: number) {
    this.#from = new Int32Array(buckets * BUCKET_MINUTES + 1);
    this.#meanW = new Float64Array(buckets).fill(Number.NaN);
    this.#powerW = new Float64Array(buckets * BUCKET_MINUTES);
    this.#share = new Float64Array(buckets * BUCKET_MINUTES);
  }

  /** A power for so much of the running minute. */
  #add(powerW: number, share: number): void {
    if (!(share > 0)) return;
    const first = this.#from[this.#minute] as number;
    if (this.#at > first && this.#powerW[this.#at - 1] === powerW) {
      this.#share[this.#at - 1] = (this.#share[this.#at - 1] as number) + share;
      return;
    }
    if (this.#at === this.#powerW.length) {
      this.#powerW = grown(this.#powerW);
      this.#share = grown(this.#share);
    }
    this.#powerW[this.#at] = powerW;
    this.#share[this.#at] = share;
    this.#at += 1;
  }

  /** Ends the running minute; the last one of five minutes tells their mean. */
  #endMinute(): void {
    this.#minute += 1;
    this.#from[this.#minute] = this.#at;
    if (this.#minute % BUCKET_MINUTES !== 0) return;
    const first = this.#from[this.#minute - BUCKET_MINUTES] as number;
    if (first === this.#at) return;
    let sum = 0;
    for (let at = first; at < this.#at; at += 1) sum += (this.#powerW[at] as number) * (this.#share[at] as number);
    this.#meanW[this.#minute / BUCKET_MINUTES - 1] = sum / BUCKET_MINUTES;
  }

  /** Five minutes that are alike, of one or two powers each; none where the first is NaN. */
  addBucket(highW: number, lowW = highW, highShare = 1): void {
    for (let minute = 0; minute < BUCKET_MINUTES; minute += 1) {
      if (!Number.isNaN(highW)) {
        this.#add(highW, highShare);
        this.#add(lowW, 1 - highShare);
      }
      this.#endMinute();
    }
  }

  /** Five minutes of powers one after the other, each for a share of them; all shares add up to 1. */
  addRuns(powerW: Float64Array, share: Float64Array): void {
    let ended = 0;
    let left = 1;
    for (const [run, watt] of powerW.entries()) {
      let minutes = (share[run] as number) * BUCKET_MINUTES;
      for (; minutes > left && ended < BUCKET_MINUTES - 1; ended += 1) {
        this.#add(watt, left);
        this.#endMinute();
        minutes -= left;
        left = 1;
      }
      this.#add(watt, minutes);
      left -= minutes;
    }
    this.#endMinute();
  }

  get course(): SurplusCourse {
    return {
      from: this.#from,
      powerW: this.#powerW.subarray(0, this.#at),
      share: this.#share.subarray(0, this.#at),
      meanW: this.#meanW,
    };
  }
}

function grown(values: Float64Array): Float64Array {
  const larger = new Float64Array(2 * values.length + BUCKET_MINUTES);
  larger.set(values);
  return larger;
}

/** A surplus that is even over each five minutes, W; NaN where it is not known. */
export function evenCourse(surplusW: ArrayLike<number>): SurplusCourse {
  const writer = new CourseWriter(surplusW.length);
  for (let place = 0; place < surplusW.length; place += 1) writer.addBucket(surplusW[place] as number);
  return writer.course;
}
