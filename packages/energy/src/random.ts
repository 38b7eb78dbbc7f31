/** Serialisable state of a generator: four 32-bit words. */
export type RandomState = readonly [number, number, number, number];

const UINT32 = 2 ** 32;

/** FNV-1a over UTF-16 code units: a 32-bit seed from a name. */
export function seedFromText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/**
 * Seeded pseudo-random generator, sfc32 ("small fast counting", C. Doty-Humphrey, PractRand): 128 bits of state of which
 * 32 are a counter, so the period is at least 2^32. Not for secrets. The same seed gives the same series on every machine.
 */
export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;

  /** @param seed any number (its 32 low bits count) or text, or the `state` of another generator to go on from. */
  constructor(seed: number | string | RandomState) {
    if (Array.isArray(seed)) {
      [this.#a, this.#b, this.#c, this.#counter] = seed as RandomState;
      return;
    }
    const word = typeof seed === 'string' ? seedFromText(seed) : (seed as number) >>> 0;
    this.#a = 0x9e3779b9 ^ word;
    this.#b = 0x243f6a88 ^ Math.imul(word, 0x85ebca6b);
    this.#c = word;
    for (let round = 0; round < 15; round += 1) this.uint32();
  }

  get state(): RandomState {
    return [this.#a, this.#b, this.#c, this.#counter];
  }

  /** Uniform integer in [0, 2^32). */
  uint32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** Uniform in [0, 1). */
  next(): number {
    return this.uint32() / UINT32;
  }

  /** Uniform in [from, to). */
  between(from: number, to: number): number {
    return from + (to - from) * this.next();
  }

  /** Uniform integer in [0, count). */
  integer(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** True with the given probability, 0-1. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Normally distributed (Box-Muller; two draws each). */
  normal(mean = 0, deviation = 1): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    return mean + deviation * radius * Math.cos(2 * Math.PI * this.next());
  }

  /** Exponentially distributed, for waiting times. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** Weibull distributed, for wind speeds (shape 2 = Rayleigh). */
  weibull(scale: number, shape: number): number {
    return scale * (-Math.log(1 - this.next())) ** (1 / shape);
  }

  /** An independent generator for a part with a name; does not move this one. */
  fork(name: string): Random {
    return new Random((seedFromText(name) ^ this.#a ^ Math.imul(this.#c, 0x27d4eb2f)) >>> 0);
  }
}
