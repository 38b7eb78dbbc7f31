import { nextSeq } from '@sonnenwarte/device-protocol/points/births';
import type { DataloggerEntry } from '../registry/plant-model.ts';

interface Hole {
  missing: Set<number>;
  timer: NodeJS.Timeout;
}

/** Notices numbers that stay away. Data are never held back: they are keyed by time, so that their order does not matter. */
export class SequenceWatch {
  readonly #reorderMs: number;
  readonly #onLoss: (datalogger: DataloggerEntry) => void;
  readonly #last = new WeakMap<DataloggerEntry, { seq: number; atMs: number }>();
  readonly #holes = new Map<DataloggerEntry, Hole>();

  constructor(reorderMs: number, onLoss: (datalogger: DataloggerEntry) => void) {
    this.#reorderMs = reorderMs;
    this.#onLoss = onLoss;
  }

  /** A birth starts the numbers anew. */
  restart(datalogger: DataloggerEntry, seq = 0): void {
    this.#close(datalogger);
    this.#last.set(datalogger, { seq, atMs: Date.now() });
  }

  forget(datalogger: DataloggerEntry): void {
    this.#close(datalogger);
    this.#last.delete(datalogger);
  }

  note(datalogger: DataloggerEntry, seq: number | undefined, nowMs: number): void {
    if (seq === undefined) return;
    const last = this.#last.get(datalogger);
    if (last === undefined) {
      this.#last.set(datalogger, { seq, atMs: nowMs });
      return;
    }
    const hole = this.#holes.get(datalogger);
    if (hole?.missing.delete(seq) === true) {
      if (hole.missing.size === 0) this.#close(datalogger);
      return;
    }
    const expected = nextSeq(last.seq);
    const ahead = (seq - expected) & 255;
    // More than half a turn ahead is a number from before: a repetition.
    if (ahead >= 128) return;
    if (ahead > 0) this.#open(datalogger, expected, ahead, last.atMs);
    last.seq = seq;
    last.atMs = nowMs;
  }

  #open(datalogger: DataloggerEntry, from: number, count: number, fromMs: number): void {
    const known = this.#holes.get(datalogger);
    const missing = known?.missing ?? new Set<number>();
    for (let step = 0; step < count; step += 1) missing.add((from + step) & 255);
    if (datalogger.holeFromMs === 0) datalogger.holeFromMs = fromMs;
    if (known !== undefined) return;
    const timer = setTimeout(() => {
      this.#holes.delete(datalogger);
      this.#onLoss(datalogger);
    }, this.#reorderMs);
    timer.unref();
    this.#holes.set(datalogger, { missing, timer });
  }

  #close(datalogger: DataloggerEntry): void {
    const hole = this.#holes.get(datalogger);
    if (hole === undefined) return;
    clearTimeout(hole.timer);
    this.#holes.delete(datalogger);
    datalogger.holeFromMs = 0;
  }
}
