import type { LayoutPoint } from './layout.ts';

/** A sample that a logger keeps, and which points its values are of. */
export interface StoredSample {
  device: string;
  tsMs: number;
  points: readonly LayoutPoint[];
  values: Float64Array;
}

/** Samples of one moment, of all devices. */
interface Slot {
  tsMs: number;
  isSent: boolean;
  samples: StoredSample[];
}

export const SLOT_MS = 5 * 60_000;
const KEPT_SLOTS = (30 * 24 * 60) / 5;

/** The ring store of a logger: a sample of every device in each five minutes, for thirty days. */
export class SampleStore {
  readonly #slots: Slot[] = [];

  /** Whether the five minutes of a time have a sample already. */
  has(tsMs: number): boolean {
    const newest = this.#slots.at(-1);
    return newest !== undefined && slotOf(newest.tsMs) >= slotOf(tsMs);
  }

  add(tsMs: number, samples: StoredSample[], isSent: boolean): void {
    this.#slots.push({ tsMs, isSent, samples });
    if (this.#slots.length > KEPT_SLOTS) this.#slots.shift();
  }

  clear(): void {
    this.#slots.length = 0;
  }

  /** Number of samples that wait to be sent. */
  get pending(): number {
    return this.#slots.reduce((sum, slot) => sum + (slot.isSent ? 0 : slot.samples.length), 0);
  }

  /** Samples are to be sent again: those of a span that a host asks for, or those from before a loss was noticed. */
  markUnsent(fromMs: number, toMs: number): void {
    for (const slot of this.#slots) if (slot.tsMs >= fromMs && slot.tsMs <= toMs) slot.isSent = false;
  }

  /** The oldest unsent slot, marked as sent; undefined when all are. */
  takeOldest(): readonly StoredSample[] | undefined {
    const slot = this.#slots.find((each) => !each.isSent);
    if (slot === undefined) return undefined;
    slot.isSent = true;
    return slot.samples;
  }
}

function slotOf(tsMs: number): number {
  return Math.floor(tsMs / SLOT_MS);
}
