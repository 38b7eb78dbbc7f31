import type { EdgeNode } from './edge/edge-node.ts';
import { batchesOf } from './edge/history-batches.ts';
import type { Schedule } from './edge/pause.ts';
import type { StoredSample } from './edge/sample-store.ts';

/** Messages of history that may be under way without an acknowledgement, of each datalogger: at first, and where they come quickly. */
const FIRST_WINDOW = 4;
export const HISTORY_WINDOW = 128;
/** What happens now waits as long as an acknowledgement: one that comes later than this halves the window. */
const LATE_MS = 5_000;

interface Window {
  size: number;
  underWay: Set<Promise<void>>;
}

/** Sends what dataloggers have kept, so much at once as is acknowledged quickly. */
export class HistorySender {
  readonly #schedule: Schedule;
  readonly #windows = new WeakMap<EdgeNode, Window>();

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** Sends as soon as there is room; what resolves once all is acknowledged is added to `told`. */
  async send(edge: EdgeNode, samples: readonly StoredSample[], told: Promise<void>[]): Promise<void> {
    const window = this.#windowOf(edge);
    const { underWay } = window;
    for (const { device, samples: together } of batchesOf(samples)) {
      while (underWay.size >= window.size) await Promise.race(underWay);
      const sentMs = this.#schedule.now();
      const sending: Promise<void> = edge.sendHistory(device, together).finally(() => {
        underWay.delete(sending);
        const isLate = this.#schedule.now() - sentMs > LATE_MS;
        window.size = isLate ? Math.max(FIRST_WINDOW, window.size / 2) : Math.min(HISTORY_WINDOW, window.size + 1);
      });
      underWay.add(sending);
      told.push(sending);
    }
  }

  #windowOf(edge: EdgeNode): Window {
    const known = this.#windows.get(edge);
    if (known !== undefined) return known;
    const window: Window = { size: FIRST_WINDOW, underWay: new Set() };
    this.#windows.set(edge, window);
    return window;
  }
}
