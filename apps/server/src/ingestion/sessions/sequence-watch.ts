import { nextSeq } from '@sonnenwarte/device-protocol/sparkplug/births';
import type { LoggerEntry } from '../registry/plant-model.ts';

interface Hole {
  missing: Set<number>;
  timer: NodeJS.Timeout;
}

/** Notices numbers that stay away. Data are never held back: they are keyed by time, so that their order does not matter. */
export class SequenceWatch {
  readonly #reorderMs: number;
  readonly #onLoss: (logger: LoggerEntry) => void;
  readonly #last = new WeakMap<LoggerEntry, { seq: number; atMs: number }>();
  readonly #holes = new Map<LoggerEntry, Hole>();

  constructor(reorderMs: number, onLoss: (logger: LoggerEntry) => void) {
    this.#reorderMs = reorderMs;
    this.#onLoss = onLoss;
  }

  /** A birth starts the numbers anew. */
  restart(logger: LoggerEntry, seq = 0): void {
    this.#close(logger);
    this.#last.set(logger, { seq, atMs: Date.now() });
  }

  forget(logger: LoggerEntry): void {
    this.#close(logger);
    this.#last.delete(logger);
  }

  note(logger: LoggerEntry, seq: number | undefined, nowMs: number): void {
    if (seq === undefined) return;
    const last = this.#last.get(logger);
    if (last === undefined) {
      this.#last.set(logger, { seq, atMs: nowMs });
      return;
    }
    const hole = this.#holes.get(logger);
    if (hole?.missing.delete(seq) === true) {
      if (hole.missing.size === 0) this.#close(logger);
      return;
    }
    const expected = nextSeq(last.seq);
    const ahead = (seq - expected) & 255;
    // More than half a turn ahead is a number from before: a repetition.
    if (ahead >= 128) return;
    if (ahead > 0) this.#open(logger, expected, ahead, last.atMs);
    last.seq = seq;
    last.atMs = nowMs;
  }

  #open(logger: LoggerEntry, from: number, count: number, fromMs: number): void {
    const known = this.#holes.get(logger);
    const missing = known?.missing ?? new Set<number>();
    for (let step = 0; step < count; step += 1) missing.add((from + step) & 255);
    if (logger.holeFromMs === 0) logger.holeFromMs = fromMs;
    if (known !== undefined) return;
    const timer = setTimeout(() => {
      this.#holes.delete(logger);
      this.#onLoss(logger);
    }, this.#reorderMs);
    timer.unref();
    this.#holes.set(logger, { missing, timer });
  }

  #close(logger: LoggerEntry): void {
    const hole = this.#holes.get(logger);
    if (hole === undefined) return;
    clearTimeout(hole.timer);
    this.#holes.delete(logger);
    logger.holeFromMs = 0;
  }
}
