import { type MarketPrices, QUARTER_MS } from '@sonnenwarte/energy/accounting/market-price';

const UNKNOWN = -2_147_483_648;
const ROOM = 4_096;

/** The prices of a zone as they are held: a number for each quarter of an hour from the first to the last. */
export class MarketBook implements MarketPrices {
  readonly zone: string;
  /** How many times its source was written when it was read. */
  changes = -1;
  currency: string | null = null;
  #first = 0;
  #micro = new Int32Array(0);

  constructor(zone: string) {
    this.zone = zone;
  }

  microAt(tsMs: number): number | null {
    const place = Math.floor(tsMs / QUARTER_MS) - this.#first;
    const micro = place < 0 ? UNKNOWN : (this.#micro[place] ?? UNKNOWN);
    return micro === UNKNOWN ? null : micro;
  }

  put(startMs: number, micro: number): void {
    const quarter = Math.floor(startMs / QUARTER_MS);
    this.#makeRoom(quarter);
    this.#micro[quarter - this.#first] = micro;
  }

  /** Two that tell the same of a zone are alike. */
  toJSON(): object {
    return { zone: this.zone, changes: this.changes };
  }

  #makeRoom(quarter: number): void {
    const end = this.#first + this.#micro.length;
    if (this.#micro.length > 0 && quarter >= this.#first && quarter < end) return;
    const isEmpty = this.#micro.length === 0;
    const first = isEmpty ? quarter : quarter < this.#first ? quarter - ROOM : this.#first;
    const last = isEmpty || quarter >= end ? quarter + ROOM : end;
    const wider = new Int32Array(last - first).fill(UNKNOWN);
    wider.set(this.#micro, isEmpty ? 0 : this.#first - first);
    this.#first = first;
    this.#micro = wider;
  }
}

/** Books by their zone. */
export type MarketBooks = ReadonlyMap<string, MarketBook>;
