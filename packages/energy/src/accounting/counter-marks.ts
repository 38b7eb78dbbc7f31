import type { BucketCell } from './bucket-cell.ts';
import { bucketStart } from './bucket-span.ts';
import { ENERGY_CHANNELS, POWER_INDEX } from './channels.ts';
import type { CounterState } from './counters.ts';
import type { BucketFlow } from './power-share.ts';

/** A reading of a counter, and what its power had given in the bucket of the reading up to it, and for how long it was told there. */
interface Mark {
  tsMs: number;
  /** Time of the device's sample before it. */
  heardMs: number;
  flowWh: number;
  coveredMs: number;
}

const newMark = (): Mark => ({ tsMs: Number.NaN, heardMs: Number.NaN, flowWh: 0, coveredMs: 0 });

/**
 * Of each counter the reading that was accepted last, the newest that is held back and the present one: energy is put between two of
 * them. And the one by which it grew last.
 */
export class CounterMarks {
  readonly #accepted: Mark[] = ENERGY_CHANNELS.map(newMark);
  readonly #held: Mark[] = ENERGY_CHANNELS.map(newMark);
  readonly #grown: Mark[] = ENERGY_CHANNELS.map(newMark);
  readonly #present: Mark = newMark();

  /** What the power of a channel had given, in the bucket of the last accepted reading, up to that reading, Wh. */
  acceptedFlowWh(channel: number): number {
    return (this.#accepted[channel] as Mark).flowWh;
  }

  /**
   * What the power of a channel had given, in the bucket of the reading by which its counter grew last, up to that reading, Wh;
   * undefined where the counter did not grow then, or by one that was held back.
   */
  grownFlowWh(channel: number, tsMs: number): number | undefined {
    const mark = this.#grown[channel] as Mark;
    return mark.tsMs === tsMs ? mark.flowWh : undefined;
  }

  /** Notes a reading before its counter is advanced. */
  read(channel: number, tsMs: number, heardMs: number, { flowWh, coveredMs }: BucketCell): void {
    const mark = this.#present;
    mark.tsMs = tsMs;
    mark.heardMs = heardMs;
    mark.flowWh = flowWh[channel] as number;
    mark.coveredMs = coveredMs[POWER_INDEX[channel] as number] as number;
  }

  /** Notes what became of it. */
  advanced(channel: number, { lastTsMs, changedTsMs, candidate }: CounterState): void {
    const { tsMs } = this.#present;
    if (candidate?.tsMs === tsMs) Object.assign(this.#held[channel] as Mark, this.#present);
    if (lastTsMs === tsMs) Object.assign(this.#accepted[channel] as Mark, this.#present);
    if (changedTsMs === tsMs) Object.assign(this.#grown[channel] as Mark, this.#present);
  }

  /** Whether the device told anything between two readings of a counter that is being advanced. */
  isHeardBetween(channel: number, fromMs: number, toMs: number): boolean {
    return (this.#at(channel, toMs)?.heardMs ?? Number.NaN) > fromMs;
  }

  /** What the power of a channel gave between two readings of its counter, by bucket. */
  flowsBetween(channel: number, fromMs: number, toMs: number, cells: readonly BucketCell[]): BucketFlow[] {
    const power = POWER_INDEX[channel] as number;
    const [from, to] = [this.#at(channel, fromMs), this.#at(channel, toMs)];
    const [firstMs, lastMs] = [bucketStart(fromMs), bucketStart(toMs)];
    return cells.map(({ bucketMs, flowWh, coveredMs }) => {
      const before = bucketMs === firstMs ? from : undefined;
      const end = bucketMs === lastMs ? to : undefined;
      return {
        bucketMs,
        wh: (end?.flowWh ?? (flowWh[channel] as number)) - (before?.flowWh ?? 0),
        coveredMs: (end?.coveredMs ?? (coveredMs[power] as number)) - (before?.coveredMs ?? 0),
      };
    });
  }

  #at(channel: number, tsMs: number): Mark | undefined {
    const marks = [this.#present, this.#held[channel] as Mark, this.#accepted[channel] as Mark];
    return marks.find((mark) => mark.tsMs === tsMs);
  }
}
