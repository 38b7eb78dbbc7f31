interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

const SLOTS_PER_DECADE = 100;
const LOWEST_MS = 0.01;

/** Latencies in slots of 2.3 %, so that any number of them takes the same space. */
export class LatencyHistogram {
  readonly #slots = new Float64Array(SLOTS_PER_DECADE * 8);
  #count = 0;
  #max = 0;

  add(latencyMs: number): void {
    const slot = Math.round(Math.log10(Math.max(LOWEST_MS, latencyMs) / LOWEST_MS) * SLOTS_PER_DECADE);
    const index = Math.min(this.#slots.length - 1, slot);
    this.#slots[index] = (this.#slots[index] ?? 0) + 1;
    this.#count += 1;
    this.#max = Math.max(this.#max, latencyMs);
  }

  percentiles(): Percentiles {
    return { p50: this.#at(0.5), p95: this.#at(0.95), p99: this.#at(0.99), max: round(this.#max) };
  }

  #at(share: number): number {
    if (this.#count === 0) return 0;
    let seen = 0;
    for (let slot = 0; slot < this.#slots.length; slot += 1) {
      seen += this.#slots[slot] ?? 0;
      if (seen >= share * this.#count) return round(Math.min(this.#max, LOWEST_MS * 10 ** (slot / SLOTS_PER_DECADE)));
    }
    return round(this.#max);
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
