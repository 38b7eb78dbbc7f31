import { BUCKET_MS, bucketStart, forEachShare } from './bucket-span.ts';
import { ENERGY_CHANNELS } from './channels.ts';

/** When the power of each energy channel was told to give nothing; epoch ms. */
export class IdleTimes {
  /** By channel: beginnings and ends by turns, ascending. */
  readonly #edges: number[][] = ENERGY_CHANNELS.map(() => []);

  /**
   * Notes two readings of a power, the later ones last, + where it is what the channel counts. Between one that gives nothing and one
   * that does, it is taken to have changed in the middle.
   */
  noteReadings(channel: number, fromMs: number, fromW: number, toMs: number, toW: number): void {
    const middleMs = fromMs + Math.floor((toMs - fromMs) / 2);
    if (fromW <= 0) this.#note(channel, fromMs, toW <= 0 ? toMs : middleMs);
    else if (toW <= 0) this.#note(channel, middleMs, toMs);
  }

  #note(channel: number, fromMs: number, toMs: number): void {
    const edges = this.#edges[channel] as number[];
    if (edges.at(-1) === fromMs) edges[edges.length - 1] = toMs;
    else edges.push(fromMs, toMs);
  }

  /** Forgets what ended before a time. */
  dropBefore(tsMs: number): void {
    for (const edges of this.#edges) {
      let count = 0;
      while (count < edges.length && (edges[count + 1] as number) <= tsMs) count += 2;
      if (count > 0) edges.splice(0, count);
    }
  }

  /**
   * Distributes an energy over the 5-minute buckets of (fromMs, toMs] in proportion to the time in which the power of its channel gave
   * something, or was not told; in proportion to time alone where it gave nothing throughout. The shares are never negative and add up
   * to the whole.
   */
  forEachShare(
    channel: number,
    fromMs: number,
    toMs: number,
    energyWh: number,
    visit: (bucketMs: number, energyWh: number) => void,
  ): void {
    const busyMs = energyWh > 0 ? toMs - fromMs - this.#idleMs(channel, fromMs, toMs) : 0;
    if (busyMs === 0 || busyMs === toMs - fromMs) {
      forEachShare(fromMs, toMs, energyWh, visit);
      return;
    }
    for (let bucketMs = bucketStart(fromMs); bucketMs < toMs; bucketMs += BUCKET_MS) {
      const [firstMs, lastMs] = [Math.max(bucketMs, fromMs), Math.min(bucketMs + BUCKET_MS, toMs)];
      visit(bucketMs, (energyWh * (lastMs - firstMs - this.#idleMs(channel, firstMs, lastMs))) / busyMs);
    }
  }

  #idleMs(channel: number, fromMs: number, toMs: number): number {
    const edges = this.#edges[channel] as number[];
    let idleMs = 0;
    for (let at = edges.length - 2; at >= 0 && (edges[at + 1] as number) > fromMs; at -= 2) {
      idleMs += Math.max(0, Math.min(edges[at + 1] as number, toMs) - Math.max(edges[at] as number, fromMs));
    }
    return idleMs;
  }
}
